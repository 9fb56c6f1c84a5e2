/* threads.csv: every life of every thread, per event. A row is a struct thread_row. */
#include "report/table.h"

struct thread_row {
	const struct thread_stat *thread;
	const char *event;
	struct tally tally;
};

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct thread_row *of = row;
	const struct thread_stat *thread = of->thread;

	(void)scratch;
	cell_i32(cell++, (int32_t)thread->pid);
	cell_i32(cell++, (int32_t)thread->tid);
	cell_text(cell++, thread->comm);
	cell_u64_if(cell++, thread->has_fork, thread->fork);
	cell_u64_if(cell++, thread->has_exit, thread->exit);
	cell_u64(cell++, of->tally.samples);
	cell_u64(cell++, of->tally.period);
	cell_text(cell++, of->event);
	cell_text(cell++, thread->process_comm);
	cell_text(cell++, thread->exe);
	cell_u64_if(cell++, thread->has_switches, thread->on_cpu);
	cell_u64_if(cell++, thread->has_switches, thread->off_cpu);
	cell_u64_if(cell++, thread->has_switches, thread->delay);
	cell_u64_if(cell++, thread->has_switches, thread->switches);
	cell_u64_if(cell++, thread->has_switches, thread->preemptions);
	return cell;
}

static const struct column columns[] = {
	{"pid", CELL_I32, "", "Process id of the thread; -1 for the samples of no known process."},
	{"tid", CELL_I32, "",
	 "Thread id; equal to pid for the first thread of a process. If a tid is used again, that "
	 "is another life, in another row. -1 where pid is -1, and for samples of threads that "
	 "are ending, of which the kernel no longer tells it."},
	{"comm", CELL_TEXT, "", "Name of the thread; the last one if it changed."},
	{"fork", CELL_U64, "ns",
	 "When the thread was created, by the recording's clock; empty if the recording does not "
	 "say."},
	{"exit", CELL_U64, "ns",
	 "When the thread ended, by the recording's clock; empty if the recording does not say."},
	{"samples", CELL_U64, "samples",
	 "Samples of the event in the thread, including those in the kernel."},
	{"period", CELL_U64, "events",
	 "Sum of their periods, in the event's unit: roughly how many events occurred."},
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"process_comm", CELL_TEXT, "",
	 "Name of the command of the thread's process, as in processes.csv."},
	{"exe", CELL_TEXT, "", "Path of the process's main binary, as in processes.csv."},
	{"on_cpu_ns", CELL_U64, "ns",
	 "How long the thread ran, as sched_switch samples or SWITCH records tell it; empty if "
	 "none "
	 "of them is of this thread. This column and the next four are of the thread, not of the "
	 "event: each of its rows has the same values, and of the filters only --time changes "
	 "them. "
	 "on_cpu_ns, off_cpu_ns and delay_ns add up to the time from the first of these records of "
	 "the thread (it was woken, came to a CPU or left one) to the last one, without what lies "
	 "around records that were lost or, as a note says, never written: perf record "
	 "--switch-events writes all."},
	{"off_cpu_ns", CELL_U64, "ns",
	 "How long it waited: from the time it left a CPU because it could not go on until it was "
	 "woken or, if wakeups were not recorded, until it ran again. What it could not finish "
	 "within the recording is not included."},
	{"delay_ns", CELL_U64, "ns",
	 "How long it could have run, but did not: since it was woken, or because it was "
	 "preempted."},
	{"switches", CELL_U64, "", "How often it left a CPU."},
	{"preemptions", CELL_U64, "",
	 "How often it left a CPU although it could go on: preempted, or by sched_yield."},
};

static void write_thread(struct table_file *to, const struct results *results,
			 const struct thread_stat *thread)
{
	const struct life_events events =
		table_events_of_life(results, thread->events, thread->nr_events);

	for (size_t i = 0; i < events.nr; i++) {
		const uint32_t number = events.numbers[i];
		const struct thread_row row = {thread, results->events[number].event->name,
					       thread->by_event[number]};

		table_put_row(to, &row);
	}
}

static void write_threads(struct table_file *to, const struct rows *rows,
			  const struct results *results)
{
	struct thread_stat thread;

	if (!table_start_rows(to, &rows->source))
		return;
	while (table_next_row(to, &rows->source, &thread))
		write_thread(to, results, &thread);
}

const struct table table_threads = {
	.name = "threads",
	.one_row = "one row per life of a thread and event",
	.rows = "Rows are sorted by pid, by the life of the process, by tid, by the life of the "
		"thread, then by the event's place in the file. The rules of processes.csv say "
		"which events and which threads without samples have rows. For each event, samples "
		"and period add up to those of results.csv, and those of a process's threads to "
		"its row in processes.csv.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.write = write_threads,
};
