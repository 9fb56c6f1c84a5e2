/* JSON lines: an object for each row of results.csv, with its columns, those of the keys of --per
 * and those that tell the run; numbers as numbers. */
#include "report/csvform.h"
#include "report/export/runexport.h"
#include "report/export/runforms.h"
#include "report/export/tablerows.h"
#include "report/table.h"
#include "util/json.h"

/* Names of the columns. */
struct names {
	const char *list[TABLE_COLUMNS_MAX];
};

/* Writes a cell; handles the types of the columns of results.csv. */
static void put_cell(struct json *json, const char *key, const struct cell *cell)
{
	char digits[CSVFORM_NUMBER_MAX];

	switch (cell->type) {
	case CELL_U64:
		json_u64(json, key, cell->u64);
		break;
	case CELL_HEX:
		csvform_number(digits, cell);
		json_text(json, key, digits);
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

static void note_names(struct writer *writer, const struct column *columns, size_t nr)
{
	struct names *names = writer->state;

	for (size_t i = 0; i < nr; i++)
		names->list[i] = columns[i].name;
}

static void put_row(struct writer *writer, const struct cell *cells, size_t nr)
{
	const struct names *names = writer->state;
	struct json json;

	json_start(&json, writer->out, 0);
	json_open(&json, NULL, '{');
	for (size_t i = 0; i < nr; i++)
		put_cell(&json, names->list[i], &cells[i]);
	json_close(&json);
	json_end(&json);
}

static const struct form json_form = {.ending = ".jsonl", .start = note_names, .row = put_row};

void resultsjson_write(const struct runexport_view *view)
{
	struct names names;
	const struct writer writer = {.form = &json_form, .out = view->out, .state = &names};

	tablerows_write(view->tables, REPORT_NUMBER_results, &writer);
}
