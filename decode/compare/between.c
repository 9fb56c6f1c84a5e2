#include "decode/compare/between.h"

/* What the period of a run is held against: the run's units, or all other functions of it. */
static double run_base(enum measure measure, const struct run_total *total,
		       const struct run_share *share, bool against_others)
{
	return against_others ? (double)(total->period - share->period) : run_units(measure, total);
}

/* Variance of a side's value between its runs, of which there are two at least. */
static double between_variance(enum measure measure, const struct side *side,
			       const struct run_share *runs, const struct side_sum *sum,
			       bool against_others)
{
	double bases = 0, squares = 0, nr = (double)side->nr_runs;

	for (size_t i = 0; i < side->nr_runs; i++)
		bases += run_base(measure, &side->runs[i], &runs[i], against_others);
	for (size_t i = 0; bases > 0 && i < side->nr_runs; i++) {
		double base = run_base(measure, &side->runs[i], &runs[i], against_others);
		double off = (double)runs[i].period - sum->period * base / bases;

		squares += off * off;
	}
	return nr / (nr - 1) * squares / (sum->units * sum->units);
}

/* The number of independent samples that all runs of a side are worth; 0: of none. */
static double counts_of(const struct side_sum *sum, double within)
{
	double value = sum->period / sum->units;

	return within > 0 ? value * value / within : 0;
}

struct mixture_seen between_runs(enum measure measure, const struct side sides[2],
				 const struct run_share *const runs[2],
				 const struct factor in_run[2], bool against_others)
{
	struct mixture_seen seen = {0};
	double one_run = 0, nr_one_run = 0, freedom = 0;

	for (int i = 0; i < 2; i++) {
		struct side_sum sum = side_sum(measure, &sides[i], runs[i]);
		double within = within_variance(measure, &sum, in_run[i].value);
		double others = (double)sum.nr_runs - 1;

		if (!(within > 0))
			continue;
		one_run += counts_of(&sum, within);
		nr_one_run++;
		if (others < 1)
			continue;
		seen.factor += others *
			       between_variance(measure, &sides[i], runs[i], &sum, against_others) /
			       within;
		seen.counts += others * counts_of(&sum, within) / (others + 1);
		seen.samples += sum.samples;
		freedom += others;
	}
	if (freedom > 0) {
		seen.factor /= freedom;
		seen.counts /= freedom;
		seen.df = 1 / (1 / freedom + 1 / (2 * seen.samples)); /* few samples say little */
	} else if (nr_one_run > 0) {
		seen.counts = one_run / nr_one_run;
	}
	return seen;
}
