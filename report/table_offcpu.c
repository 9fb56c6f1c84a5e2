/* offcpu.csv: where threads wait. A row is a struct offcpu_stat. */
#include "report/table.h"

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct offcpu_stat *wait = row;
	const struct function_stat *function = wait->function;

	(void)scratch;
	cell_i32(cell++, (int32_t)wait->pid);
	cell_text(cell++, wait->comm);
	cell_text(cell++, function ? function->binary : "");
	cell_text(cell++, function ? function->function : "[unknown]");
	cell_text(cell++, function ? function->filename : "");
	cell_text(cell++, wait->state);
	cell_u64(cell++, wait->wait);
	cell_u64(cell++, wait->delay);
	cell_u64(cell++, wait->preempt);
	cell_u64(cell++, wait->count);
	cell_u64_known(cell++, wait->max);
	cell_u64_if(cell++, function, wait->children_wait);
	cell_u64_if(cell++, function, wait->children_count);
	cell_text(cell++, wait->waits_in);
	cell_text(cell++, wait->source);
	cell_text(cell++, function ? function->build_id : "");
	cell_text(cell++, function ? function->reason : "no-call-chain");
	return cell;
}

static const struct column columns[] = {
	{"pid", CELL_I32, "", "Process id of the threads that waited; -1 if unknown."},
	{"comm", CELL_TEXT, "",
	 "Name that the threads had when they began to wait. Threads of a process that have the "
	 "same name share their rows."},
	{"binary", CELL_TEXT, "", "Path of the function's binary, as in results.csv."},
	{"function", CELL_TEXT, "",
	 "Where they waited: the innermost function of the program on the stack; if there is none, "
	 "as for threads of the kernel, the function of the column waits_in. [unknown] if it has "
	 "no "
	 "name, or there is no call chain."},
	{"filename", CELL_TEXT, "", "Source file that defines the function; empty if unknown."},
	{"state", CELL_TEXT, "",
	 "State in which they left the CPU, as the kernel prints it: S sleeping, D sleeping "
	 "uninterruptibly (mostly for a disk), R able to run (R+ preempted), T stopped, t traced, "
	 "I "
	 "idle thread of the kernel; empty if the source does not tell."},
	{"wait_ns", CELL_U64, "ns",
	 "Time from leaving the CPU until they were woken; if wakeups were not recorded, until "
	 "they "
	 "ran again."},
	{"delay_ns", CELL_U64, "ns", "Time from being woken until they ran."},
	{"preempt_ns", CELL_U64, "ns",
	 "Time off the CPU although they could run: preempted, or by sched_yield."},
	{"count", CELL_U64, "",
	 "How often they waited; for offcpu-time, the number of samples, each of which may be the "
	 "sum of several waits."},
	{"max_ns", CELL_U64, "ns",
	 "The longest time that one of them was off the CPU at a stretch; empty if the source only "
	 "has sums."},
	{"children_wait_ns", CELL_U64, "ns",
	 "wait_ns of the function and of everything it called, of the same threads, state, "
	 "waits_in "
	 "and source; each wait counts once, also with recursion. Empty without a call chain."},
	{"children_count", CELL_U64, "", "How many waits that is."},
	{"waits_in", CELL_TEXT, "",
	 "The kernel's function that called the scheduler, such as futex_wait_queue, ep_poll or "
	 "do_nanosleep; empty if unknown."},
	{"source", CELL_TEXT, "",
	 "What tells of the waits: sched_switch (samples of that tracepoint), offcpu-time (perf "
	 "record --off-cpu), switch (SWITCH records, which have no call chain)."},
	{"build_id", CELL_TEXT, "", "Build id of the function's binary; empty if unknown."},
	{"reason", CELL_TEXT, "",
	 "Why the function has no name, as in results.csv, or no-call-chain; empty if it has one."},
};

const struct table table_offcpu = {
	.name = "offcpu",
	.one_row = "one row per process, name of its threads, function where they waited, state, "
		   "waits_in and source",
	.rows = "Functions that only called others have rows too, with a count of 0. A wait counts "
		"if both its begin and its end are in the recording, no records were lost in "
		"between, and the sample or record at its begin passes the filters; with --time, "
		"records outside that range are as if they had not been recorded. If only its "
		"begin is missing, its delay_ns counts, without a function and with a count of 0. "
		"A user call chain "
		"that comes later in the recording counts for the waits before it. Without "
		"filters, what the sources sched_switch and switch have of a process adds up to "
		"what "
		"threads.csv has of its threads: wait_ns to off_cpu_ns, delay_ns and preempt_ns to "
		"delay_ns; but threads that nothing but switches tells of have no row there. Rows "
		"are sorted "
		"by "
		"descending wait_ns, then by descending children_wait_ns, then by pid and names.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct offcpu_stat),
};
