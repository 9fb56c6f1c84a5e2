#include "decode/compare/runnoise.h"

#include <math.h>
#include <stdlib.h>

/*
 * What is thought possible of runs: a typical deviation and the degrees of freedom of the typical
 * factor, on a grid.
 */
enum {
	NR_DEVIATIONS = 20, /* 0, 0.1 %, and on by the root of 2, to 51 % */
	NR_DFS = 7,
	MIN_SAMPLES = 50, /* independent ones of two runs, of a function that has a say */
};

static const double rates[NR_DFS] = {0,	     1. / 64, 1. / 32, 1. / 16,
				     1. / 8, 1. / 4,  1. / 2}; /* 1/df */

/* The logarithms of how likely each point of the grid is. */
struct grid {
	double log_weights[NR_DEVIATIONS][NR_DFS];
};

/* Variance of a side's value between its runs, of which there are two at least. */
static double between_variance(enum measure measure, const struct side *side,
			       const struct run_share *runs, const struct side_sum *sum)
{
	double value = sum->period / sum->units, squares = 0, nr = (double)side->nr_runs;

	for (size_t i = 0; i < side->nr_runs; i++) {
		double off = (double)runs[i].period - value * run_units(measure, &side->runs[i]);

		squares += off * off;
	}
	return nr / (nr - 1) * squares / (sum->units * sum->units);
}

/* The number of independent samples that a run of a side is worth, the sides being one run each. */
static double one_run_counts(enum measure measure, const struct side sides[2],
			     const struct run_share *const runs[2], const struct factor in_run[2])
{
	double counts = 0, nr = 0;

	for (int i = 0; i < 2; i++) {
		struct side_sum sum = side_sum(measure, &sides[i], runs[i]);
		double within = within_variance(measure, &sum, in_run[i].value);
		double value = sum.period / sum.units;

		if (!(within > 0))
			continue;
		counts += value * value / within;
		nr++;
	}
	return nr > 0 ? counts / nr : 0;
}

/* What a function shows between its runs. */
struct seen {
	struct factor factor; /* df 0: nothing */
	double counts;	      /* independent samples that a run is worth */
};

static struct seen seen_between(enum measure measure, const struct side sides[2],
				const struct run_share *const runs[2],
				const struct factor in_run[2])
{
	struct factor seen = {0};
	double sum_counts = 0, samples = 0;

	for (int i = 0; i < 2; i++) {
		struct side_sum sum = side_sum(measure, &sides[i], runs[i]);
		double within = within_variance(measure, &sum, in_run[i].value);
		double nr = (double)sum.nr_runs, value = sum.period / sum.units;

		if (sum.nr_runs < 2 || !(within > 0))
			continue;
		seen.value +=
			(nr - 1) * between_variance(measure, &sides[i], runs[i], &sum) / within;
		seen.df += nr - 1;
		sum_counts += (nr - 1) * value * value / within / nr;
		samples += sum.samples;
	}
	if (seen.df > 0) {
		sum_counts /= seen.df;
		seen.value /= seen.df;
		seen.df = 1 / (1 / seen.df + 1 / (2 * samples)); /* few samples say little */
	}
	return (struct seen){.factor = seen, .counts = sum_counts};
}

static double grid_deviation(size_t i)
{
	return i ? 0.001 * exp2((double)(i - 1) / 2) : 0;
}

/* Before anything is seen: half a Cauchy distribution of the deviation with the scale @expected
 * (Gelman 2006), each point for the deviations next to it; the degrees of freedom all alike. */
static void grid_start(struct grid *grid, double expected)
{
	for (size_t i = 0; i < NR_DEVIATIONS; i++) {
		double deviation = grid_deviation(i), by_scale = 0, width;

		width = i ? deviation * (exp2(0.25) - exp2(-0.25))
			  : grid_deviation(1) * exp2(-0.25);
		if (i)
			by_scale = deviation / expected;
		for (size_t k = 0; k < NR_DFS; k++)
			grid->log_weights[i][k] = log(width / (1 + by_scale * by_scale));
	}
}

/*
 * The part of the logarithm of the density of F with @df and 1 / @rate degrees of freedom that does
 * not depend on its value; for a @rate of 0 that of chi-squared / df.
 */
static double log_f_constant(double df, double rate)
{
	double other;

	if (rate <= 0)
		return df / 2 * log(df / 2) - lgamma(df / 2);
	other = 1 / rate;
	return lgamma((df + other) / 2) - lgamma(df / 2) - lgamma(other / 2) +
	       df / 2 * log(df * rate);
}

/* The part that does. */
static double log_f_variable(double value, double df, double rate)
{
	double power = (df / 2 - 1) * log(value);

	if (rate <= 0)
		return power - df * value / 2;
	return power - (df + 1 / rate) / 2 * log1p(df * value * rate);
}

/* How likely it is to see @seen, at each point: it is the point's factor times a value of F. */
static void grid_add(struct grid *grid, const struct seen *seen)
{
	double constants[NR_DFS], df = seen->factor.df;
	double value = fmax(seen->factor.value, 1e-6); /* of runs that are copies of each other */

	for (size_t k = 0; k < NR_DFS; k++)
		constants[k] = log_f_constant(df, rates[k]);
	for (size_t i = 0; i < NR_DEVIATIONS; i++) {
		double deviation = grid_deviation(i);
		double factor = 1 + deviation * deviation * seen->counts, log_factor = log(factor);

		for (size_t k = 0; k < NR_DFS; k++)
			grid->log_weights[i][k] += constants[k] +
						   log_f_variable(value / factor, df, rates[k]) -
						   log_factor;
	}
}

/* The mean of the grid: of deviations, and of 1 / df. */
static void grid_mean(const struct grid *grid, struct run_noise *noise)
{
	double most = -INFINITY, all = 0, deviation = 0, rate = 0;

	for (size_t i = 0; i < NR_DEVIATIONS; i++)
		for (size_t k = 0; k < NR_DFS; k++)
			most = fmax(most, grid->log_weights[i][k]);
	for (size_t i = 0; i < NR_DEVIATIONS; i++) {
		for (size_t k = 0; k < NR_DFS; k++) {
			double weight = exp(grid->log_weights[i][k] - most);

			all += weight;
			deviation += weight * grid_deviation(i);
			rate += weight * rates[k];
		}
	}
	noise->deviation = deviation / all;
	noise->df = all / rate; /* INFINITY, too */
}

void run_noise_make(struct run_noise *noise, double expected, enum measure measure,
		    const struct side sides[2], const struct comparison *functions, size_t nr,
		    double typical)
{
	struct grid grid;

	*noise = (struct run_noise){.deviation = expected};
	if (sides[0].nr_runs + sides[1].nr_runs == 2)
		return;
	noise->seen = true;
	grid_start(&grid, expected);
	for (size_t i = 0; i < nr; i++) {
		const struct run_share *runs[2] = {functions[i].old_runs, functions[i].new_runs};
		struct factor in_run[2];
		struct seen seen;

		for (int side = 0; side < 2; side++)
			in_run[side] = in_run_factor(typical, &sides[side], runs[side]);
		seen = seen_between(measure, sides, runs, in_run);
		if (seen.factor.df > 0 && 2 * seen.counts >= MIN_SAMPLES)
			grid_add(&grid, &seen);
	}
	grid_mean(&grid, noise);
}

struct factor run_noise_factor(const struct run_noise *noise, enum measure measure,
			       const struct side sides[2], const struct run_share *const runs[2],
			       const struct factor in_run[2], double in_run_df)
{
	double square = noise->deviation * noise->deviation;
	struct seen seen;

	if (!noise->seen)
		return (struct factor){
			.value = 1 + square * one_run_counts(measure, sides, runs, in_run),
			.df = in_run_df,
		};
	seen = seen_between(measure, sides, runs, in_run);
	return factor_drawn(seen.factor, (struct factor){
						 .value = 1 + square * seen.counts,
						 .df = 1 / (1 / noise->df + 1 / in_run_df),
					 });
}
