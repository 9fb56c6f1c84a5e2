#include "decode/compare/judge/noise.h"

#include <math.h>
#include <stdlib.h>

enum { TYPICAL_WEIGHT = 8 }; /* weight of the typical factor, in degrees of freedom */

/*
 * The plain variance of p, the part that the period y of x samples is of the period Y of n samples:
 * the variances of y and of Y - y, each its square divided by its number of samples, propagated
 * through the derivative of p. For samples of one size it is p (1 - p) / n.
 */
static double part_variance(double x, double y, double n, double all)
{
	double p = all > 0 ? y / all : 0, both = p * (1 - p);

	return x > 0 && n > x ? both * both * (1 / x + 1 / (n - x)) : 0;
}

/* The factor that the slices of one run show; df is 0 if it is unknown. */
static struct noise_factor run_factor(const struct run_share *share, const struct run_total *total)
{
	double plain = part_variance((double)share->samples, (double)share->period,
				     (double)total->samples, (double)total->period);

	if (!(plain > 0) || !(share->noise > 0) || !(share->noise_df > 0))
		return (struct noise_factor){0};
	return (struct noise_factor){.value = share->noise / plain, .df = share->noise_df};
}

/* The mean factor that the slices of all runs of a side show. */
static struct noise_factor blocks_factor(const struct side *side, const struct run_share *runs)
{
	struct noise_factor all = {0};

	for (size_t i = 0; i < side->nr_runs; i++) {
		struct noise_factor one = run_factor(&runs[i], &side->runs[i]);

		all.value += one.value * one.df;
		all.df += one.df;
	}
	if (all.df > 0)
		all.value /= all.df;
	return all;
}

/* The mean of @own and @typical, weighted by their degrees of freedom. */
static struct noise_factor draw(struct noise_factor own, struct noise_factor typical)
{
	return (struct noise_factor){
		.value = (own.df * own.value + typical.df * typical.value) / (own.df + typical.df),
		.df = own.df + typical.df,
	};
}

struct noise_factor noise_in_run(double typical, const struct side *side,
				 const struct run_share *runs)
{
	if (typical <= 0)
		return (struct noise_factor){.value = 1, .df = INFINITY};
	/* Only the function's own slices can show that it has less noise than plain. */
	return draw(blocks_factor(side, runs),
		    (struct noise_factor){.value = fmax(typical, 1), .df = TYPICAL_WEIGHT});
}

double noise_variance(enum measure measure, const struct side_sum *sum,
		      const struct side_total *total, double factor)
{
	double value = sum->period / total->units;

	if (measure == MEASURE_SHARE)
		return factor * 1e4 *
		       part_variance(sum->samples, sum->period, total->samples, total->period);
	return sum->samples > 0 ? factor * value * value / sum->samples : 0;
}

static int compare_factors(const void *a, const void *b)
{
	double x = ((const struct noise_factor *)a)->value,
	       y = ((const struct noise_factor *)b)->value;

	return x < y ? -1 : x > y;
}

/* The median of the @nr elements of @list, weighted by df; 0 if it is empty. Sorts the list. */
static double weighted_median(struct noise_factor *list, size_t nr)
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

int noise_typical(double *typical, const struct side sides[2], const struct comparison *functions,
		  size_t nr, struct error *err)
{
	struct noise_factor *list = calloc(nr + 1, 2 * sizeof(*list));
	size_t nr_list = 0;

	if (!list)
		return error_nomem(err, "judging noise");
	for (size_t i = 0; i < nr; i++) {
		struct noise_factor old_side = blocks_factor(&sides[0], functions[i].old_runs);
		struct noise_factor new_side = blocks_factor(&sides[1], functions[i].new_runs);

		if (old_side.df > 0)
			list[nr_list++] = old_side;
		if (new_side.df > 0)
			list[nr_list++] = new_side;
	}
	*typical = weighted_median(list, nr_list);
	free(list);
	return 0;
}
