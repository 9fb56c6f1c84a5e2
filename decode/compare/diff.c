#include "decode/compare/diff.h"

#include "decode/compare/diffpaths.h"
#include "decode/compare/match/match.h"
#include "decode/compare/names/name.h"
#include "decode/compare/ratios.h"
#include "decode/compare/remarks/remarks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int nomem(struct error *err)
{
	return error_nomem(err, "comparing runs");
}

static struct tally sum_shares(const struct run_share *runs, size_t nr)
{
	struct tally sum = {0};

	for (size_t i = 0; i < nr; i++)
		profile_tally_add(&sum, &(struct tally){runs[i].samples, runs[i].period});
	return sum;
}

static struct tally sum_totals(const struct run_total *runs, size_t nr)
{
	struct tally sum = {0};

	for (size_t i = 0; i < nr; i++)
		profile_tally_add(&sum, &(struct tally){runs[i].samples, runs[i].period});
	return sum;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

/* 1 % of the old side's total, in the unit of @measure. */
static double old_percent_unit(enum measure measure, const struct side *side)
{
	double period = 0, seconds = 0;

	for (size_t i = 0; i < side->nr_runs; i++) {
		period += (double)side->runs[i].period;
		seconds += side->runs[i].seconds;
	}
	if (measure == MEASURE_SHARE)
		return 1;
	return period / 100 / (measure == MEASURE_RATE ? seconds : (double)side->nr_runs);
}

/* @value in units of @unit; INFINITY if the old side has nothing, so that @unit is 0. */
static double in_units(double value, double unit)
{
	return unit > 0 ? value / unit : INFINITY;
}

static void fill_row(struct diff_row *row, const struct diff *diff, const struct diff_event *event,
		     const struct comparison *judged, double unit)
{
	const struct change *change = &judged->change;

	row->measure = diff->measure;
	row->is_time = event->is_time;
	row->old_sum = sum_shares(judged->old_runs, diff->nr_old);
	row->new_sum = sum_shares(judged->new_runs, diff->nr_runs - diff->nr_old);
	row->old_percent = percent(row->old_sum.period, event->total[0].period);
	row->new_percent = percent(row->new_sum.period, event->total[1].period);
	if (diff->measure == MEASURE_SHARE) {
		row->old_percent = change->old_value;
		row->new_percent = change->new_value;
	}
	row->old_value = change->old_value;
	row->new_value = change->new_value;
	row->delta = change->delta;
	row->low = change->ci_low;
	row->high = change->ci_high;
	row->delta_percent = in_units(change->delta, unit);
	row->ci_low = in_units(change->ci_low, unit);
	row->ci_high = in_units(change->ci_high, unit);
	row->ratio = change->ratio;
	row->p_value = change->p_value;
	row->q_value = change->q_value;
	row->within_q = change->within_q;
	row->verdict = change->verdict;
}

static void name_row(struct diff_row *row, const struct matched_function *function,
		     const struct matched_event *event)
{
	row->event = event->name;
	row->function = function->function;
	row->filename = function->filename;
	row->line = function->line;
	row->kernel = function->kernel;
	row->binary = function->binary;
	row->matched = function;
	row->shares = function->shares;
	row->totals = event->totals;
}

static int compare_rows(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;
	double left = fabs(x->delta_percent), right = fabs(y->delta_percent);
	int order;

	if (left != right)
		return left > right ? -1 : 1;
	if ((order = strcmp(x->function, y->function)) != 0)
		return order;
	if ((order = strcmp(x->binary, y->binary)) != 0)
		return order;
	return strcmp(x->filename, y->filename);
}

static void sum_up(struct diff_event *event)
{
	for (size_t i = 0; i < event->nr_rows; i++) {
		const struct diff_row *row = &event->rows[i];
		double *sums = row->verdict == VERDICT_UNSURE ? event->unsure : event->same;

		event->nr_changed += verdict_is_change(row->verdict);
		event->nr_unsure += row->verdict == VERDICT_UNSURE;
		if (verdict_is_change(row->verdict))
			continue;
		event->nr_within += row->within_q < 0.05;
		sums[0] += row->old_value;
		sums[1] += row->new_value;
	}
}

/* Judges the functions of @event. Names and shares of the @nr @rows are already set. */
static int judge(struct diff *diff, struct diff_event *event, const struct run_total *totals,
		 struct diff_row *rows, size_t nr, struct error *err)
{
	const struct side old_side = {totals, diff->nr_old};
	const struct side new_side = {totals + diff->nr_old, diff->nr_runs - diff->nr_old};
	struct comparison *judged = calloc(nr + 1, sizeof(*judged));
	double unit = old_percent_unit(diff->measure, &old_side);
	int rc;

	if (!judged)
		return nomem(err);
	event->total[0] = sum_totals(old_side.runs, old_side.nr_runs);
	event->total[1] = sum_totals(new_side.runs, new_side.nr_runs);
	event->is_time = name_is_time(event->name);
	event->change = total_compare(diff->measure, diff->run_deviation, &old_side, &new_side);
	for (size_t i = 0; i < nr; i++) {
		judged[i].kernel = rows[i].kernel;
		judged[i].old_runs = rows[i].shares;
		judged[i].new_runs = rows[i].shares + diff->nr_old;
	}
	rc = verdict_judge(diff->measure, diff->run_deviation, &old_side, &new_side, judged, nr,
			   err);
	for (size_t i = 0; rc == 0 && i < nr; i++)
		fill_row(&rows[i], diff, event, &judged[i], unit);
	free(judged);
	event->rows = rows;
	event->nr_rows = nr;
	return rc;
}

static bool has_samples(const struct diff *diff, const struct matched_function *function)
{
	return sum_shares(function->shares, diff->nr_runs).samples > 0;
}

/*
 * Makes the rows of event @number from its functions that have samples. *@at is the index of its
 * first function and is moved past its last one.
 */
static int make_event(struct diff *diff, size_t number, size_t *at, struct error *err)
{
	const struct match *match = &diff->match;
	struct diff_event *event = &diff->events[number];
	struct diff_row *rows = diff->rows + diff->nr_rows;
	size_t nr = 0;

	event->name = match->events[number].name;
	for (; *at < match->nr_functions && match->functions[*at].event == number; ++*at) {
		const struct matched_function *function = &match->functions[*at];

		if (has_samples(diff, function))
			name_row(&rows[nr++], function, &match->events[number]);
	}
	if (judge(diff, event, match->events[number].totals, rows, nr, err) < 0)
		return -1;
	if (nr > 1)
		qsort(rows, nr, sizeof(*rows), compare_rows);
	diff->nr_rows += nr;
	sum_up(event);
	return 0;
}

static int compare(struct diff *diff, const struct diff_input *input, struct error *err)
{
	const struct match *match = &diff->match;
	size_t at = 0;

	if (match_make(&diff->match, &input->match, err) < 0 || remarks_check(diff, err) < 0)
		return -1;
	diff->rows = calloc(match->nr_functions + 1, sizeof(*diff->rows));
	diff->events = calloc(match->nr_events + 1, sizeof(*diff->events));
	if (!diff->rows || !diff->events)
		return nomem(err);
	for (; diff->nr_events < match->nr_events; diff->nr_events++) {
		if (make_event(diff, diff->nr_events, &at, err) < 0)
			return -1;
	}
	if (ratios_make(diff, err) < 0)
		return -1;
	if (input->paths && diffpaths_make(diff, input->paths, err) < 0)
		return -1;
	return remarks_make(diff, &input->match, input->gated, err);
}

/*
 * If perf did not start the program, the amount of work depends on the length of the recording, so
 * shares are compared.
 */
static enum measure choose_measure(const struct diff_input *input)
{
	if (input->same_seconds)
		return MEASURE_SHARE;
	for (size_t i = 0; i < input->match.nr_runs; i++) {
		if (!input->match.runs[i].started)
			return MEASURE_SHARE;
	}
	return MEASURE_PERIOD;
}

struct diff *diff_make(const struct diff_input *input, struct error *err)
{
	struct diff *diff = calloc(1, sizeof(*diff));

	if (!diff) {
		nomem(err);
		return NULL;
	}
	diff->measure_was_open = input->measure_is_open;
	diff->same_seconds = input->same_seconds;
	diff->measure = input->measure_is_open ? choose_measure(input) : input->measure;
	diff->children = input->match.children;
	diff->calls = input->calls;
	diff->run_deviation = input->run_deviation;
	diff->runs = input->match.runs;
	diff->nr_runs = input->match.nr_runs;
	diff->nr_old = input->match.nr_old;
	if (compare(diff, input, err) == 0)
		return diff;
	diff_free(diff);
	return NULL;
}

bool diff_row_fails(const struct diff_row *row, const struct diff_gate *gate)
{
	return row->verdict == VERDICT_MORE && row->q_value < DIFF_GATE_CHANCE &&
	       row->delta_percent >= gate->points && row->ratio >= gate->ratio;
}

bool diff_total_fails(const struct diff_event *event, double percent)
{
	return event->change.verdict == VERDICT_MORE && event->change.p_value < DIFF_GATE_CHANCE &&
	       event->change.percent >= percent;
}

void diff_binary_name(char *to, const char *path)
{
	name_of_binary(to, name_of_code(path));
}

void diff_free(struct diff *diff)
{
	if (!diff)
		return;
	free(diff->rows);
	free(diff->events);
	diffpaths_free(diff);
	free(diff->ratios);
	remarks_free(&diff->remarks);
	match_free(&diff->match);
	free(diff);
}
