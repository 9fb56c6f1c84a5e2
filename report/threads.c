/* threads.csv: every life of every thread, per event. A row is a struct thread_row. */
#include "report/table.h"

struct thread_row {
	const struct thread_stat *thread;
	const char *event;
	struct tally tally;
};

static const struct thread_stat *thread_of(const void *row)
{
	return ((const struct thread_row *)row)->thread;
}

static void put_pid(struct csv *csv, const void *row)
{
	csv_i64(csv, thread_of(row)->pid);
}

static void put_tid(struct csv *csv, const void *row)
{
	csv_i64(csv, thread_of(row)->tid);
}

static void put_comm(struct csv *csv, const void *row)
{
	csv_string(csv, thread_of(row)->comm);
}

static void put_fork(struct csv *csv, const void *row)
{
	if (thread_of(row)->has_fork)
		csv_u64(csv, thread_of(row)->fork);
	else
		csv_empty(csv);
}

static void put_exit(struct csv *csv, const void *row)
{
	if (thread_of(row)->has_exit)
		csv_u64(csv, thread_of(row)->exit);
	else
		csv_empty(csv);
}

static void put_samples(struct csv *csv, const void *row)
{
	csv_u64(csv, ((const struct thread_row *)row)->tally.samples);
}

static void put_period(struct csv *csv, const void *row)
{
	csv_u64(csv, ((const struct thread_row *)row)->tally.period);
}

static void put_event(struct csv *csv, const void *row)
{
	csv_string(csv, ((const struct thread_row *)row)->event);
}

static void put_process_comm(struct csv *csv, const void *row)
{
	csv_string(csv, thread_of(row)->process_comm);
}

static void put_exe(struct csv *csv, const void *row)
{
	csv_string(csv, thread_of(row)->exe);
}

static const struct column columns[] = {
	{"pid", TYPE_I32, "", "Id of the thread's process; -1 for the samples of no known process.",
	 put_pid},
	{"tid", TYPE_I32, "",
	 "Id of the thread, for the first thread of a process the same as pid. A tid that is used "
	 "again is another life of its own, another row. -1 where pid is.",
	 put_tid},
	{"comm", TYPE_TEXT, "", "Name of the thread, the last one if it changed.", put_comm},
	{"fork", TYPE_U64, "ns",
	 "When the thread was made, by the recording's clock; empty if the recording does not say.",
	 put_fork},
	{"exit", TYPE_U64, "ns",
	 "When the thread ended, by the recording's clock; empty if the recording does not say.",
	 put_exit},
	{"samples", TYPE_U64, "samples",
	 "Samples of the event in the thread, those in the kernel included.", put_samples},
	{"period", TYPE_U64, "events",
	 "Sum of their periods, in the event's own unit: about how many events happened.",
	 put_period},
	{"event", TYPE_TEXT, "", "Name of the event as perf prints it.", put_event},
	{"process_comm", TYPE_TEXT, "",
	 "Name of the command of the thread's process, as in processes.csv.", put_process_comm},
	{"exe", TYPE_TEXT, "", "Path of the process's main binary, as in processes.csv.", put_exe},
};

static void write_thread(struct csv *csv, const struct table *table, const struct results *results,
			 const struct thread_stat *thread)
{
	const struct life_events events =
		table_events_of_life(results, thread->events, thread->nr_events);

	for (size_t i = 0; i < events.nr; i++) {
		const uint32_t number = events.numbers[i];
		const struct thread_row row = {thread, results->events[number].event->name,
					       thread->by_event[number]};

		table_put_row(csv, table, &row);
	}
}

static void write_threads(struct csv *csv, const struct table *table, const struct results *results)
{
	struct thread_stat thread;

	if (!table_start_rows(csv, &results->threads))
		return;
	while (table_next_row(csv, &results->threads, &thread))
		write_thread(csv, table, results, &thread);
}

const struct table threads_table = {
	.name = "threads",
	.one_row = "one row per life of a thread and event",
	.rows = "Rows ascend by pid, by the order of the process's lives, by tid, by the order of "
		"the thread's lives, then by the event's place in the file. Which events and which "
		"threads without samples have rows is as in processes.csv. For each event samples "
		"and period add up to those of results.csv, and those of a process's threads to "
		"its row in processes.csv.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.write = write_threads,
};
