/* binaries.csv: where the names came from, or why there are none. A row is a struct binary_stat. */
#include "report/table.h"

static const struct binary_stat *binary_of(const void *row)
{
	return row;
}

static void put_event(struct csv *csv, const void *row)
{
	csv_string(csv, binary_of(row)->event->name);
}

static void put_binary(struct csv *csv, const void *row)
{
	csv_string(csv, binary_of(row)->binary);
}

static void put_build_id(struct csv *csv, const void *row)
{
	csv_string(csv, binary_of(row)->build_id);
}

static void put_samples(struct csv *csv, const void *row)
{
	csv_u64(csv, binary_of(row)->total.samples);
}

static void put_period(struct csv *csv, const void *row)
{
	csv_u64(csv, binary_of(row)->total.period);
}

static void put_named(struct csv *csv, const void *row)
{
	csv_u64(csv, binary_of(row)->total.samples - binary_of(row)->unnamed);
}

static void put_unnamed(struct csv *csv, const void *row)
{
	csv_u64(csv, binary_of(row)->unnamed);
}

static void put_reason(struct csv *csv, const void *row)
{
	csv_string(csv, binary_of(row)->reason);
}

static void put_file(struct csv *csv, const void *row)
{
	csv_string(csv, binary_of(row)->file);
}

static void put_found_by(struct csv *csv, const void *row)
{
	csv_string(csv, binary_of(row)->found_by);
}

static void put_debug_file(struct csv *csv, const void *row)
{
	csv_string(csv, binary_of(row)->debug_file);
}

static void put_debug_found_by(struct csv *csv, const void *row)
{
	csv_string(csv, binary_of(row)->debug_found_by);
}

static void put_refused(struct csv *csv, const void *row)
{
	csv_string(csv, binary_of(row)->refused);
}

static void put_doubt(struct csv *csv, const void *row)
{
	csv_string(csv, binary_of(row)->doubt);
}

static const struct column columns[] = {
	{"event", TYPE_TEXT, "", "Name of the event as perf prints it.", put_event},
	{"binary", TYPE_TEXT, "", "The binary, as in results.csv.", put_binary},
	{"build_id", TYPE_TEXT, "",
	 "Build id of the binary in lower-case hexadecimal; empty if it is not known.",
	 put_build_id},
	{"samples", TYPE_U64, "", "How many samples lie in the binary.", put_samples},
	{"period", TYPE_U64, "events", "Sum of their periods.", put_period},
	{"named_samples", TYPE_U64, "", "How many of them lie in a function with a name.",
	 put_named},
	{"unnamed_samples", TYPE_U64, "", "How many do not.", put_unnamed},
	{"reason", TYPE_TEXT, "",
	 "Why most of those without a name have none; empty if all have one.", put_reason},
	{"file", TYPE_TEXT, "", "The file that the names were read from; empty if there is none.",
	 put_file},
	{"found_by", TYPE_TEXT, "",
	 "Why that file was looked at: recorded-path, build-id-cache (of perf), debug-dir "
	 "(/usr/lib/debug or --debug-dir), debug-link (its name is in the binary), debuginfod, "
	 "minidebuginfo "
	 "(packed into the binary itself), running-kernel; of the kernel also vmlinux and kallsyms "
	 "(the options), kernel-release (a path with its release), kcore-dir (of the recording).",
	 put_found_by},
	{"debug_file", TYPE_TEXT, "",
	 "The file that has the symbols or the debugging information which that file lacks; empty "
	 "if none was needed or found.",
	 put_debug_file},
	{"debug_found_by", TYPE_TEXT, "", "Why it was looked at, as in found_by.",
	 put_debug_found_by},
	{"refused", TYPE_TEXT, "",
	 "What else was tried and why it is not used: paths with a reason behind each, and a "
	 "semicolon between them. The search ends as soon as nothing is missing. Of split DWARF "
	 "(-gsplit-dwarf) the units that samples fall into and that are not found are counted, "
	 "with the first one's path.",
	 put_refused},
	{"doubt", TYPE_TEXT, "",
	 "Why names from file may be wrong though it lies at the recorded path, if no build id was "
	 "recorded: newer (it was written after the recording ended), replaced (the recorded one "
	 "was another file of the device, by its inode); empty if nothing speaks against it.",
	 put_doubt},
};

static void write_binaries(struct csv *csv, const struct table *table,
			   const struct results *results)
{
	for (size_t i = 0; i < results->nr_binaries; i++)
		table_put_row(csv, table, &results->binaries[i]);
}

const struct table binaries_table = {
	.name = "binaries",
	.one_row = "one row per event and binary",
	.rows = "The binaries of results.csv, two builds of one path being two. For each event the "
		"samples of the rows add up to the number of its samples. Rows are ordered by "
		"event, then by period from high to low, then by name.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.write = write_binaries,
};
