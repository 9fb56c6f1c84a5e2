/* paths.csv: the tree of calls. A row is a struct path_row. */
#include "report/table.h"

struct path_row {
	const struct path_stat *path;
	uint64_t number, first; /* of the path, and of the first one of its list */
	uint64_t total;		/* period of all of the event */
	bool inlined;		/* inlined functions are told apart */
};

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct path_row *of = row;
	const struct path_stat *path = of->path;
	const struct function_stat *function = path->function;
	const char *const kind = path->inlined ? "inline" : "call";

	(void)scratch;
	cell_text(cell++, function->event->name);
	cell_u64(cell++, of->number + 1);
	cell_u64_if(cell++, path->depth > 0, of->first + path->parent + 1);
	cell_u64(cell++, path->depth);
	cell_text(cell++, function->binary);
	cell_text(cell++, function->function);
	cell_text(cell++, function->filename);
	cell_u64(cell++, path->self.samples);
	cell_u64(cell++, path->self.period);
	cell_u64(cell++, path->total.samples);
	cell_u64(cell++, path->total.period);
	cell_text(cell++, path->end);
	cell_percent(cell++, path->total.period, of->total);
	cell_text(cell++, function->build_id);
	cell_text(cell++, function->reason);
	cell_text(cell++, of->inlined ? kind : "");
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"path_id", CELL_U64, "",
	 "Number of the path, from 1: its place among the rows of its recording. Another recording "
	 "has other numbers, also in the same table (column run)."},
	{"parent_id", CELL_U64, "",
	 "path_id of the caller's path; empty if no caller is known. It is less than path_id."},
	{"depth", CELL_U64, "", "Number of callers above the function: 0 without a parent_id."},
	{"binary", CELL_TEXT, "", "Path of the binary, as in results.csv."},
	{"function", CELL_TEXT, "", "Name of the path's last function, as in results.csv."},
	{"filename", CELL_TEXT, "",
	 "Source file that defines the function, as in results.csv; empty if unknown."},
	{"self_samples", CELL_U64, "samples",
	 "Number of samples in the function itself, called by this path."},
	{"self_period", CELL_U64, "events", "Sum of the periods of those samples."},
	{"total_samples", CELL_U64, "samples",
	 "Like self_samples, but including everything the function called."},
	{"total_period", CELL_U64, "events", "Sum of the periods of those samples."},
	{"end", CELL_TEXT, "",
	 "Why the call chains end with the path's outermost function; the same in all rows of a "
	 "tree, so that self_period can be summed by it. complete: nothing called it. recorded: "
	 "the recording's own chain ends there and does not say why. All others mean that callers "
	 "are missing. stack-cut: the recorded copy of the stack ends. stack-away: it ends "
	 "early, as the rest was not in memory (pages that were never written to). no-cfi: nothing "
	 "tells how "
	 "to unwind that code. no-mapping: the return address is outside all mappings. bad-frame: "
	 "registers or stack cannot be right. depth-limit: more frames were not recorded or asked "
	 "for. lbr-full: the processor keeps no more calls. missing: the sample has no call "
	 "chain, or nothing of its user part (nothing that readperf can read, for a copy of the "
	 "stack of a machine it does not know)."},
	{"percent", CELL_PERCENT, "%",
	 "total_period as a percentage of the period of all samples of the event; 0.0000 if that "
	 "is 0."},
	{"build_id", CELL_TEXT, "", "Build id of the binary, as in results.csv."},
	{"reason", CELL_TEXT, "", "Why the function has no name; empty if it has one."},
	{"kind", CELL_TEXT, "",
	 "With --inline: inline if the function's code is inlined into that of parent_id, and call "
	 "otherwise. Empty in all rows without that option."},
};

static void put_paths(struct table_file *to, const struct path_stat *paths, size_t nr,
		      uint64_t first, const struct results *results)
{
	for (size_t i = 0; i < nr; i++) {
		const struct path_row row = {&paths[i], first + i, first,
					     event_total(results, paths[i].function->event).period,
					     results->inlined};

		table_put_row(to, &row);
	}
}

static void write_paths(struct table_file *to, const struct rows *rows,
			const struct results *results)
{
	const struct trace_profile *traced = results->traced;

	put_paths(to, rows->first, rows->nr, 0, results);
	if (traced)
		put_paths(to, traced->paths, traced->nr_paths, rows->nr, results);
}

const struct table table_paths = {
	.name = "paths",
	.one_row = "one row per event and distinct path of functions, from the outermost one to "
		   "the one in the row",
	.rows = "Paths form trees: each row follows its caller's, and parent_id leads to it. Paths "
		"whose chains end for different reasons are different trees. Every sample is in "
		"self_samples of exactly one row, those without a call chain in one with depth 0: "
		"so the self columns add up to results.csv for each function, and the total "
		"columns of the rows with depth 0 to the event. With a hardware trace its "
		"instructions follow as an event of their own, intel_pt:instructions, on the "
		"paths that it took: each instruction is a sample of period 1 there, and the "
		"self columns add up to trace.csv instead. Rows are sorted by event, then as "
		"the tree is read from the outermost function down, by descending total_period, "
		"then by name.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.write = write_paths,
};
