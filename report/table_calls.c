/* calls.csv: who calls whom. A row is a struct call_row. */
#include "report/table.h"

struct call_row {
	const struct call_stat *call;
	uint64_t total; /* period of all of the event */
	bool inlined;	/* inlined functions are told apart */
};

/* What stands in place of a caller's name where there is none: "[root]", "[stack-cut]". */
static void set_caller(struct cell *cell, const struct call_stat *call, struct scratch *scratch)
{
	if (call->caller)
		cell_text(cell, call->caller->function);
	else
		cell_format(cell, scratch, "[%s]", call->cut ? call->end : "root");
}

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct call_row *of = row;
	const struct call_stat *call = of->call;
	const struct function_stat *caller = call->caller, *callee = call->callee;
	const char *const kind = call->inlined ? "inline" : "call";

	cell_text(cell++, callee->event->name);
	cell_text(cell++, caller ? caller->binary : "");
	set_caller(cell++, call, scratch);
	cell_text(cell++, caller ? caller->filename : "");
	cell_text(cell++, callee->binary);
	cell_text(cell++, callee->function);
	cell_text(cell++, callee->filename);
	cell_u64(cell++, call->total.samples);
	cell_u64(cell++, call->total.period);
	cell_u64(cell++, call->self.samples);
	cell_u64(cell++, call->self.period);
	cell_percent(cell++, call->total.period, of->total);
	cell_u64(cell++, call->recursive);
	cell_text(cell++, caller ? caller->build_id : "");
	cell_text(cell++, callee->build_id);
	cell_text(cell++, caller ? caller->reason : "");
	cell_text(cell++, callee->reason);
	cell_text(cell++, of->inlined ? kind : "");
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"caller_binary", CELL_TEXT, "",
	 "Path of the caller's binary, as in results.csv; empty if there is no caller."},
	{"caller", CELL_TEXT, "",
	 "Name of the calling function, as in results.csv. Without a caller, [root] if the call "
	 "chain ends with the callee or the event records no call chains, and otherwise why "
	 "callers are missing: [stack-cut], [no-cfi] and so on, the words of the column end of "
	 "paths.csv."},
	{"caller_filename", CELL_TEXT, "",
	 "Source file that defines the caller; empty if unknown."},
	{"callee_binary", CELL_TEXT, "", "Path of the called function's binary."},
	{"callee", CELL_TEXT, "", "Name of the called function."},
	{"callee_filename", CELL_TEXT, "",
	 "Source file that defines the called function; empty if unknown."},
	{"samples", CELL_U64, "samples",
	 "Number of samples whose stack has this call, each counted once however often its stack "
	 "has it. For a function without recursive calls, the rows of all its callers add up to "
	 "its children_samples in results.csv; with recursion they may add up to more."},
	{"period", CELL_U64, "events", "Sum of the periods of those samples."},
	{"self_samples", CELL_U64, "samples",
	 "Number of samples in the called function itself that were called by this caller. The "
	 "rows of all callers of a function always add up to its samples in results.csv."},
	{"self_period", CELL_U64, "events", "Sum of the periods of those samples."},
	{"percent", CELL_PERCENT, "%",
	 "period as a percentage of the period of all samples of the event; 0.0000 if that is 0."},
	{"recursive", CELL_U64, "",
	 "1 if on some stack the called function was on the stack already when it was called "
	 "like this, otherwise 0."},
	{"caller_build_id", CELL_TEXT, "", "Build id of the caller's binary; empty if unknown."},
	{"callee_build_id", CELL_TEXT, "",
	 "Build id of the called function's binary; empty if unknown."},
	{"caller_reason", CELL_TEXT, "",
	 "Why the caller has no name; empty if it has one, or if there is no caller."},
	{"callee_reason", CELL_TEXT, "",
	 "Why the called function has no name; empty if it has one."},
	{"kind", CELL_TEXT, "",
	 "With --inline: inline if the callee's code is inlined into the caller's, and call "
	 "otherwise. Empty in all rows without that option."},
};

static void put_calls(struct table_file *to, const struct call_stat *calls, size_t nr,
		      const struct results *results)
{
	for (size_t i = 0; i < nr; i++) {
		const struct call_row row = {&calls[i],
					     event_total(results, calls[i].callee->event).period,
					     results->inlined};

		table_put_row(to, &row);
	}
}

static void write_calls(struct table_file *to, const struct rows *rows,
			const struct results *results)
{
	put_calls(to, rows->first, rows->nr, results);
	if (results->traced)
		put_calls(to, results->traced->calls, results->traced->nr_calls, results);
}

const struct table table_calls = {
	.name = "calls",
	.one_row = "one row per event, caller and called function",
	.rows = "Outermost functions have a row without a caller, so that every sample is in "
		"self_samples of exactly one row. With a hardware trace its instructions follow "
		"as an event of their own, intel_pt:instructions: each is a sample of period 1. "
		"Rows are sorted by event, then by descending "
		"period, then by name.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.write = write_calls,
};
