#include "decode/compare/judge/total.h"

#include "decode/compare/judge/stats.h"
#include "decode/compare/judge/verdict.h"

#include <math.h>

static const double alpha = 0.05;

/* One side, summed over the logarithms of its runs' values. */
struct total_side {
	double value;	/* all periods divided by the runs or seconds */
	double squares; /* sum of the squared distances of the logarithms from their mean */
	double samples; /* mean number of samples in a run */
	double nr;
	bool known; /* every run has a value above 0 */
};

static double units_of(bool per_second, const struct run_total *run)
{
	return per_second ? run->seconds : 1;
}

static double log_value(bool per_second, const struct run_total *run)
{
	return log((double)run->period / units_of(per_second, run));
}

static struct total_side sum_up(bool per_second, const struct side *side)
{
	struct total_side total = {.nr = (double)side->nr_runs, .known = true};
	double period = 0, units = 0, logs = 0;

	for (size_t i = 0; i < side->nr_runs; i++) {
		const struct run_total *run = &side->runs[i];

		period += (double)run->period;
		units += units_of(per_second, run);
		total.samples += (double)run->samples / total.nr;
		total.known &= run->period > 0 && units_of(per_second, run) > 0;
	}
	total.value = units > 0 ? period / units : 0;
	if (!total.known)
		return total;
	for (size_t i = 0; i < side->nr_runs; i++)
		logs += log_value(per_second, &side->runs[i]);
	for (size_t i = 0; i < side->nr_runs; i++) {
		double off = log_value(per_second, &side->runs[i]) - logs / total.nr;

		total.squares += off * off;
	}
	return total;
}

/* Converts a ratio's logarithm to a change in percent. */
static double as_percent(double log_ratio)
{
	return 100 * expm1(log_ratio);
}

/* Sets the interval and the p value from the variance of both sides. */
static void judge(struct total_change *change, const struct total_side *a,
		  const struct total_side *b)
{
	const double df = a->nr + b->nr - 2, ratio = log(b->value / a->value);
	/* the accuracy of a value is limited to one of its samples */
	const double one = 2 / (a->samples + b->samples);
	const double deviation =
		sqrt(fmax((a->squares + b->squares) / df, one * one) * (1 / a->nr + 1 / b->nr));
	const double half = stats_t_quantile(alpha / 2, df) * deviation;

	change->low = as_percent(ratio - half);
	change->high = as_percent(ratio + half);
	change->p_value = fmin(2 * stats_t_tail(fabs(ratio) / deviation, df), 1);
}

static enum verdict verdict_of(const struct total_change *change)
{
	const double matters = 100 * VERDICT_MATTERS_TOTAL;

	if (change->p_value < alpha)
		return change->percent > 0 ? VERDICT_MORE : VERDICT_LESS;
	return change->low <= -matters || change->high >= matters ? VERDICT_UNSURE : VERDICT_SAME;
}

struct total_change total_compare(enum measure measure, double run_deviation,
				  const struct side *old_side, const struct side *new_side)
{
	const bool per_second = measure == MEASURE_RATE;
	const struct total_side a = sum_up(per_second, old_side), b = sum_up(per_second, new_side);
	struct total_change change = {
		.per_second = per_second,
		.old_value = a.value,
		.new_value = b.value,
		.percent = a.value > 0 ? 100 * (b.value / a.value - 1) : INFINITY,
		.low = -INFINITY,
		.high = INFINITY,
		.p_value = 1,
		.verdict = VERDICT_UNSURE,
	};

	if (a.nr + b.nr == 2) {
		/* From the prior in mixture.c: Student's t with 3 degrees of freedom. */
		change.expected =
			as_percent(stats_t_quantile(alpha / 2, 3) * sqrt(2) * run_deviation);
		return change;
	}
	if (a.known && b.known && a.samples + b.samples > 0) {
		judge(&change, &a, &b);
		change.verdict = verdict_of(&change);
	}
	return change;
}
