/* trace.csv: what functions did in a hardware trace. A row is a struct trace_stat. */
#include "report/table.h"

enum { IPC_DECIMALS = 3 };

static struct cell *put_times(struct cell *cell, const struct trace_stat *row)
{
	const bool has_time = row->clock[0], has_calls = has_time && row->nr_timed;

	cell_u64_if(cell++, has_time, row->ns);
	cell_u64_if(cell++, row->has_cycles, row->cycles);
	/* 0 / 0 is not finite: the cell is empty */
	cell_decimal_if(cell++, row->has_cycles && row->cycles,
			(double)row->instructions / (double)row->cycles, IPC_DECIMALS);
	cell_u64(cell++, row->all_instructions);
	cell_u64_if(cell++, has_time, row->all_ns);
	cell_u64_if(cell++, row->has_cycles, row->all_cycles);
	cell_u64_if(cell++, has_calls, row->min_ns);
	cell_u64_if(cell++, has_calls, row->max_ns);
	cell_text(cell++, row->clock);
	return cell;
}

static struct cell *fill_row(struct cell *cell, const void *row_, struct scratch *scratch)
{
	const struct trace_stat *row = row_;

	(void)scratch;
	cell_text(cell++, row->event->name);
	cell_i32(cell++, (int32_t)row->pid);
	cell_text(cell++, row->comm);
	cell_text(cell++, row->binary);
	cell_text(cell++, row->function);
	cell_text(cell++, row->filename);
	cell_u64_known(cell++, row->line);
	cell_u64(cell++, row->instructions);
	cell_percent(cell++, row->instructions, row->total);
	cell_u64(cell++, row->calls);
	cell_u64(cell++, row->jumps);
	cell = put_times(cell, row);
	cell_text(cell++, row->reason);
	cell_text(cell++, row->build_id);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the traced event as perf prints it."},
	{"pid", CELL_I32, "", "Process id; all threads of the process together."},
	{"comm", CELL_TEXT, "", "Name of the process: its last one."},
	{"binary", CELL_TEXT, "", "Path of the binary, as in results.csv."},
	{"function", CELL_TEXT, "",
	 "Function whose code was executed. Functions that are inlined are part of the one that "
	 "they are inlined into."},
	{"filename", CELL_TEXT, "", "Source file that defines it; empty if unknown."},
	{"line", CELL_U64, "", "Line of its definition; empty if unknown."},
	{"instructions", CELL_U64, "instructions",
	 "Instructions executed in its own code. They are counted one by one, and those of all "
	 "rows "
	 "add up to the instructions that were decoded, unless filters left rows out."},
	{"percent", CELL_PERCENT, "%", "instructions as a percentage of those of all functions."},
	{"calls", CELL_U64, "", "How often a call instruction led to its first address."},
	{"jumps", CELL_U64, "",
	 "How often it was entered at its first address in another way: by a jump (a tail call, a "
	 "stub of a library's function) or as the handler of a signal."},
	{"time_ns", CELL_U64, "ns",
	 "Time in its own code. Time between two values of the recorded clock is spread over the "
	 "instructions in between. Empty without a clock."},
	{"cycles", CELL_U64, "cycles",
	 "Cycles of the core in its own code, spread in the same way; empty unless they were "
	 "recorded (intel_pt/cyc/, cs_etm/cycacc/)."},
	{"ipc", CELL_DECIMAL, "", "instructions / cycles."},
	{"children_instructions", CELL_U64, "instructions",
	 "The same with all functions that it called; recursion counts once."},
	{"children_time_ns", CELL_U64, "ns", "The same for time_ns."},
	{"children_cycles", CELL_U64, "cycles", "The same for cycles."},
	{"min_call_ns", CELL_U64, "ns",
	 "The shortest of the entries that returned, with all that it called; the time when "
	 "tracing "
	 "was off or the thread did not run is left out."},
	{"max_call_ns", CELL_U64, "ns", "The longest of them."},
	{"clock", CELL_TEXT, "",
	 "What the times are made of: cyc (cycles), mtc (a tick every microsecond or less), tsc "
	 "(a time every some microseconds), timestamp (those of a CoreSight trace). Times of "
	 "functions that are shorter than the clock's "
	 "steps are estimates."},
	{"reason", CELL_TEXT, "", "Why the function has no name; empty if it has one."},
	{"build_id", CELL_TEXT, "", "Build id of the binary, as in results.csv."},
};

const struct table table_trace = {
	.name = "trace",
	.one_row = "one row per process and function of a hardware trace",
	.rows = "The recording needs an Intel PT trace (perf record -e intel_pt//u) or a "
		"CoreSight trace (perf record -e cs_etm//u), for Intel PT readperf needs libipt, "
		"and the files of the traced binaries must be there: their code is what the "
		"trace leads through. A trace has every branch, so nothing is a sample. Code of "
		"the kernel is decoded in Intel PT traces only. traceloss.csv tells what is "
		"missing. The paths of the calls are in paths.csv and calls.csv, as the event "
		"intel_pt:instructions or cs_etm:instructions. The filters --event, --pid, --tid, "
		"--comm, --cpu and --time choose what counts, --binary and --symbol which rows "
		"there are. Rows are sorted by descending instructions, then by "
		"descending children_instructions, then by pid and names.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct trace_stat),
};
