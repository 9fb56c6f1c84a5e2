/*
 * Distributions: tails and quantiles, with a relative error of about 1e-10.
 *
 * All tails are upper tails and computed as such, because 1 minus the lower tail would lose the
 * digits of a small one. The definitions name their sources.
 *
 * No library is used: GSL has all of them but is under the GPL; Boost's are C++.
 */
#ifndef READPERF_DECODE_COMPARE_JUDGE_STATS_H
#define READPERF_DECODE_COMPARE_JUDGE_STATS_H

/** P(Z > @z) of the standard normal distribution. */
double stats_normal_tail(double z);

/** The z with P(Z > z) = @tail, which is in (0, 1). */
double stats_normal_quantile(double tail);

/**
 * The regularized incomplete beta function of @a, @b > 0 at @x in [0, 1]. @y must be 1 - @x; it is
 * passed separately so that neither loses digits near 0.
 */
double stats_beta(double a, double b, double x, double y);

/** P(T > @t) of Student's t with @df > 0 degrees of freedom, which need not be an integer. */
double stats_t_tail(double t, double df);

/** The t with P(T > t) = @tail, which is in (0, 0.5]. */
double stats_t_quantile(double tail, double df);

/**
 * The mid-p tail of a binomial distribution of @n trials with chance @p in (0, 1): the probability
 * of more than @x plus half that of exactly @x, which is in [0, @n]. @x and @n need not be
 * integers: the incomplete beta function interpolates.
 */
double stats_binomial_midtail(double x, double n, double p);

/**
 * The normal deviate of @x among @n trials with chance @p: the z whose tail is the mid-p tail.
 * Where that underflows, and for more than 1e8 trials, it is the signed root of the deviance.
 */
double stats_binomial_deviate(double x, double n, double p);

#endif
