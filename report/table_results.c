/* results.csv: where the time went. A row is a struct function_row. */
#include "report/table.h"

#include "util/prefetch.h"

struct function_row {
	const struct function_stat *function;
	uint64_t total;			  /* period of the whole event */
	bool inlined;			  /* samples count for the innermost inlined function */
	const struct split_value *values; /* of the keys of --per */
	size_t nr_values;
};

static void fill_value(struct cell *cell, const struct split_value *value)
{
	if (!*value->text)
		cell_empty(cell);
	else if (value->is_number)
		cell_number(cell, value->text);
	else
		cell_text(cell, value->text);
}

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
	for (size_t i = 0; i < of->nr_values; i++)
		fill_value(cell++, &of->values[i]);
	return cell;
}

static const struct column columns[] = {
	{"period", CELL_U64, "events",
	 "Sum of the periods of the samples in the function itself, in the event's unit: roughly "
	 "how many events occurred there."},
	{"samples", CELL_U64, "samples", "Number of samples in the function itself."},
	{"filename", CELL_TEXT, "", "Source file that defines the function; empty if unknown."},
	{"function", CELL_TEXT, "",
	 "Name of the function, demangled according to --demangle; [unknown] for samples without a "
	 "name, for which the column reason says why."},
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"binary", CELL_TEXT, "",
	 "Path of the binary as recorded, [kernel.kallsyms] for the kernel, [vdso], a module's "
	 "path; [unmapped] for addresses outside all mappings."},
	{"percent", CELL_PERCENT, "%",
	 "period as a percentage of the period of all samples of the event; 0.0000 if that is 0."},
	{"line", CELL_U64, "",
	 "Line of the function's definition in filename; empty if unknown, as for functions in "
	 "assembly language."},
	{"children_period", CELL_U64, "events",
	 "Like period, but including everything the function called: each function is counted once "
	 "per stack. Only callers that are known count: where call chains are cut (the column "
	 "cut_period of events.csv), this is too small. Equal to period if the recording has no "
	 "call chains."},
	{"children_samples", CELL_U64, "samples",
	 "Like samples, but including everything the function called."},
	{"children_percent", CELL_PERCENT, "%", "children_period as a percentage, like percent."},
	{"build_id", CELL_TEXT, "",
	 "Build id of the binary in lower-case hexadecimal; empty if unknown."},
	{"reason", CELL_TEXT, "", "Why there is no name; empty if there is one."},
	{"inlined_period", CELL_U64, "events",
	 "With --inline, the part of period in copies of the function that were inlined into "
	 "others. Empty in all rows without that option, because such samples then count for the "
	 "function that contains the code."},
	{"inlined_samples", CELL_U64, "samples", "Like inlined_period, for samples."},
	{"size", CELL_U64, "bytes",
	 "Size of the function's code according to its symbol; the largest if several functions "
	 "share the row. Empty if unknown, as with /proc/kallsyms and for inlined functions."},
};

/* The values of the rows are all over memory: those that come soon are fetched meanwhile. */
static void prefetch_values(const struct split_stat *split, size_t number)
{
	enum { AHEAD = 16 };

	if (number + AHEAD < split->nr_rows)
		prefetch_read(split->rows[number + AHEAD].values);
	if (number + AHEAD / 2 >= split->nr_rows)
		return;
	for (size_t i = 0; i < split->nr_keys; i++)
		prefetch_read(split->rows[number + AHEAD / 2].values[i].text);
}

static void write_functions(struct table_file *to, const struct rows *rows,
			    const struct results *results)
{
	const struct split_stat *split = results->split;
	const size_t nr = split ? split->nr_rows : results->nr_functions;

	(void)rows;
	for (size_t i = 0; i < nr; i++) {
		const struct function_stat function =
			split ? split_row_function(&split->rows[i]) : results->functions[i];
		struct function_row row = {.function = &function,
					   .total = event_total(results, function.event).period,
					   .inlined = results->inlined};

		if (results_is_uncounted(&function))
			continue;
		if (split) {
			prefetch_values(split, i);
			row.values = split->rows[i].values;
			row.nr_values = split->nr_keys;
		}
		table_put_row(to, &row);
	}
}

const struct table table_results = {
	.name = "results",
	.one_row = "one row per event, binary, function and source file",
	.rows = "Samples without a name have one row per event, binary and reason. Every sample is "
		"in exactly one row: for each event, the samples of all rows add up to the number "
		"of its samples, and the periods to its total period. Rows are sorted by event, "
		"then by descending period, then by name. With --per there are more columns, one "
		"for each of its keys, named as there, and a row for each combination of their "
		"values: a thread's name at the time (comm), its ids (pid, tid), the CPU, the path "
		"of the cgroup, the variable at the data address (data_symbol: or what memory it "
		"is, such as [heap], [stack], [anon], [kernel], [unmapped], or [unknown] with the "
		"reason), the start of the slice of time in ns from the first sample, the "
		"value of a tracepoint's field; empty if the sample has none. They follow the rest "
		"in the order of appearance. The rows of a function add up to its row without "
		"--per.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.open = true,
	.split = true,
	.fill = fill_row,
	.write = write_functions,
};
