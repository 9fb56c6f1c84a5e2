/* lines.csv: which source lines the time went to. A row is a struct line_row. */
#include "report/table.h"

struct line_row {
	const struct line_stat *line;
	uint64_t total; /* period of all of the event */
};

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct line_row *of = row;
	const struct line_stat *line = of->line;

	(void)scratch;
	cell_text(cell++, line->event->name);
	cell_text(cell++, line->binary);
	cell_text(cell++, line->filename);
	cell_u64_known(cell++, line->line);
	cell_u64(cell++, line->self.samples);
	cell_u64(cell++, line->self.period);
	cell_percent(cell++, line->self.period, of->total);
	cell_text(cell++, line->build_id);
	cell_text(cell++, line->reason);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"binary", CELL_TEXT, "", "Path of the binary, as in results.csv."},
	{"filename", CELL_TEXT, "",
	 "Source file of the statement, which for an inlined function is the one that function "
	 "stands in; empty if it is not known."},
	{"line", CELL_U64, "", "Line of the statement in filename; empty if it is not known."},
	{"samples", CELL_U64, "samples", "How many samples lie in the line's code."},
	{"period", CELL_U64, "events", "Sum of the periods of those samples."},
	{"percent", CELL_PERCENT, "%",
	 "What period is of the period of all samples of the event; 0.0000 if that is 0."},
	{"build_id", CELL_TEXT, "", "Build id of the binary, as in results.csv."},
	{"reason", CELL_TEXT, "", "Why there is no line; empty where there is one."},
};

static void write_lines(struct table_file *to, const struct rows *rows,
			const struct results *results)
{
	const struct line_stat *lines = rows->first;

	for (size_t i = 0; i < rows->nr; i++) {
		struct line_row row = {&lines[i], event_total(results, lines[i].event).period};

		table_put_row(to, &row);
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
	.fill = fill_row,
	.write = write_lines,
};
