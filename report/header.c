/* header.csv: what the recording says of itself. A row is a struct fact. */
#include "report/table.h"

static void put_key(struct csv *csv, const void *row)
{
	csv_string(csv, ((const struct fact *)row)->key);
}

static void put_value(struct csv *csv, const void *row)
{
	csv_string(csv, ((const struct fact *)row)->value);
}

static const struct column columns[] = {
	{"key", TYPE_TEXT, "", "What is said: see KEYS OF HEADER.CSV.", put_key},
	{"value", TYPE_TEXT, "",
	 "A text, or a number in decimal or, with 0x, in hexadecimal digits; lists have a space or "
	 "comma between their values.",
	 put_value},
};

static void write_header(struct csv *csv, const struct table *table, const struct results *results)
{
	for (size_t i = 0; i < results->nr_header; i++)
		table_put_row(csv, table, &results->header[i]);
}

const struct table header_table = {
	.name = "header",
	.one_row = "one row per fact",
	.rows = "What the optional sections of the recording say of the machine, of the run of "
		"perf "
		"and of the events, section by section in the order of perf's numbers for them.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.write = write_header,
};
