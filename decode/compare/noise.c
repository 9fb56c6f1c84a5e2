#include "decode/compare/noise.h"

#include <math.h>
#include <stdlib.h>

/* The relative deviation from run to run that is assumed where there is but one run a side. */
static const double unseen_spread = 0.01;

enum {
	MIN_SAMPLES = 50,  /* of a function that has a say in what is typical */
	IN_RUN_WEIGHT = 8, /* of the typical factors, in degrees of freedom */
	BETWEEN_WEIGHT = 4,
};

/* Of what a value of @measure is one in @run: percents of the period, seconds, runs. */
static double run_units(enum measure measure, const struct run_total *run)
{
	switch (measure) {
	case MEASURE_PERIOD:
		return 1;
	case MEASURE_RATE:
		return run->seconds;
	default:
		return (double)run->period / 100;
	}
}

struct side_sum side_sum(enum measure measure, const struct side *side,
			 const struct run_share *runs)
{
	struct side_sum sum = {.nr_runs = side->nr_runs};

	for (size_t i = 0; i < side->nr_runs; i++) {
		sum.samples += (double)runs[i].samples;
		sum.period += (double)runs[i].period;
		sum.all_samples += (double)side->runs[i].samples;
		sum.all_period += (double)side->runs[i].period;
		sum.units += run_units(measure, &side->runs[i]);
	}
	return sum;
}

/*
 * The plain variance of the part p that the period y has in Y, y being of x samples and Y of n: the
 * variances of y and of Y - y, each its square by its number of samples, in the derivative of p.
 * For samples of one size p (1 - p) / n.
 */
static double part_variance(double x, double y, double n, double all)
{
	double p = all > 0 ? y / all : 0, both = p * (1 - p);

	return x > 0 && n > x ? both * both * (1 / x + 1 / (n - x)) : 0;
}

/* The factor that the blocks of one run show; df 0 if they show none. */
static struct factor run_factor(const struct run_share *share, const struct run_total *total)
{
	double plain = part_variance((double)share->samples, (double)share->period,
				     (double)total->samples, (double)total->period);

	if (!(plain > 0) || !(share->noise > 0) || !(share->noise_df > 0))
		return (struct factor){0};
	return (struct factor){.value = share->noise / plain, .df = share->noise_df};
}

/* The mean factor that the blocks of all runs of a side show. */
static struct factor blocks_factor(const struct side *side, const struct run_share *runs)
{
	struct factor all = {0};

	for (size_t i = 0; i < side->nr_runs; i++) {
		struct factor one = run_factor(&runs[i], &side->runs[i]);

		all.value += one.value * one.df;
		all.df += one.df;
	}
	if (all.df > 0)
		all.value /= all.df;
	return all;
}

/* @own drawn towards a @typical value that counts as @weight degrees of freedom. */
static struct factor drawn(struct factor own, double typical, double weight)
{
	return (struct factor){
		.value = (own.df * own.value + weight * typical) / (own.df + weight),
		.df = own.df + weight,
	};
}

struct factor in_run_factor(const struct typical_noise *typical, const struct side *side,
			    const struct run_share *runs)
{
	if (typical->in_run <= 0)
		return (struct factor){.value = 1, .df = INFINITY};
	/* That there is less noise than plain must be seen of the function itself. */
	return drawn(blocks_factor(side, runs), fmax(typical->in_run, 1), IN_RUN_WEIGHT);
}

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

/* Variance of a side's value if each run had but the noise that is seen inside of it. */
static double within_variance(enum measure measure, const struct side_sum *sum, double factor)
{
	double value = sum->period / sum->units;

	if (measure == MEASURE_SHARE)
		return factor * 1e4 *
		       part_variance(sum->samples, sum->period, sum->all_samples, sum->all_period);
	return sum->samples > 0 ? factor * value * value / sum->samples : 0;
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

/* What is seen between runs by what is seen within them; @counts becomes the number of independent
 * samples that a run is worth. */
static struct factor seen_between(enum measure measure, const struct side sides[2],
				  const struct run_share *const runs[2],
				  const struct factor in_run[2], double *counts)
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
		*counts = sum_counts / seen.df;
		seen.value /= seen.df;
		seen.df = 1 / (1 / seen.df + 1 / (2 * samples)); /* few samples say little */
	}
	return seen;
}

struct factor between_factor(const struct typical_noise *typical, enum measure measure,
			     const struct side sides[2], const struct run_share *const runs[2],
			     const struct factor in_run[2])
{
	double counts = 0;
	struct factor seen;

	if (typical->runs_df <= 0)
		return (struct factor){
			.value = 1 + unseen_spread * unseen_spread *
					     one_run_counts(measure, sides, runs, in_run),
			.df = INFINITY,
		};
	seen = seen_between(measure, sides, runs, in_run, &counts);
	return drawn(seen, 1 + typical->spread * counts, BETWEEN_WEIGHT);
}

static int compare_factors(const void *a, const void *b)
{
	double x = ((const struct factor *)a)->value, y = ((const struct factor *)b)->value;

	return x < y ? -1 : x > y;
}

/* The median of @list, each value weighing as much as its df; 0 of none. Sorts the list. */
static double weighted_median(struct factor *list, size_t nr)
{
	double all = 0, upto = 0;

	if (nr == 0)
		return 0;
	qsort(list, nr, sizeof(*list), compare_factors);
	for (size_t i = 0; i < nr; i++)
		all += list[i].df;
	for (size_t i = 0; i < nr; i++) {
		upto += list[i].df;
		if (upto >= all / 2)
			return list[i].value;
	}
	return list[nr - 1].value;
}

/* The typical factor of noise in a run; @list has room for two factors of each function. */
static double typical_in_run(const struct side sides[2], const struct comparison *functions,
			     size_t nr, struct factor *list)
{
	size_t nr_list = 0;

	for (size_t i = 0; i < nr; i++) {
		struct factor old_side = blocks_factor(&sides[0], functions[i].old_runs);
		struct factor new_side = blocks_factor(&sides[1], functions[i].new_runs);

		if (old_side.df > 0)
			list[nr_list++] = old_side;
		if (new_side.df > 0)
			list[nr_list++] = new_side;
	}
	return weighted_median(list, nr_list);
}

/*
 * The typical noise between runs: as much as within them, and a relative deviation on top, which is
 * the larger a part the more samples there are. Such that half of the functions lie above the
 * median that chance alone gives; that there is less noise than within runs is not typical of any,
 * but must be seen of the function itself.
 */
static void typical_between(struct typical_noise *typical, enum measure measure,
			    const struct side sides[2], const struct comparison *functions,
			    size_t nr, struct factor *list)
{
	double df = typical->runs_df, chance = pow(1 - 2 / (9 * df), 3); /* of chi-squared / df */
	size_t nr_list = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct run_share *runs[2] = {functions[i].old_runs, functions[i].new_runs};
		struct factor in_run[2], seen;
		double counts = 0;

		for (int side = 0; side < 2; side++)
			in_run[side] = in_run_factor(typical, &sides[side], runs[side]);
		seen = seen_between(measure, sides, runs, in_run, &counts);
		if (seen.df <= 0 || 2 * counts < MIN_SAMPLES)
			continue;
		list[nr_list++] =
			(struct factor){.value = (seen.value / chance - 1) / counts, .df = 1};
	}
	typical->spread = fmax(weighted_median(list, nr_list), 0);
}

int typical_noise(struct typical_noise *typical, enum measure measure, const struct side sides[2],
		  const struct comparison *functions, size_t nr, struct error *err)
{
	struct factor *list = calloc(nr + 1, 2 * sizeof(*list));

	if (!list)
		return error_nomem(err, "judging noise");
	*typical = (struct typical_noise){
		.in_run = typical_in_run(sides, functions, nr, list),
		.runs_df = (double)(sides[0].nr_runs + sides[1].nr_runs - 2),
	};
	if (typical->runs_df > 0)
		typical_between(typical, measure, sides, functions, nr, list);
	free(list);
	return 0;
}
