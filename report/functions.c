/* results.csv: where the time went. A row is a struct function_row. */
#include "report/table.h"

struct function_row {
	const struct function_stat *function;
	uint64_t total; /* period of all of the event */
	bool inlined;	/* functions are the innermost inlined ones */
};

static const struct function_stat *function_of(const void *row)
{
	return ((const struct function_row *)row)->function;
}

static void put_period(struct csv *csv, const void *row)
{
	csv_u64(csv, function_of(row)->self.period);
}

static void put_samples(struct csv *csv, const void *row)
{
	csv_u64(csv, function_of(row)->self.samples);
}

static void put_filename(struct csv *csv, const void *row)
{
	csv_string(csv, function_of(row)->filename);
}

static void put_function(struct csv *csv, const void *row)
{
	csv_string(csv, function_of(row)->function);
}

static void put_event(struct csv *csv, const void *row)
{
	csv_string(csv, function_of(row)->event->name);
}

static void put_binary(struct csv *csv, const void *row)
{
	csv_string(csv, function_of(row)->binary);
}

static void put_percent(struct csv *csv, const void *row)
{
	csv_percent(csv, function_of(row)->self.period, ((const struct function_row *)row)->total);
}

static void put_line(struct csv *csv, const void *row)
{
	if (function_of(row)->line)
		csv_u64(csv, function_of(row)->line);
	else
		csv_empty(csv);
}

static void put_children_period(struct csv *csv, const void *row)
{
	csv_u64(csv, function_of(row)->children.period);
}

static void put_children_samples(struct csv *csv, const void *row)
{
	csv_u64(csv, function_of(row)->children.samples);
}

static void put_children_percent(struct csv *csv, const void *row)
{
	csv_percent(csv, function_of(row)->children.period,
		    ((const struct function_row *)row)->total);
}

static void put_build_id(struct csv *csv, const void *row)
{
	csv_string(csv, function_of(row)->build_id);
}

static void put_reason(struct csv *csv, const void *row)
{
	csv_string(csv, function_of(row)->reason);
}

static void put_inlined_period(struct csv *csv, const void *row)
{
	if (((const struct function_row *)row)->inlined)
		csv_u64(csv, function_of(row)->inlined.period);
	else
		csv_empty(csv);
}

static void put_inlined_samples(struct csv *csv, const void *row)
{
	if (((const struct function_row *)row)->inlined)
		csv_u64(csv, function_of(row)->inlined.samples);
	else
		csv_empty(csv);
}

static void put_size(struct csv *csv, const void *row)
{
	if (function_of(row)->size)
		csv_u64(csv, function_of(row)->size);
	else
		csv_empty(csv);
}

static const struct column columns[] = {
	{"period", TYPE_U64, "events",
	 "Sum of the periods of the samples in the function itself, in the event's own unit: about "
	 "how "
	 "many events happened there.",
	 put_period},
	{"samples", TYPE_U64, "samples", "How many samples lie in the function itself.",
	 put_samples},
	{"filename", TYPE_TEXT, "",
	 "Source file that defines the function; empty if it is not known.", put_filename},
	{"function", TYPE_TEXT, "",
	 "Name of the function, demangled as the option --demangle says; [unknown] for samples "
	 "without a "
	 "name: the column reason says why.",
	 put_function},
	{"event", TYPE_TEXT, "", "Name of the event as perf prints it.", put_event},
	{"binary", TYPE_TEXT, "",
	 "Path of the binary as recorded, [kernel.kallsyms] for the kernel, [vdso], a module's "
	 "path; "
	 "[unmapped] for addresses outside every mapping.",
	 put_binary},
	{"percent", TYPE_DECIMAL, "%",
	 "What period is of the period of all samples of the event; 0.0000 if that is 0.",
	 put_percent},
	{"line", TYPE_U64, "",
	 "Line of the function's definition in filename; empty if it is not known.", put_line},
	{"children_period", TYPE_U64, "events",
	 "As period, with everything that was called from the function: each function is counted "
	 "once "
	 "per stack. Equal to period where the recording has no call chains.",
	 put_children_period},
	{"children_samples", TYPE_U64, "samples", "As samples, with everything that was called.",
	 put_children_samples},
	{"children_percent", TYPE_DECIMAL, "%", "As percent, of children_period.",
	 put_children_percent},
	{"build_id", TYPE_TEXT, "",
	 "Build id of the binary in lower-case hexadecimal; empty if it is not known.",
	 put_build_id},
	{"reason", TYPE_TEXT, "", "Why there is no name; empty for a named function.", put_reason},
	{"inlined_period", TYPE_U64, "events",
	 "With --inline, the part of period that lies in copies of the function which were inlined "
	 "into others. Without that option, when such samples count for the function with the "
	 "code, it is empty in all rows.",
	 put_inlined_period},
	{"inlined_samples", TYPE_U64, "samples", "As inlined_period, the part of samples.",
	 put_inlined_samples},
	{"size", TYPE_U64, "bytes",
	 "Size of the function's code as its symbol says; of functions that share a row the "
	 "largest. Empty if it is not known, as in /proc/kallsyms and for inlined functions.",
	 put_size},
};

static void write_functions(struct csv *csv, const struct table *table,
			    const struct results *results)
{
	for (size_t i = 0; i < results->nr_functions; i++) {
		const struct function_stat *function = &results->functions[i];
		struct function_row row = {function, event_total(results, function->event).period,
					   results->inlined};

		table_put_row(csv, table, &row);
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
	.write = write_functions,
};
