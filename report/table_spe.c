/* spe.csv: operations that the processor sampled itself. A row is a struct spe_stat. */
#include "report/table.h"

enum { AVG_DECIMALS = 2 };

static struct cell *fill_row(struct cell *cell, const void *row_, struct scratch *scratch)
{
	const struct spe_stat *row = row_;
	uint64_t estimate;

	(void)scratch;
	cell_text(cell++, row->event->name);
	cell_i32(cell++, (int32_t)row->pid);
	cell_text(cell++, row->comm);
	cell_text(cell++, row->binary);
	cell_text(cell++, row->function);
	cell_text(cell++, row->filename);
	cell_u64_known(cell++, row->line);
	cell_u64(cell++, row->records);
	cell_percent(cell++, row->records, row->total);
	if (__builtin_mul_overflow(row->records, row->interval, &estimate))
		estimate = UINT64_MAX;
	cell_u64_if(cell++, row->interval, estimate);
	/* 0 / 0 is not finite: the cell is empty */
	for (unsigned i = 0; i < 3; i++)
		cell_decimal(cell++, (double)row->latency[i] / (double)row->known[i], AVG_DECIMALS);
	cell_text(cell++, row->reason);
	cell_text(cell++, row->build_id);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "",
	 "What the operations did. arm_spe:instructions are all of them; arm_spe:memory loads and "
	 "stores; arm_spe:branch branches, and branch-miss those that were mispredicted; "
	 "l1d-access, l1d-miss, l2-access, l2-miss, llc-access, llc-miss accesses to caches and "
	 "misses there, as far as the processor tells; tlb-access and tlb-miss translations of "
	 "addresses, and those that needed a table walk; remote-access accesses to another "
	 "socket."},
	{"pid", CELL_I32, "", "Process id; -1 if unknown."},
	{"comm", CELL_TEXT, "", "Name of the process then; empty if unknown."},
	{"binary", CELL_TEXT, "", "Path of the binary, as in results.csv."},
	{"function", CELL_TEXT, "", "Function that the operations are in, as in results.csv."},
	{"filename", CELL_TEXT, "", "Source file that defines it; empty if unknown."},
	{"line", CELL_U64, "", "Line of its definition; empty if unknown."},
	{"records", CELL_U64, "records",
	 "Records of the trace, one for each operation that was sampled. They are not scaled."},
	{"percent", CELL_PERCENT, "%", "records as a percentage of those of the event."},
	{"operations", CELL_U64, "operations",
	 "Estimate of how many operations there were: records times the interval between two "
	 "samples. Empty if the recording chose which operations to sample (loads, a least "
	 "latency), as records are then only of these."},
	{"latency_avg", CELL_DECIMAL, "cycles",
	 "Average of cycles from dispatch to the end of the operation, of the records that tell."},
	{"issue_latency_avg", CELL_DECIMAL, "cycles", "The same until it was issued."},
	{"translation_latency_avg", CELL_DECIMAL, "cycles",
	 "The same for the translation of its address."},
	{"reason", CELL_TEXT, "", "Why the function has no name; empty if it has one."},
	{"build_id", CELL_TEXT, "", "Build id of the binary, as in results.csv."},
};

const struct table table_spe = {
	.name = "spe",
	.one_row = "one row per process and function of what sampled operations did (Arm SPE)",
	.rows = "The recording needs an Arm SPE trace (perf record -e arm_spe//, perf mem record "
		"on "
		"Arm). An operation counts for each event that it did, and in one row of "
		"arm_spe:instructions. Its samples are those of the processor, not of perf: "
		"results.csv does not have them; memory.csv and cachelines.csv have its loads and "
		"stores, and traceloss.csv what is missing. The filters choose what counts; "
		"--event "
		"takes the names of this table, too. Rows are sorted by event, then by descending "
		"records, then by pid and names.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct spe_stat),
};
