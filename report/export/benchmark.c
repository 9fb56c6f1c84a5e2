/*
 * diff.benchmark.json: the values of the new side, for charts over commits; the list format of the
 * tool customSmallerIsBetter of github-action-benchmark.
 */
#include "report/export/export.h"
#include "report/export/forms.h"
#include "report/export/pick.h"
#include "report/export/words.h"
#include "report/measure.h"
#include "util/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FUNCTIONS_MAX = 30, LINES = 1 };

/*
 * The value of a run in the unit of @measure: of the total if @share is NULL, else of a function.
 */
static double value_of(enum measure measure, const struct run_share *share,
		       const struct run_total *total)
{
	const double period = (double)(share ? share->period : total->period);

	if (measure == MEASURE_SHARE)
		return total->period ? 100 * period / (double)total->period : 0;
	return measure == MEASURE_RATE ? period / total->seconds : period;
}

/* Writes the standard deviation between the runs of the new side, if there are several. */
static void put_range(struct json *json, const struct diff *diff, enum measure measure,
		      const struct run_share *shares, const struct run_total *totals)
{
	const size_t nr = diff->nr_runs - diff->nr_old;
	double mean = 0, squares = 0;
	char range[64];

	for (size_t i = diff->nr_old; i < diff->nr_runs; i++)
		mean += value_of(measure, shares ? &shares[i] : NULL, &totals[i]) / (double)nr;
	for (size_t i = diff->nr_old; i < diff->nr_runs; i++) {
		double off = value_of(measure, shares ? &shares[i] : NULL, &totals[i]) - mean;

		squares += off * off;
	}
	if (nr < 2)
		return;
	snprintf(range, sizeof(range), "\xc2\xb1 %.4f", sqrt(squares / (double)(nr - 1)));
	json_text(json, "range", range);
}

static void put_total(struct json *json, const struct export_view *view,
		      const struct diff_event *event)
{
	const enum measure measure = event->change.per_second ? MEASURE_RATE : MEASURE_PERIOD;
	struct picked whole = {.row = &(struct diff_row){.event = event->name, .function = "total"},
			       .binary = measure == MEASURE_RATE ? "per second" : "per run"};
	char *name = pick_name(view, &whole), words[VALUETEXT_TOTAL_MAX];

	if (!name)
		return;
	valuetext_total(words, view->diff, event);
	json_open(json, NULL, '{');
	json_text(json, "name", name);
	json_text(json, "unit", measure_unit(measure, event->is_time));
	json_number(json, "value", event->change.new_value, 4);
	put_range(json, view->diff, measure, NULL, event->rows->totals);
	json_text(json, "extra", words);
	json_close(json);
	free(name);
}

static void put_function(struct json *json, const struct export_view *view,
			 const struct picked *picked)
{
	const struct diff_row *row = picked->row;
	char *name = pick_name(view, picked), *words = words_of_row(view, row);

	if (name && words) {
		json_open(json, NULL, '{');
		json_text(json, "name", name);
		json_text(json, "unit", measure_unit(row->measure, row->is_time));
		json_number(json, "value", row->new_value, 4);
		put_range(json, view->diff, row->measure, row->shares, row->totals);
		json_text(json, "extra", words);
		json_close(json);
	}
	free(name);
	free(words);
}

static void put_event(struct json *json, const struct export_view *view,
		      const struct diff_event *event)
{
	struct picks picks;

	if (event->nr_rows)
		put_total(json, view, event);
	if (pick_rows(&picks, view, event, PICK_NEW, FUNCTIONS_MAX)) {
		for (size_t i = 0; i < picks.nr; i++)
			put_function(json, view, &picks.rows[i]);
	}
	pick_free(&picks);
}

void benchmark_write(const struct export_view *view)
{
	struct json json;

	json_start(&json, view->out, LINES);
	json_open(&json, NULL, '[');
	for (size_t i = 0; i < view->diff->nr_events; i++)
		put_event(&json, view, &view->diff->events[i]);
	json_close(&json);
	json_end(&json);
}
