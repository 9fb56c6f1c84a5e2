/* diff.json: all data of a comparison, with types; readperf-diff(1) describes its structure. */
#include "report/export/export.h"
#include "report/export/forms.h"
#include "report/export/pick.h"
#include "report/measure.h"
#include "report/table.h"
#include "util/json.h"

enum {
	FORMAT = 1, /* incremented if readers of the previous format would fail */
	LINES = 2,  /* values down to this depth have their own line: each row is one line */
};

static void put_run(struct json *json, const struct profile *run)
{
	json_open(json, NULL, '{');
	json_text(json, "name", run->label);
	json_bool(json, "recorded", run->recorded);
	if (run->recorded)
		json_number(json, "seconds", run->seconds, 9);
	else
		json_null(json, "seconds");
	json_close(json);
}

static void put_sides(struct json *json, const struct export_view *view)
{
	const struct diff *diff = view->diff;

	json_open(json, "sides", '[');
	for (size_t side = 0; side < 2; side++) {
		json_open(json, NULL, '{');
		json_text(json, "name", view->settings->sides[side]);
		json_open(json, "runs", '[');
		for (size_t i = side ? diff->nr_old : 0; i < (side ? diff->nr_runs : diff->nr_old);
		     i++)
			put_run(json, &diff->runs[i]);
		json_close(json);
		json_close(json);
	}
	json_close(json);
}

static void put_remarks(struct json *json, const struct remarks *remarks)
{
	json_open(json, "remarks", '[');
	for (size_t i = 0; i < remarks->nr; i++)
		json_text(json, NULL, remarks->lines[i]);
	json_close(json);
}

static void put_event(struct json *json, const struct export_view *view,
		      const struct diff_event *event)
{
	const struct total_change *change = &event->change;
	const enum measure measure = change->per_second ? MEASURE_RATE : MEASURE_PERIOD;

	json_open(json, NULL, '{');
	json_text(json, "event", event->name);
	json_u64(json, "old_samples", event->total[0].samples);
	json_u64(json, "new_samples", event->total[1].samples);
	json_u64(json, "old_period", event->total[0].period);
	json_u64(json, "new_period", event->total[1].period);
	json_text(json, "unit", measure_unit(measure, event->is_time));
	json_number(json, "old_value", change->old_value, 4);
	json_number(json, "new_value", change->new_value, 4);
	json_number(json, "change_percent", change->percent, 4);
	json_number(json, "ci_low", change->low, 4);
	json_number(json, "ci_high", change->high, 4);
	if (change->expected > 0)
		json_number(json, "expected_percent", change->expected, 4);
	else
		json_null(json, "expected_percent");
	json_number(json, "p_value", change->p_value, 6);
	json_text(json, "verdict", verdict_name(pick_total_verdict(view, event), measure));
	json_u64(json, "functions", event->nr_rows);
	json_u64(json, "changed", event->nr_changed);
	json_u64(json, "unsure", event->nr_unsure);
	json_close(json);
}

/* Writes a cell; handles the types of the columns of diff.csv. */
static void put_cell(struct json *json, const char *key, const struct cell *cell)
{
	switch (cell->type) {
	case CELL_U64:
		json_u64(json, key, cell->u64);
		break;
	case CELL_DECIMAL:
		json_number(json, key, cell->decimal, cell->decimals);
		break;
	case CELL_TEXT:
		json_text(json, key, cell->text.bytes);
		break;
	default:
		json_null(json, key);
	}
}

/* Writes the columns of diff.csv, by name and in their order. */
static void put_row(struct json *json, const struct diff_row *row)
{
	struct cell cells[TABLE_COLUMNS_MAX];
	struct scratch scratch = {0};

	table_diff.fill(cells, row, &scratch);
	json_open(json, NULL, '{');
	for (size_t i = 0; i < table_diff.nr_columns; i++)
		put_cell(json, table_diff.columns[i].name, &cells[i]);
	json_close(json);
}

void rowsjson_write(const struct export_view *view)
{
	const struct diff *diff = view->diff;
	struct json json;

	json_start(&json, view->out, LINES);
	json_open(&json, NULL, '{');
	json_u64(&json, "format", FORMAT);
	json_text(&json, "readperf", READPERF_VERSION);
	json_text(&json, "by", measure_word(diff->measure));
	json_bool(&json, "children", diff->children);
	json_bool(&json, "calls", diff->calls);
	json_number(&json, "run_deviation", diff->run_deviation, 9);
	put_sides(&json, view);
	put_remarks(&json, &diff->remarks);
	json_open(&json, "events", '[');
	for (size_t i = 0; i < diff->nr_events; i++)
		put_event(&json, view, &diff->events[i]);
	json_close(&json);
	json_open(&json, "rows", '[');
	for (size_t i = 0; i < diff->nr_rows; i++)
		put_row(&json, &diff->rows[i]);
	json_close(&json);
	json_close(&json);
	json_end(&json);
}
