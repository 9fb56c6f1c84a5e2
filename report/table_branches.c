/* branches.csv: which branches were taken, and mispredicted. A row is a struct branch_stat. */
#include "report/table.h"

static struct cell *put_place(struct cell *cell, const struct branch_place *place)
{
	cell_text(cell++, place->binary);
	cell_text(cell++, place->function);
	cell_hex(cell++, place->address);
	cell_u64_known(cell++, place->line);
	return cell;
}

static void set_percent(struct cell *cell, uint64_t part, uint64_t total)
{
	if (total)
		cell_percent(cell, part, total);
	else
		cell_empty(cell);
}

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct branch_stat *branch = row;

	(void)scratch;
	cell_text(cell++, branch->event->name);
	cell = put_place(cell, branch->from);
	cell = put_place(cell, branch->to);
	cell_text(cell++, branch->type);
	cell_text(cell++, branch->priv);
	cell_u64(cell++, branch->count);
	cell_u64_if(cell++, branch->known > 0, branch->mispredicted);
	set_percent(cell++, branch->mispredicted, branch->known);
	cell_u64(cell++, branch->known);
	cell_u64_if(cell++, branch->cycles_known > 0, branch->cycles);
	cell_u64(cell++, branch->cycles_known);
	cell_u64(cell++, branch->in_tx);
	cell_u64(cell++, branch->aborts);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"from_binary", CELL_TEXT, "",
	 "Path of the binary that the branch is in, as in results.csv."},
	{"from_function", CELL_TEXT, "", "Function that the branch is in, as in results.csv."},
	{"from_address", CELL_HEX, "", "Address of the branch, as nm and objdump print it."},
	{"from_line", CELL_U64, "", "Source line of the branch; empty if unknown."},
	{"to_binary", CELL_TEXT, "", "Path of the binary that the branch leads to."},
	{"to_function", CELL_TEXT, "", "Function that the branch leads to."},
	{"to_address", CELL_HEX, "", "Address that the branch leads to."},
	{"to_line", CELL_U64, "", "Source line that the branch leads to; empty if unknown."},
	{"type", CELL_TEXT, "",
	 "Kind of the branch, as perf names it: cond, uncond, ind, call, ind_call, ret, syscall, "
	 "sysret, cond_call, cond_ret, eret, irq, serror, no_tx, fault_algn, fault_data, "
	 "fault_inst, arch_1 to arch_5; a number (0x..) that this version does not know. Empty if "
	 "not recorded: perf record -j any,save_type records it."},
	{"priv", CELL_TEXT, "",
	 "Privilege that the branch leads to: user, kernel, hypervisor, or a number (0x..). Empty "
	 "if not recorded: perf record -j any,priv records it."},
	{"count", CELL_U64, "branches",
	 "How often the branch is in the branch stacks of samples. Each sample shows the last few "
	 "branches only, so counts tell the branches' shares, not how often they were taken."},
	{"mispredicted", CELL_U64, "branches",
	 "How many of them the processor had mispredicted; empty if none of them tells."},
	{"mispredict_percent", CELL_PERCENT, "%",
	 "mispredicted as a percentage of known_prediction; empty if that is 0."},
	{"known_prediction", CELL_U64, "branches",
	 "How many of them tell whether they were mispredicted; those that claim both or neither "
	 "tell nothing."},
	{"cycles", CELL_U64, "cycles",
	 "Sum of the core cycles since the branch before, of those that have them; empty if none "
	 "has."},
	{"cycles_known", CELL_U64, "branches", "How many of them have cycles."},
	{"in_tx", CELL_U64, "branches", "How many of them were in a hardware transaction."},
	{"aborts", CELL_U64, "branches", "How many of them aborted one."},
};

const struct table table_branches = {
	.name = "branches",
	.one_row = "one row per event, branch (where it is and where it leads), type and privilege",
	.rows = "Rows are made of the branch stacks (LBR) of samples: perf record -b records them. "
		"Stacks of call-stack mode (--call-graph=lbr) make none, as they hold calls that "
		"have not returned. Branches that were speculated and never executed are left out, "
		"and those without an address; a note says how many. Rows are sorted by event, "
		"then "
		"by descending count, then by binary and address.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct branch_stat),
};
