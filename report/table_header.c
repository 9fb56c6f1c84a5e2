/* header.csv: the facts in the recording's header. A row is a struct fact. */
#include "report/table.h"

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct fact *fact = row;

	(void)scratch;
	cell_text(cell++, fact->key);
	cell_text(cell++, fact->value);
	return cell;
}

static const struct column columns[] = {
	{"key", CELL_TEXT, "", "The fact: see KEYS OF HEADER.CSV."},
	{"value", CELL_TEXT, "",
	 "Text, or a number in decimal or, with 0x, in hexadecimal; the values of lists are "
	 "separated by spaces or commas."},
};

const struct table table_header = {
	.name = "header",
	.one_row = "one row per fact",
	.rows = "What the optional sections of the recording say about the machine, the run of "
		"perf and the events, section by section in the order of perf's numbers for them.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct fact),
};
