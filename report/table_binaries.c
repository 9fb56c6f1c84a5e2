/* binaries.csv: where the names came from, or why there are none. A row is a struct binary_stat. */
#include "report/table.h"

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct binary_stat *binary = row;

	(void)scratch;
	cell_text(cell++, binary->event->name);
	cell_text(cell++, binary->binary);
	cell_text(cell++, binary->build_id);
	cell_u64(cell++, binary->total.samples);
	cell_u64(cell++, binary->total.period);
	cell_u64(cell++, binary->total.samples - binary->unnamed);
	cell_u64(cell++, binary->unnamed);
	cell_text(cell++, binary->reason);
	cell_text(cell++, binary->file);
	cell_text(cell++, binary->found_by);
	cell_text(cell++, binary->debug_file);
	cell_text(cell++, binary->debug_found_by);
	cell_text(cell++, binary->refused);
	cell_text(cell++, binary->doubt);
	cell_text(cell++, binary->unwound_by);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"binary", CELL_TEXT, "", "The binary, as in results.csv."},
	{"build_id", CELL_TEXT, "",
	 "Build id of the binary in lower-case hexadecimal; empty if unknown."},
	{"samples", CELL_U64, "", "Number of samples in the binary."},
	{"period", CELL_U64, "events", "Sum of their periods."},
	{"named_samples", CELL_U64, "", "Number of those in a function with a name."},
	{"unnamed_samples", CELL_U64, "", "Number of those without a name."},
	{"reason", CELL_TEXT, "",
	 "Why most of the unnamed ones have no name; if there are none, why callers in the binary "
	 "have none. Empty if all of them have one."},
	{"file", CELL_TEXT, "", "The file from which the names were read; empty if there is none."},
	{"found_by", CELL_TEXT, "",
	 "How that file was found: recorded-path, running-process (which still has the deleted "
	 "file), build-id-cache (of perf), debug-dir "
	 "(/usr/lib/debug or --debug-dir), debug-link (its name is in the binary), debuginfod, "
	 "minidebuginfo (compressed inside the binary itself), running-kernel; for the kernel also "
	 "vmlinux and kallsyms (the options), kernel-release (a path with its release), kcore-dir "
	 "(of the recording)."},
	{"debug_file", CELL_TEXT, "",
	 "The file with the symbols or debugging information missing from that file; empty if none "
	 "was needed or found."},
	{"debug_found_by", CELL_TEXT, "", "How it was found, as in found_by."},
	{"refused", CELL_TEXT, "",
	 "What else was tried and why it is not used: paths, each followed by a reason, separated "
	 "by semicolons. The search ends as soon as nothing is missing. For split DWARF "
	 "(-gsplit-dwarf) the sampled units that were not found are counted, with the path of the "
	 "first."},
	{"doubt", CELL_TEXT, "",
	 "Why names from file may be wrong, if the record of the mapping has no build id: newer "
	 "(it "
	 "was written after the recording ended) or replaced (by its inode the file at the "
	 "recorded "
	 "path is another one than the one mapped; it may have the build id that was recorded for "
	 "that path when the recording ended); empty if there is no doubt."},
	{"unwound_by", CELL_TEXT, "",
	 "How most of its frames in unwound call chains led to their callers: eh_frame (call frame "
	 "information of the binary), debug_frame (that of its debugging information), "
	 "gopclntab (the table of functions that a Go program has for its runtime), "
	 "frame-pointer (it has none), signal-frame (a signal handler returns to it: what the "
	 "kernel saved), or none (no caller was found); empty if no chain was unwound through "
	 "it."},
};

const struct table table_binaries = {
	.name = "binaries",
	.one_row = "one row per event and binary",
	.rows = "The binaries of results.csv; two builds of one path are two binaries. For each "
		"event, the samples of all rows add up to the number of its samples. Rows are "
		"sorted by event, then by descending period, then by name.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct binary_stat),
};
