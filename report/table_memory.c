/* memory.csv: where the data of accesses to memory was. A row is a struct memory_stat. */
#include "report/table.h"

enum { AVG_DECIMALS = 2 };

static struct cell *put_latency(struct cell *cell, const struct latency_stat *latency)
{
	const bool is_known = latency->known > 0;

	cell_u64_if(cell++, is_known, latency->sum);
	/* 0 / 0 is not finite: the cell is empty */
	cell_decimal(cell++, (double)latency->sum / (double)latency->known, AVG_DECIMALS);
	cell_u64_if(cell++, is_known, latency->min);
	cell_u64_if(cell++, is_known, latency->max);
	cell_u64_if(cell++, is_known, latency->p50);
	cell_u64_if(cell++, is_known, latency->p99);
	return cell;
}

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct memory_stat *memory = row;

	(void)scratch;
	cell_text(cell++, memory->event->name);
	cell_text(cell++, memory->binary);
	cell_text(cell++, memory->function);
	cell_text(cell++, memory->filename);
	cell_text(cell++, memory->op);
	cell_text(cell++, memory->source);
	cell_text(cell++, memory->snoop);
	cell_text(cell++, memory->tlb);
	cell_text(cell++, memory->locked);
	cell_u64(cell++, memory->tally.samples);
	cell_u64(cell++, memory->tally.period);
	cell = put_latency(cell, &memory->latency);
	cell_decimal(cell++, (double)memory->instruction_sum / (double)memory->instruction_known,
		     AVG_DECIMALS);
	if (memory->all_latency)
		cell_percent(cell++, memory->latency.sum, memory->all_latency);
	else
		cell_empty(cell++);
	cell_text(cell++, memory->build_id);
	cell_text(cell++, memory->reason);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"binary", CELL_TEXT, "", "Path of the binary, as in results.csv."},
	{"function", CELL_TEXT, "", "Function that accessed memory, as in results.csv."},
	{"filename", CELL_TEXT, "", "Source file that defines it; empty if unknown."},
	{"op", CELL_TEXT, "", "load, store, prefetch, exec, several with | between them, or n/a."},
	{"source", CELL_TEXT, "",
	 "Where the data was: L0, L1, LFB (it was on its way), L2, L2 MHB, L3, L4, MSC, any cache, "
	 "RAM, PMEM, CXL, I/O or uncached; remote, remote cache, remote RAM and so on of another "
	 "node or socket; other core L2, other core cache and so on of another core of the same "
	 "node; L3 peer of a cache at the same distance; miss L1 and so on if it is only known "
	 "where it was not; n/a if not recorded. hops and a number: a distance that this version "
	 "does not know."},
	{"snoop", CELL_TEXT, "",
	 "What other caches had of it: none, hit, miss, hitm (modified), forward, peer, or n/a."},
	{"tlb", CELL_TEXT, "",
	 "Where the page's address was found: L1 hit, L1 or L2 hit, walker hit, L2 miss and so on, "
	 "or n/a."},
	{"locked", CELL_TEXT, "", "Whether it was an atomic operation: yes, no or n/a."},
	{"samples", CELL_U64, "samples", "Number of samples, or of records of an Arm SPE trace."},
	{"period", CELL_U64, "events", "Sum of their periods; 1 for each record of a trace."},
	{"latency_sum", CELL_U64, "cycles",
	 "Sum of the latencies (weights) of those that have one; empty if none has. A weight of 0 "
	 "means that it is not known, as that of stores on many processors."},
	{"latency_avg", CELL_DECIMAL, "cycles", "latency_sum for each sample that has a latency."},
	{"latency_min", CELL_U64, "cycles", "The shortest latency."},
	{"latency_max", CELL_U64, "cycles", "The longest latency."},
	{"latency_p50", CELL_U64, "cycles", "The median, at most an eighth away."},
	{"latency_p99", CELL_U64, "cycles",
	 "The latency that 1 % of the samples exceed, at most an eighth away."},
	{"inst_latency_avg", CELL_DECIMAL, "cycles",
	 "Average time that the whole instruction took; empty if not recorded."},
	{"percent_weight", CELL_PERCENT, "%",
	 "latency_sum as a percentage of that of all rows of the event, as perf mem report has it; "
	 "empty if that is 0."},
	{"build_id", CELL_TEXT, "", "Build id of the binary, as in results.csv."},
	{"reason", CELL_TEXT, "", "Why the function has no name; empty if it has one."},
};

const struct table table_memory = {
	.name = "memory",
	.one_row = "one row per event, function, and what its accesses to memory met",
	.rows = "perf mem record records what it takes; rows are made of events with data_src. The "
		"recording decides which accesses there are: perf mem record leaves out loads of "
		"fewer than 30 cycles unless --ldlat says otherwise. Every sample with data_src is "
		"in exactly one row, and so is every load or store of an Arm SPE trace, under "
		"the event arm_spe:memory. Rows are sorted by event, then by descending "
		"latency_sum and "
		"samples, then by function.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct memory_stat),
};
