/* blocks.csv: the straight runs of code between branches. A row is a struct block_stat. */
#include "report/table.h"

enum { AVG_DECIMALS = 2 };

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct block_stat *block = row;
	const struct branch_place *start = block->start;

	(void)scratch;
	cell_text(cell++, block->event->name);
	cell_text(cell++, start->binary);
	cell_text(cell++, start->function);
	cell_hex(cell++, start->address);
	cell_hex(cell++, block->end);
	cell_text(cell++, start->filename);
	cell_u64_known(cell++, start->line);
	cell_u64(cell++, block->count);
	cell_u64_if(cell++, block->cycles_known > 0, block->cycles);
	/* 0 / 0 is not finite: the cell is empty */
	cell_decimal(cell++, (double)block->cycles / (double)block->cycles_known, AVG_DECIMALS);
	if (block->all_cycles)
		cell_percent(cell++, block->cycles, block->all_cycles);
	else
		cell_empty(cell++);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"binary", CELL_TEXT, "", "Path of the binary, as in results.csv."},
	{"function", CELL_TEXT, "", "Function at the start, as in results.csv."},
	{"start", CELL_HEX, "",
	 "Address of the first instruction, where a branch led to, as nm and objdump print it."},
	{"end", CELL_HEX, "", "Address of the last instruction, the branch that was taken next."},
	{"filename", CELL_TEXT, "", "Source file of the statement at the start; empty if unknown."},
	{"line", CELL_U64, "", "Line of that statement in filename; empty if unknown."},
	{"count", CELL_U64, "runs", "How often the run is in the branch stacks of samples."},
	{"cycles_sum", CELL_U64, "cycles",
	 "Sum of the core cycles of those that have them; empty if none has. Processors without "
	 "timed branch records have none."},
	{"cycles_avg", CELL_DECIMAL, "cycles", "cycles_sum for each run that has cycles."},
	{"cycles_percent", CELL_PERCENT, "%",
	 "cycles_sum as a percentage of that of all rows of the event; empty if that is 0."},
};

const struct table table_blocks = {
	.name = "blocks",
	.one_row = "one row per event and straight run of code, from where a branch led to the "
		   "next branch that was taken",
	.rows = "A branch stack of n branches tells n-1 runs. Runs that are not in one mapping, "
		"lead "
		"backward, or have 64 KiB and more are left out, as a branch is missing in them; a "
		"note says how many. Rows are sorted by event, then by descending cycles_sum and "
		"count, then by binary and address.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct block_stat),
};
