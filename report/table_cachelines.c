/* cachelines.csv: who shares cache lines. A row is a struct cacheline_stat. */
#include "report/table.h"

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct cacheline_stat *use = row;

	(void)scratch;
	cell_text(cell++, use->data_binary);
	cell_u64_if(cell++, use->is_private, use->pid);
	cell_hex(cell++, use->line);
	cell_u64(cell++, use->offset);
	cell_text(cell++, use->binary);
	cell_text(cell++, use->function);
	cell_text(cell++, use->filename);
	cell_u64(cell++, use->records);
	cell_u64(cell++, use->loads);
	cell_u64(cell++, use->stores);
	cell_u64(cell++, use->hitm_local);
	cell_u64(cell++, use->hitm_remote);
	cell_u64(cell++, use->peer);
	cell_u64(cell++, use->l1hit_stores);
	cell_u64(cell++, use->l1miss_stores);
	cell_u64(cell++, use->ram);
	cell_u64(cell++, use->tids);
	cell_u64_known(cell++, use->cpus);
	cell_u64(cell++, use->line_records);
	cell_u64(cell++, use->line_hitm);
	cell_u64(cell++, use->line_offsets);
	cell_u64(cell++, use->line_tids);
	cell_text(cell++, use->build_id);
	cell_text(cell++, use->reason);
	return cell;
}

static const struct column columns[] = {
	{"data_binary", CELL_TEXT, "",
	 "What is mapped where the line is: the path of a file, [heap], [stack], [anon] (also "
	 "for variables of a program that are beyond the last page of its file, .bss), "
	 "[unmapped] if the recording does not say (perf record -d does), as for the kernel's "
	 "data."},
	{"pid", CELL_U64, "",
	 "Process whose memory it is: also a file's part that it may write to without others "
	 "seeing it, such as a program's variables. Empty if others may share it."},
	{"line", CELL_HEX, "",
	 "Address of the line; of a file's, the place in the file, which is the same for all "
	 "processes. Lines have the length that the recording tells, or else 64 bytes."},
	{"offset", CELL_U64, "bytes", "Which part of the line was accessed, from its start."},
	{"binary", CELL_TEXT, "", "Path of the binary that accessed it, as in results.csv."},
	{"function", CELL_TEXT, "", "Function that accessed it, as in results.csv."},
	{"filename", CELL_TEXT, "", "Source file that defines it; empty if unknown."},
	{"records", CELL_U64, "samples",
	 "Number of samples: loads and stores. One of a group (:S) counts once, not for each "
	 "member."},
	{"loads", CELL_U64, "samples", "How many of them loaded."},
	{"stores", CELL_U64, "samples", "How many of them stored."},
	{"ld_hitm_local", CELL_U64, "samples",
	 "Loads that met the line modified in another cache of the same node: the cost of "
	 "sharing."},
	{"ld_hitm_remote", CELL_U64, "samples", "The same in a cache of another node."},
	{"peer", CELL_U64, "samples",
	 "Loads that another cache at the same distance answered (arm64 has these in place of "
	 "hitm)."},
	{"l1hit_stores", CELL_U64, "samples", "Stores that found the line in the first cache."},
	{"l1miss_stores", CELL_U64, "samples", "Stores that did not."},
	{"ram", CELL_U64, "samples", "Loads from memory of any node."},
	{"tids", CELL_U64, "threads", "Number of threads that did."},
	{"cpus", CELL_U64, "CPUs", "Number of CPUs that did; empty if not recorded."},
	{"line_records", CELL_U64, "samples", "records of all rows of the line."},
	{"line_hitm", CELL_U64, "samples",
	 "ld_hitm_local, ld_hitm_remote and peer of all its rows."},
	{"line_offsets", CELL_U64, "", "Number of different offsets in its rows."},
	{"line_tids", CELL_U64, "threads", "Number of threads that accessed the line."},
	{"build_id", CELL_TEXT, "", "Build id of the binary, as in results.csv."},
	{"reason", CELL_TEXT, "", "Why the function has no name; empty if it has one."},
};

const struct table table_cachelines = {
	.name = "cachelines",
	.one_row = "one row per cache line, offset in it, and function",
	.rows = "perf c2c record records what it takes: samples with an address and data_src; all "
		"events count together. A line with line_hitm, several offsets and several threads "
		"is false sharing: the threads use different data that lie in one line. Samples "
		"that neither load nor store, or have no address, are left out; a note says how "
		"many. Rows are sorted by descending line_hitm and line_records, then by line, "
		"offset and descending records.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct cacheline_stat),
};
