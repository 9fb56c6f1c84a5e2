#include "decode/compare/judge/stats.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* With more trials the tails take long to compute, and the deviance is accurate enough. */
static const double most_trials = 1e8;

/*
 * From this many degrees of freedom on and for t up to near_t, Hill's normal deviate gives 7 or
 * more digits in a tenth of the time.
 */
static const double many_df = 30, near_t = 8;

static const double two_pi = 6.283185307179586476925286766559;

double stats_normal_tail(double z)
{
	return 0.5 * erfc(z / sqrt(2));
}

/*
 * The z of an upper tail of at most 0.5. Starts from an estimate with error 5e-4 (Abramowitz and
 * Stegun, 26.2.23), refined by Newton's method on the logarithm of the tail.
 */
static double upper_quantile(double tail)
{
	double t = sqrt(-2 * log(tail));
	double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
			       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));

	for (int i = 0; i < 4; i++) {
		double have = stats_normal_tail(z);
		double density = exp(-z * z / 2) / sqrt(two_pi);

		if (have <= 0 || density <= 0)
			break;
		z += log(have / tail) * have / density;
	}
	return z;
}

double stats_normal_quantile(double tail)
{
	return tail > 0.5 ? -upper_quantile(1 - tail) : upper_quantile(tail);
}

/* The error of Stirling's formula for log n!, n > 0 (Loader 2000, stirlerr). */
static double stirling_rest(double n)
{
	double nn = n * n;

	if (n < 16)
		return lgamma(n + 1) - (n + 0.5) * log(n) + n - log(two_pi) / 2;
	return (1. / 12 - (1. / 360 - (1. / 1260 - (1. / 1680 - 1. / 1188 / nn) / nn) / nn) / nn) /
	       n;
}

/* x log(x / m) + m - x: half the deviance of a count of x where m is expected (Loader 2000, bd0).
 */
static double half_deviance(double x, double m)
{
	double v = (x - m) / (x + m), sum = (x - m) * v, term = 2 * x * v;

	if (x <= 0)
		return m;
	if (fabs(v) > 0.1)
		return x * log(x / m) + m - x;
	/* The logarithm as a series in v, because the terms nearly cancel. */
	for (int k = 3; k < 1000; k += 2) {
		double next;

		term *= v * v;
		next = sum + term / k;
		if (next == sum)
			break;
		sum = next;
	}
	return sum;
}

/*
 * x^a y^b / B(a, b) in the saddle point form, which keeps the digits that gamma functions would
 * lose (Loader 2000).
 */
static double beta_factor(double a, double b, double x, double y)
{
	double n = a + b;
	double rest = stirling_rest(n) - stirling_rest(a) - stirling_rest(b);

	return sqrt(a * b / (two_pi * n)) *
	       exp(rest - half_deviance(a, n * x) - half_deviance(b, n * y));
}

/* One step of the modified Lentz method with the coefficient @d of a continued fraction. */
static double lentz(double *c, double *d, double coefficient)
{
	const double tiny = 1e-300;

	*d = 1 + coefficient * *d;
	*c = 1 + coefficient / *c;
	if (fabs(*d) < tiny)
		*d = tiny;
	if (fabs(*c) < tiny)
		*c = tiny;
	*d = 1 / *d;
	return *c * *d;
}

/* The continued fraction 26.5.8 of Abramowitz and Stegun. It needs about sqrt(max(a, b)) steps. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1 / DBL_MIN, d = 1, h = 1, step; /* the state after the first step, 1 / 1 */

	h *= lentz(&c, &d, -(a + b) * x / (a + 1));
	for (int m = 1; m < 1000000; m++) {
		double a2m = a + 2. * m;

		h *= lentz(&c, &d, m * (b - m) * x / ((a2m - 1) * a2m));
		step = lentz(&c, &d, -(a + m) * (a + b + m) * x / (a2m * (a2m + 1)));
		h *= step;
		if (!(fabs(step - 1) >= 4 * DBL_EPSILON))
			break;
	}
	return h;
}

double stats_beta(double a, double b, double x, double y)
{
	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	/* The fraction converges fast below the mean. */
	if (x <= (a + 1) / (a + b + 2))
		return beta_factor(a, b, x, y) / a * beta_fraction(a, b, x);
	return 1 - beta_factor(a, b, x, y) / b * beta_fraction(b, a, y);
}

/* The normal deviate with the tail of a t of many degrees of freedom (Hill 1970, algorithm 395). */
static double t_as_normal(double t, double df)
{
	double a = df - 0.5, b = 48 * a * a, y = a * log1p(t * t / df);
	double rest = (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b);

	return copysign(((rest + y + 3) / b + 1) * sqrt(y), t);
}

double stats_t_tail(double t, double df)
{
	double square = t * t, tail;

	if (df > 1e10 || isinf(square))
		return isinf(square) ? (t > 0 ? 0 : 1) : stats_normal_tail(t);
	if (df >= many_df && fabs(t) <= near_t)
		return stats_normal_tail(t_as_normal(t, df));
	tail = stats_beta(df / 2, 0.5, df / (df + square), square / (df + square)) / 2;
	return t > 0 ? tail : 1 - tail;
}

/* The density of Student's t, accurate enough for a slope. */
static double t_density(double t, double df)
{
	double factor = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * two_pi / 2);

	return factor * pow(1 + t * t / df, -(df + 1) / 2);
}

/*
 * Newton's method on the logarithms of the tail and of t. That curve is concave and decreasing, so
 * steps cannot diverge from a start that is too small, which the normal quantile always is.
 */
double stats_t_quantile(double tail, double df)
{
	double t;

	if (tail >= 0.5)
		return 0;
	t = stats_normal_quantile(tail);
	if (df > 1e10)
		return t;
	for (int i = 0; i < 100; i++) {
		double have = stats_t_tail(t, df);
		double step = log(have / tail) * have / (t * t_density(t, df));

		t *= exp(step);
		if (fabs(step) < 1e-13)
			break;
	}
	return t;
}

/* P(X >= x); 26.5.24 of Abramowitz and Stegun. */
static double binomial_tail(double x, double n, double p)
{
	if (x <= 0)
		return 1;
	if (x >= n + 1)
		return 0;
	return stats_beta(x, n - x + 1, p, 1 - p);
}

double stats_binomial_midtail(double x, double n, double p)
{
	return (binomial_tail(x, n, p) + binomial_tail(x + 1, n, p)) / 2;
}

double stats_binomial_deviate(double x, double n, double p)
{
	bool above = x >= n * p;
	double tail = 0, z;

	if (n < most_trials)
		tail = above ? stats_binomial_midtail(x, n, p)
			     : stats_binomial_midtail(n - x, n, 1 - p);
	if (tail > 1e-290)
		z = stats_normal_quantile(tail);
	else
		z = sqrt(2 * (half_deviance(x, n * p) + half_deviance(n - x, n * (1 - p))));
	return above ? z : -z;
}
