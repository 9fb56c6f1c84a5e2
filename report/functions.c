/* results.csv: where the time went. A row is a struct function_row. */
#include "report/table.h"

struct function_row {
	const struct function_stat *function;
	uint64_t total; /* period of all of the event */
	bool inlined;	/* functions are the innermost inlined ones */
};

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct function_row *of = row;
	const struct function_stat *function = of->function;

	(void)scratch;
	cell_u64(cell++, function->self.period);
	cell_u64(cell++, function->self.samples);
	cell_text(cell++, function->filename);
	cell_text(cell++, function->function);
	cell_text(cell++, function->event->name);
	cell_text(cell++, function->binary);
	cell_percent(cell++, function->self.period, of->total);
	cell_u64_known(cell++, function->line);
	cell_u64(cell++, function->children.period);
	cell_u64(cell++, function->children.samples);
	cell_percent(cell++, function->children.period, of->total);
	cell_text(cell++, function->build_id);
	cell_text(cell++, function->reason);
	cell_u64_if(cell++, of->inlined, function->inlined.period);
	cell_u64_if(cell++, of->inlined, function->inlined.samples);
	cell_u64_known(cell++, function->size);
	return cell;
}

static const struct column columns[] = {
	{"period", CELL_U64, "events",
	 "Sum of the periods of the samples in the function itself, in the event's own unit: about "
	 "how "
	 "many events happened there."},
	{"samples", CELL_U64, "samples", "How many samples lie in the function itself."},
	{"filename", CELL_TEXT, "",
	 "Source file that defines the function; empty if it is not known."},
	{"function", CELL_TEXT, "",
	 "Name of the function, demangled as the option --demangle says; [unknown] for samples "
	 "without a "
	 "name: the column reason says why."},
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"binary", CELL_TEXT, "",
	 "Path of the binary as recorded, [kernel.kallsyms] for the kernel, [vdso], a module's "
	 "path; "
	 "[unmapped] for addresses outside every mapping."},
	{"percent", CELL_PERCENT, "%",
	 "What period is of the period of all samples of the event; 0.0000 if that is 0."},
	{"line", CELL_U64, "",
	 "Line of the function's definition in filename; empty if it is not known."},
	{"children_period", CELL_U64, "events",
	 "As period, with everything that was called from the function: each function is counted "
	 "once "
	 "per stack. Equal to period where the recording has no call chains."},
	{"children_samples", CELL_U64, "samples", "As samples, with everything that was called."},
	{"children_percent", CELL_PERCENT, "%", "As percent, of children_period."},
	{"build_id", CELL_TEXT, "",
	 "Build id of the binary in lower-case hexadecimal; empty if it is not known."},
	{"reason", CELL_TEXT, "", "Why there is no name; empty for a named function."},
	{"inlined_period", CELL_U64, "events",
	 "With --inline, the part of period that lies in copies of the function which were inlined "
	 "into others. Without that option, when such samples count for the function with the "
	 "code, it is empty in all rows."},
	{"inlined_samples", CELL_U64, "samples", "As inlined_period, the part of samples."},
	{"size", CELL_U64, "bytes",
	 "Size of the function's code as its symbol says; of functions that share a row the "
	 "largest. Empty if it is not known, as in /proc/kallsyms and for inlined functions."},
};

static void write_functions(struct table_file *to, const struct rows *rows,
			    const struct results *results)
{
	(void)rows;
	for (size_t i = 0; i < results->nr_functions; i++) {
		const struct function_stat *function = &results->functions[i];
		struct function_row row = {function, event_total(results, function->event).period,
					   results->inlined};

		table_put_row(to, &row);
	}
}

const struct table results_table = {
	.name = "results",
	.one_row = "one row per event, binary, function and source file",
	.rows = "Samples without a name make one row per event, binary and reason. Every sample is "
		"in "
		"exactly one row: for each event the samples of its rows add up to the number of "
		"its "
		"samples, and the periods to its whole period. Rows are ordered by event, then by "
		"period "
		"from high to low, then by name.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.write = write_functions,
};
