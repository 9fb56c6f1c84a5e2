/* syscalls.csv: how long threads were in system calls. A row is a struct syscall_stat. */
#include "report/table.h"

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct syscall_stat *call = row;

	(void)scratch;
	cell_i32(cell++, (int32_t)call->pid);
	cell_text(cell++, call->comm);
	cell_text(cell++, call->name);
	cell_u64(cell++, call->count);
	cell_u64(cell++, call->total);
	cell_u64_if(cell++, call->count, call->count ? call->total / call->count : 0);
	cell_u64_if(cell++, call->count, call->max);
	cell_u64(cell++, call->failed);
	cell_u64(cell++, call->unfinished);
	return cell;
}

static const struct column columns[] = {
	{"pid", CELL_I32, "", "Process id of the threads; -1 if unknown."},
	{"comm", CELL_TEXT, "",
	 "Name that the threads had when they began the call. Threads of a process that have the "
	 "same name share their rows."},
	{"syscall", CELL_TEXT, "",
	 "Name of the system call, or its number on machines whose names are not known; how "
	 "programs of 32 bits are told: see --per in readperf(1)."},
	{"count", CELL_U64, "", "Calls that have both their begin and their end in the recording."},
	{"total_ns", CELL_U64, "ns", "Sum of the times between the two, on the CPU and off it."},
	{"avg_ns", CELL_U64, "ns", "total_ns / count, rounded down; empty if count is 0."},
	{"max_ns", CELL_U64, "ns", "The longest of these times; empty if count is 0."},
	{"failed", CELL_U64, "", "Those that returned an error."},
	{"unfinished", CELL_U64, "",
	 "Calls that threads had begun and not ended when the recording ended, or the thread did "
	 "(exit)."},
};

const struct table table_syscalls = {
	.name = "syscalls",
	.one_row = "one row per process, name of its threads and system call",
	.rows = "The recording needs the tracepoints raw_syscalls:sys_enter and sys_exit, or those "
		"of single calls (syscalls:sys_enter_read), with a sample of each call, as perf "
		"record makes them without -F. "
		"A call counts if the sample at its begin passes the filters and no records were "
		"lost before its end. Rows are sorted by descending total_ns, then by descending "
		"count, then by pid, comm and syscall.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct syscall_stat),
};
