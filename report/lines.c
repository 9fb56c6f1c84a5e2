/* lines.csv: which source lines the time went to. A row is a struct line_row. */
#include "report/table.h"

struct line_row {
	const struct line_stat *line;
	uint64_t total; /* period of all of the event */
};

static const struct line_stat *line_of(const void *row)
{
	return ((const struct line_row *)row)->line;
}

static void put_event(struct csv *csv, const void *row)
{
	csv_string(csv, line_of(row)->event->name);
}

static void put_binary(struct csv *csv, const void *row)
{
	csv_string(csv, line_of(row)->binary);
}

static void put_filename(struct csv *csv, const void *row)
{
	csv_string(csv, line_of(row)->filename);
}

static void put_line(struct csv *csv, const void *row)
{
	if (line_of(row)->line)
		csv_u64(csv, line_of(row)->line);
	else
		csv_empty(csv);
}

static void put_samples(struct csv *csv, const void *row)
{
	csv_u64(csv, line_of(row)->self.samples);
}

static void put_period(struct csv *csv, const void *row)
{
	csv_u64(csv, line_of(row)->self.period);
}

static void put_percent(struct csv *csv, const void *row)
{
	csv_percent(csv, line_of(row)->self.period, ((const struct line_row *)row)->total);
}

static void put_build_id(struct csv *csv, const void *row)
{
	csv_string(csv, line_of(row)->build_id);
}

static void put_reason(struct csv *csv, const void *row)
{
	csv_string(csv, line_of(row)->reason);
}

static const struct column columns[] = {
	{"event", TYPE_TEXT, "", "Name of the event as perf prints it.", put_event},
	{"binary", TYPE_TEXT, "", "Path of the binary, as in results.csv.", put_binary},
	{"filename", TYPE_TEXT, "",
	 "Source file of the statement, which for an inlined function is the one that function "
	 "stands in; empty if it is not known.",
	 put_filename},
	{"line", TYPE_U64, "", "Line of the statement in filename; empty if it is not known.",
	 put_line},
	{"samples", TYPE_U64, "samples", "How many samples lie in the line's code.", put_samples},
	{"period", TYPE_U64, "events", "Sum of the periods of those samples.", put_period},
	{"percent", TYPE_DECIMAL, "%",
	 "What period is of the period of all samples of the event; 0.0000 if that is 0.",
	 put_percent},
	{"build_id", TYPE_TEXT, "", "Build id of the binary, as in results.csv.", put_build_id},
	{"reason", TYPE_TEXT, "", "Why there is no line; empty where there is one.", put_reason},
};

static void write_lines(struct csv *csv, const struct table *table, const struct results *results)
{
	for (size_t i = 0; i < results->nr_lines; i++) {
		const struct line_stat *line = &results->lines[i];
		struct line_row row = {line, event_total(results, line->event).period};

		table_put_row(csv, table, &row);
	}
}

const struct table lines_table = {
	.name = "lines",
	.one_row = "one row per event, binary and source line",
	.rows = "Samples without a line make one row per event, binary and reason, and file where "
		"that is known. Every sample is in exactly one row: the sums are those of "
		"results.csv. Rows are ordered by event, then by period from high to low, then by "
		"file and line.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.write = write_lines,
};
