/* lines.csv: which source lines the time went to. A row is a struct line_row. */
#include "report/table.h"

struct line_row {
	const struct line_stat *line;
	uint64_t total; /* period of the whole event */
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
	cell_text(cell++, line->function);
	cell_text(cell++, line->source);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"binary", CELL_TEXT, "", "Path of the binary, as in results.csv."},
	{"filename", CELL_TEXT, "",
	 "Source file of the statement; for an inlined function, the file that contains that "
	 "function. Empty if unknown."},
	{"line", CELL_U64, "", "Line of the statement in filename; empty if unknown."},
	{"samples", CELL_U64, "samples", "Number of samples in the line's code."},
	{"period", CELL_U64, "events", "Sum of the periods of those samples."},
	{"percent", CELL_PERCENT, "%",
	 "period as a percentage of the period of all samples of the event; 0.0000 if that is 0."},
	{"build_id", CELL_TEXT, "", "Build id of the binary, as in results.csv."},
	{"reason", CELL_TEXT, "", "Why there is no line; empty if there is one."},
	{"function", CELL_TEXT, "",
	 "Name of the function that most of the period counts for, as in results.csv."},
	{"source", CELL_TEXT, "",
	 "Text of the line, if the source file is found (see --source-dir in readperf(1)); of a "
	 "line longer than 1000 bytes its beginning."},
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

const struct table table_lines = {
	.name = "lines",
	.one_row = "one row per event, binary and source line",
	.rows = "Samples without a line have one row per event, binary, reason and, if it is "
		"known, file. Every sample is in exactly one row, so the sums equal those of "
		"results.csv. Rows are sorted by event, then by descending period, then by file "
		"and line.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.write = write_lines,
};
