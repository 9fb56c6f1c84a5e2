#include "decode/compare/judge/between.h"

/* The divisor of a run's period: the run's units, or the period of all its other functions. */
static double run_base(enum measure measure, const struct run_total *total,
		       const struct run_share *share, bool against_others)
{
	return against_others ? (double)(total->period - share->period)
			      : values_units(measure, total);
}

/* Variance of the value of side @i between its runs, of which there must be two or more. */
static double between_variance(const struct compared_event *event, int i,
			       const struct run_share *runs, const struct side_sum *sum,
			       bool against_others)
{
	const struct side *side = &event->sides[i];
	const double units = event->totals[i].units, nr = (double)side->nr_runs;
	double bases = 0, squares = 0;

	for (size_t k = 0; k < side->nr_runs; k++)
		bases += run_base(event->measure, &side->runs[k], &runs[k], against_others);
	for (size_t k = 0; bases > 0 && k < side->nr_runs; k++) {
		double base = run_base(event->measure, &side->runs[k], &runs[k], against_others);
		double off = (double)runs[k].period - sum->period * base / bases;

		squares += off * off;
	}
	return nr / (nr - 1) * squares / (units * units);
}

struct mixture_seen between_runs(const struct compared_event *event,
				 const struct run_share *const runs[2],
				 const struct side_sum sums[2], const struct noise_factor in_run[2],
				 bool against_others)
{
	struct mixture_seen seen = {0};
	double one_run = 0, nr_one_run = 0, freedom = 0;

	for (int i = 0; i < 2; i++) {
		const double within = noise_variance(event->measure, &sums[i], &event->totals[i],
						     in_run[i].value);
		const double value = sums[i].period / event->totals[i].units;
		const double others = (double)event->sides[i].nr_runs - 1;
		/* number of independent samples that all runs of the side are equivalent to */
		double counts;

		if (!(within > 0))
			continue;
		counts = value * value / within;
		one_run += counts;
		nr_one_run++;
		if (others < 1)
			continue;
		seen.factor += others *
			       between_variance(event, i, runs[i], &sums[i], against_others) /
			       within;
		seen.counts += others * counts / (others + 1);
		seen.samples += sums[i].samples;
		freedom += others;
	}
	if (freedom > 0) {
		seen.factor /= freedom;
		seen.counts /= freedom;
		/* few samples are weak evidence, so df is reduced */
		seen.df = 1 / (1 / freedom + 1 / (2 * seen.samples));
	} else if (nr_one_run > 0) {
		seen.counts = one_run / nr_one_run;
	}
	return seen;
}
