/* slices.csv: what was counted when. A row is a struct slice_stat. */
#include "report/table.h"

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct slice_stat *slice = row;
	const struct function_stat *function = slice->function;

	(void)scratch;
	cell_text(cell++, slice->event->name);
	cell_u64(cell++, slice->start);
	cell_u64(cell++, slice->length);
	cell_i32_if(cell++, slice->has_pid, (int32_t)slice->pid);
	cell_text(cell++, slice->comm);
	cell_u64(cell++, slice->tally.samples);
	cell_u64(cell++, slice->tally.period);
	cell_text(cell++, function ? function->binary : "");
	cell_text(cell++, function ? function->function : "");
	cell_text(cell++, function ? function->filename : "");
	cell_u64_if(cell++, slice->has_cpu, slice->cpu);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"slice_start", CELL_U64, "ns",
	 "When the slice begins, by the recording's clock: a multiple of slice_ns."},
	{"slice_ns", CELL_U64, "ns", "Length of the slice: that of --slice."},
	{"pid", CELL_I32, "",
	 "Process id; -1 for the samples of no known process, empty unless by processes."},
	{"comm", CELL_TEXT, "",
	 "Name that the process had at the time; empty unless by processes."},
	{"samples", CELL_U64, "samples", "Samples of the event in that time."},
	{"period", CELL_U64, "events", "Sum of their periods, in the event's unit."},
	{"binary", CELL_TEXT, "",
	 "Path of the function's binary, as in results.csv; empty unless by functions."},
	{"function", CELL_TEXT, "",
	 "Name of the function, as in results.csv; empty unless by functions."},
	{"filename", CELL_TEXT, "",
	 "Source file that defines the function; empty if unknown, or not by functions."},
	{"cpu", CELL_U64, "",
	 "CPU on which the samples were taken; empty unless by CPUs, or if it was not recorded."},
};

const struct table table_slices = {
	.name = "slices",
	.one_row = "one row per event, slice of time and process (or what --slice-by says)",
	.rows = "Slices without samples have no rows, and samples without a time are in none. For "
		"each event, samples and period add up to those of results.csv if all samples have "
		"a time. Rows are sorted by event, then by time, then by pid, comm, CPU, binary, "
		"function and file.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct slice_stat),
};
