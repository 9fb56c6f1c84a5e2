/* JSON lines: an object for each row of results.csv, with its columns and those of the keys of
 * --per, numbers as numbers. */
#include "report/csvform.h"
#include "report/export/runexport.h"
#include "report/export/runforms.h"
#include "report/table.h"
#include "util/json.h"

/* Writes a cell; handles the types of the columns of results.csv. */
static void put_cell(struct json *json, const char *key, const struct cell *cell)
{
	char digits[CSVFORM_NUMBER_MAX];

	switch (cell->type) {
	case CELL_U64:
		json_u64(json, key, cell->u64);
		break;
	case CELL_PERCENT:
		csvform_number(digits, cell);
		json_digits(json, key, digits);
		break;
	case CELL_NUMBER:
		json_digits(json, key, cell->text.bytes);
		break;
	case CELL_TEXT:
		json_text(json, key, cell->text.bytes);
		break;
	default:
		json_null(json, key);
	}
}

static const struct table *results_table(void)
{
	return table_list[REPORT_NUMBER_results].table;
}

static void put_row(struct writer *writer, const struct cell *cells, size_t nr)
{
	const struct split_stat *split = writer->state;
	const size_t nr_columns = results_table()->nr_columns;
	struct json json;

	json_start(&json, writer->out, 0);
	json_open(&json, NULL, '{');
	for (size_t i = 0; i < nr; i++)
		put_cell(&json,
			 i < nr_columns ? results_table()->columns[i].name
					: split->keys[i - nr_columns],
			 &cells[i]);
	json_close(&json);
	json_end(&json);
}

static const struct form json_form = {.ending = ".jsonl", .row = put_row};

void resultsjson_write(const struct runexport_view *view)
{
	static const struct rows none = {0};
	struct split_stat keys =
		view->results->split ? *view->results->split : (struct split_stat){0};
	struct table_file to = {.table = results_table(),
				.writer = {.form = &json_form, .out = view->out, .state = &keys}};

	results_table()->write(&to, &none, view->results);
}
