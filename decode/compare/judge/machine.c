#include "decode/compare/judge/machine.h"

#include "decode/compare/judge/stats.h"

#include <math.h>
#include <stdlib.h>

/*
 * Functions vary together if the variance of the total is more than this many times the sum of
 * their own variances. If they were independent, the two would be equal.
 */
static const double together = 2;

/* A common change that is less likely than this by chance is attributed to the program. */
static const double chance = 0.001;

/* So is a common change by more than this ratio. */
static const double most_ratio = 2;

/* The ratio of most functions leaves out this part of the period at either end, by ratio. */
static const double trimmed = 0.25;

struct machine_rank {
	double ratio;
	double values[2]; /* values of this function: old, new */
	double upto[2];	  /* sums of the values of all ranks before it */
	size_t number;
};

/* The value of @run, per unit of @measure. */
static double run_value(enum measure measure, const struct run_total *run, uint64_t period)
{
	double units = values_units(measure, run);

	return units > 0 ? (double)period / units : 0;
}

/* Variance over the runs of both sides: of the function with @shares, or if NULL of the total. */
static double variance_of_all(enum measure measure, const struct side sides[2],
			      const struct run_share *const shares[2])
{
	double sum = 0, squares = 0, nr = 0, mean;

	for (int pass = 0; pass < 2; pass++) {
		mean = nr > 0 ? sum / nr : 0;
		for (int i = 0; i < 2; i++) {
			for (size_t run = 0; run < sides[i].nr_runs; run++) {
				const struct run_total *total = &sides[i].runs[run];
				double value =
					run_value(measure, total,
						  shares ? shares[i][run].period : total->period);

				sum += pass ? 0 : value;
				nr += !pass;
				squares += pass ? (value - mean) * (value - mean) : 0;
			}
		}
	}
	return squares / (nr - 1);
}

static bool change_together(enum measure measure, const struct side sides[2],
			    const struct comparison *functions, size_t nr)
{
	double each = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct run_share *const shares[2] = {functions[i].old_runs,
							   functions[i].new_runs};

		each += variance_of_all(measure, sides, shares);
	}
	return variance_of_all(measure, sides, NULL) > together * each;
}

static int compare_ratios(const void *a, const void *b)
{
	const struct machine_rank *x = a, *y = b;

	if (x->ratio != y->ratio)
		return x->ratio < y->ratio ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static void rank_functions(struct machine_effect *machine, const struct compared_event *event,
			   const struct side_sum (*sums)[2])
{
	double upto[2] = {0};

	for (size_t i = 0; i < machine->nr; i++) {
		struct machine_rank *rank = &machine->ranks[i];

		rank->number = i;
		for (int k = 0; k < 2; k++)
			rank->values[k] = values_mean(&sums[i][k], &event->totals[k]);
		rank->ratio = rank->values[0] > 0 ? rank->values[1] / rank->values[0] : INFINITY;
	}
	qsort(machine->ranks, machine->nr, sizeof(*machine->ranks), compare_ratios);
	for (size_t i = 0; i < machine->nr; i++) {
		struct machine_rank *rank = &machine->ranks[i];

		machine->rank_of[rank->number] = i;
		for (int k = 0; k < 2; k++) {
			rank->upto[k] = upto[k];
			upto[k] += rank->values[k];
		}
	}
	for (int k = 0; k < 2; k++)
		machine->ranks[machine->nr].upto[k] = upto[k];
}

/* Sum of both sides' values of the ranks before @i, except rank @but. */
static double weight_upto(const struct machine_effect *machine, size_t i, size_t but)
{
	double weight = machine->ranks[i].upto[0] + machine->ranks[i].upto[1];

	if (but < i)
		weight -= machine->ranks[but].values[0] + machine->ranks[but].values[1];
	return weight;
}

/* The first rank at which the sum of values exceeds @weight; rank @but is left out. */
static size_t rank_at(const struct machine_effect *machine, double weight, size_t but)
{
	size_t low = 0, high = machine->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (weight_upto(machine, middle + 1, but) > weight)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The ratio by which most functions have changed. @but: a rank to leave out, or nr for none. */
static double common_ratio(const struct machine_effect *machine, size_t but)
{
	double all = weight_upto(machine, machine->nr, but), values[2];
	size_t first = rank_at(machine, trimmed * all, but);
	size_t last = rank_at(machine, (1 - trimmed) * all, but);

	if (!(all > 0) || first >= machine->nr)
		return 1;
	last = last < machine->nr ? last : machine->nr - 1;
	for (int k = 0; k < 2; k++) {
		values[k] = machine->ranks[last + 1].upto[k] - machine->ranks[first].upto[k];
		if (but >= first && but <= last)
			values[k] -= machine->ranks[but].values[k];
	}
	return values[0] > 0 && values[1] > 0 ? values[1] / values[0] : 1;
}

/*
 * Whether chance can explain @ratio between the sides, given how much the totals of runs vary
 * within a side: Student's t test of log @ratio by the totals' relative deviations.
 */
static bool may_be_chance(enum measure measure, const struct side sides[2], double ratio)
{
	double squares = 0, df = 0, parts = 0;

	for (int i = 0; i < 2; i++) {
		double sum = 0, nr = (double)sides[i].nr_runs;

		for (size_t run = 0; run < sides[i].nr_runs; run++)
			sum += run_value(measure, &sides[i].runs[run], sides[i].runs[run].period);
		for (size_t run = 0; run < sides[i].nr_runs; run++) {
			double off =
				run_value(measure, &sides[i].runs[run], sides[i].runs[run].period) *
					nr / sum -
				1;

			squares += off * off;
		}
		df += nr - 1;
		parts += 1 / nr;
	}
	if (fabs(log(ratio)) > log(most_ratio))
		return false;
	if (df == 0)
		return true;
	return 2 * stats_t_tail(fabs(log(ratio)) / sqrt(squares / df * parts), df) >= chance;
}

int machine_make(struct machine_effect *machine, const struct compared_event *event,
		 const struct comparison *functions, const struct side_sum (*sums)[2], size_t nr,
		 struct error *err)
{
	const enum measure measure = event->measure;

	machine->nr = nr;
	machine->ranks = calloc(nr + 1, sizeof(*machine->ranks));
	machine->rank_of = calloc(nr + 1, sizeof(*machine->rank_of));
	if (!machine->ranks || !machine->rank_of)
		return error_nomem(err, "comparing functions");
	if (measure == MEASURE_SHARE || !change_together(measure, event->sides, functions, nr))
		return 0;
	rank_functions(machine, event, sums);
	machine->explains = may_be_chance(measure, event->sides, common_ratio(machine, nr));
	return 0;
}

double machine_ratio(const struct machine_effect *machine, size_t number)
{
	double ratio;

	if (!machine->explains)
		return 1;
	ratio = common_ratio(machine, machine->rank_of[number]);
	return fmin(fmax(ratio, 1 / most_ratio), most_ratio);
}

void machine_free(struct machine_effect *machine)
{
	free(machine->ranks);
	free(machine->rank_of);
	*machine = (struct machine_effect){0};
}
