#include "decode/compare/ratios.h"

#include "decode/compare/judge/adjust.h"
#include "decode/compare/judge/stats.h"
#include "decode/compare/judge/verdict.h"
#include "decode/metric.h"
#include "util/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MIN = 20 };

/* How much more the kernel varies from run to run, as for functions. */
enum { KERNEL_FACTOR = 10 };

/* Half of the width of a 95 % interval, in standard deviations. */
#define DEVIATIONS 1.96

static int compare_functions(const void *left, const void *right)
{
	const struct diff_row *a = *(const struct diff_row *const *)left;
	const struct diff_row *b = *(const struct diff_row *const *)right;
	int order = strcmp(a->function, b->function);

	if (order == 0)
		order = strcmp(a->binary, b->binary);
	return order ? order : strcmp(a->filename, b->filename);
}

/* The rows of an event by function; the caller frees them. NULL if memory is out. */
static const struct diff_row **sort_rows(const struct diff_event *event)
{
	const struct diff_row **sorted = calloc(event->nr_rows + 1, sizeof(*sorted));

	for (size_t i = 0; sorted && i < event->nr_rows; i++)
		sorted[i] = &event->rows[i];
	if (sorted)
		qsort(sorted, event->nr_rows, sizeof(*sorted), compare_functions);
	return sorted;
}

static uint64_t least(const struct tally *above, const struct tally *below)
{
	return above->samples < below->samples ? above->samples : below->samples;
}

static double ratio_of(double factor, const struct tally *above, const struct tally *below)
{
	return factor * (double)above->period / (double)below->period;
}

/* Sets the change of @ratio, its interval and its p value, on a logarithmic scale. */
static void judge(struct diff_ratio *ratio, const struct diff *diff, const struct diff_row *above,
		  const struct diff_row *below)
{
	const double run = diff->run_deviation * (above->kernel ? KERNEL_FACTOR : 1);
	const double runs = 1 / (double)diff->nr_old + 1 / (double)(diff->nr_runs - diff->nr_old);
	const double variance = 1 / (double)above->old_sum.samples +
				1 / (double)below->old_sum.samples +
				1 / (double)above->new_sum.samples +
				1 / (double)below->new_sum.samples + run * run * runs;
	const double change = log(ratio->new_value / ratio->old_value);

	ratio->change = exp(change);
	ratio->low = exp(change - DEVIATIONS * sqrt(variance));
	ratio->high = exp(change + DEVIATIONS * sqrt(variance));
	ratio->p_value = 2 * stats_normal_tail(fabs(change) / sqrt(variance));
}

static struct diff_ratio make_row(const struct diff *diff, const struct metric_formula *formula,
				  const struct diff_row *above, const struct diff_row *below)
{
	struct diff_ratio ratio = {
		.metric = formula->name,
		.unit = formula->unit,
		.above = above,
		.below = below,
		.old_samples = least(&above->old_sum, &below->old_sum),
		.new_samples = least(&above->new_sum, &below->new_sum),
		.p_value = 1,
		.q_value = 1,
		.verdict = VERDICT_UNSURE,
	};

	ratio.has_old =
		ratio.old_samples >= SAMPLES_MIN && above->old_sum.period && below->old_sum.period;
	ratio.has_new =
		ratio.new_samples >= SAMPLES_MIN && above->new_sum.period && below->new_sum.period;
	if (ratio.has_old)
		ratio.old_value = ratio_of(formula->factor, &above->old_sum, &below->old_sum);
	if (ratio.has_new)
		ratio.new_value = ratio_of(formula->factor, &above->new_sum, &below->new_sum);
	if (ratio.has_old && ratio.has_new)
		judge(&ratio, diff, above, below);
	return ratio;
}

/* Adds the ratios of the functions that both events have. Returns false if memory is out. */
static bool add_rows(struct diff *diff, const struct metric_formula *formula,
		     const struct diff_event *above, const struct diff_event *below)
{
	const struct diff_row **sorted = sort_rows(above);
	bool ok = sorted;

	for (size_t i = 0; ok && i < below->nr_rows; i++) {
		const struct diff_row *row = &below->rows[i];
		const struct diff_row *const *found =
			bsearch(&row, sorted, above->nr_rows, sizeof(*sorted), compare_functions);

		if (!found)
			continue;
		ok = array_grow(diff->ratios, diff->ratios_room, diff->nr_ratios + 1);
		if (ok)
			diff->ratios[diff->nr_ratios++] = make_row(diff, formula, *found, row);
	}
	free(sorted);
	return ok;
}

static int compare_ratios(const void *left, const void *right)
{
	const struct diff_ratio *a = left, *b = right;
	const uint64_t period = a->below->old_sum.period, other = b->below->old_sum.period;

	if (period != other)
		return period > other ? -1 : 1;
	return compare_functions(&a->below, &b->below);
}

/* Sets the verdicts of the @nr @ratios of one metric, of which those that could tell count. */
static int judge_all(struct diff_ratio *ratios, size_t nr, struct error *err)
{
	struct adjusted *tests = calloc(nr + 1, sizeof(*tests));
	int rc;

	if (!tests)
		return error_nomem(err, "comparing runs");
	for (size_t i = 0; i < nr; i++)
		tests[i] = (struct adjusted){ratios[i].p_value, 1,
					     ratios[i].has_old && ratios[i].has_new};
	rc = adjust_tests(tests, nr, err);
	for (size_t i = 0; rc == 0 && i < nr; i++) {
		struct diff_ratio *ratio = &ratios[i];

		if (!tests[i].can_show)
			continue;
		ratio->q_value = tests[i].q_value;
		if (ratio->q_value < 0.05)
			ratio->verdict = ratio->change > 1 ? VERDICT_MORE : VERDICT_LESS;
		else if (ratio->low > 1 - VERDICT_MATTERS_FUNCTION &&
			 ratio->high < 1 + VERDICT_MATTERS_FUNCTION)
			ratio->verdict = VERDICT_SAME;
	}
	free(tests);
	return rc;
}

static int make_formula(struct diff *diff, const struct metric_formula *formula, struct error *err)
{
	for (size_t i = 0; i < diff->nr_events; i++) {
		const struct diff_event *above = &diff->events[i], *below = NULL;
		const size_t first = diff->nr_ratios;

		if (metric_role_of_name(above->name) != formula->above)
			continue;
		for (size_t j = 0; j < diff->nr_events && !below; j++)
			if (metric_role_of_name(diff->events[j].name) == formula->below &&
			    metric_names_fit(above->name, diff->events[j].name))
				below = &diff->events[j];
		if (!below)
			continue;
		if (!add_rows(diff, formula, above, below))
			return error_nomem(err, "comparing runs");
		if (diff->nr_ratios == first)
			continue;
		qsort(diff->ratios + first, diff->nr_ratios - first, sizeof(*diff->ratios),
		      compare_ratios);
		if (judge_all(diff->ratios + first, diff->nr_ratios - first, err) < 0)
			return -1;
	}
	return 0;
}

int ratios_make(struct diff *diff, struct error *err)
{
	for (size_t i = 0; i < METRIC_FORMULAS; i++)
		if (make_formula(diff, &metric_formulas[i], err) < 0)
			return -1;
	return 0;
}
