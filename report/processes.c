/* processes.csv: every life of every process, per event. A row is a struct process_row. */
#include "report/table.h"

struct process_row {
	const struct process_stat *process;
	const char *event;
	struct tally tally;
	uint64_t total; /* period of the event */
};

static const struct process_stat *process_of(const void *row)
{
	return ((const struct process_row *)row)->process;
}

static void put_pid(struct csv *csv, const void *row)
{
	csv_i64(csv, process_of(row)->pid);
}

static void put_comm(struct csv *csv, const void *row)
{
	csv_string(csv, process_of(row)->comm);
}

static void put_nr_mmaps(struct csv *csv, const void *row)
{
	csv_u64(csv, process_of(row)->nr_mmaps);
}

static void put_fork(struct csv *csv, const void *row)
{
	if (process_of(row)->has_fork)
		csv_u64(csv, process_of(row)->fork);
	else
		csv_empty(csv);
}

static void put_exit(struct csv *csv, const void *row)
{
	if (process_of(row)->has_exit)
		csv_u64(csv, process_of(row)->exit);
	else
		csv_empty(csv);
}

static void put_samples(struct csv *csv, const void *row)
{
	csv_u64(csv, ((const struct process_row *)row)->tally.samples);
}

static void put_period(struct csv *csv, const void *row)
{
	csv_u64(csv, ((const struct process_row *)row)->tally.period);
}

static void put_event(struct csv *csv, const void *row)
{
	csv_string(csv, ((const struct process_row *)row)->event);
}

static void put_ppid(struct csv *csv, const void *row)
{
	if (process_of(row)->has_ppid)
		csv_i64(csv, process_of(row)->ppid);
	else
		csv_empty(csv);
}

static void put_threads(struct csv *csv, const void *row)
{
	csv_u64(csv, process_of(row)->threads);
}

static void put_exe(struct csv *csv, const void *row)
{
	csv_string(csv, process_of(row)->exe);
}

static void put_percent(struct csv *csv, const void *row)
{
	const struct process_row *process = row;

	csv_percent(csv, process->tally.period, process->total);
}

static const struct column columns[] = {
	{"pid", TYPE_I32, "",
	 "Process id. A pid that is used again is another life of its own, another row. -1 "
	 "collects the "
	 "samples of no known process.",
	 put_pid},
	{"comm", TYPE_TEXT, "", "Name of the command, the last one if it changed.", put_comm},
	{"#mmap", TYPE_U64, "records", "How many MMAP and MMAP2 records the process has.",
	 put_nr_mmaps},
	{"fork", TYPE_U64, "ns",
	 "When the process was forked, by the recording's clock; empty if the recording does not "
	 "say.",
	 put_fork},
	{"exit", TYPE_U64, "ns",
	 "When the process ended, with its last thread, by the recording's clock; empty if the "
	 "recording does not say.",
	 put_exit},
	{"samples", TYPE_U64, "samples",
	 "Samples of the event in the process, those in the kernel included.", put_samples},
	{"period", TYPE_U64, "events",
	 "Sum of their periods, in the event's own unit: about how many events happened.",
	 put_period},
	{"event", TYPE_TEXT, "", "Name of the event as perf prints it.", put_event},
	{"ppid", TYPE_I32, "", "Process id of the parent; empty if the recording does not say.",
	 put_ppid},
	{"threads", TYPE_U64, "threads",
	 "How many threads of the process the recording shows. A tid that is used again in it is "
	 "another one.",
	 put_threads},
	{"exe", TYPE_TEXT, "",
	 "Path of the main binary after the last exec, as recorded; empty if the recording does "
	 "not say.",
	 put_exe},
	{"percent", TYPE_DECIMAL, "%",
	 "What period is of the period of all samples of the event; 0.0000 if that is 0.",
	 put_percent},
};

static void write_process(struct csv *csv, const struct table *table, const struct results *results,
			  const struct process_stat *process)
{
	const struct life_events events =
		table_events_of_life(results, process->events, process->nr_events);

	for (size_t i = 0; i < events.nr; i++) {
		const uint32_t number = events.numbers[i];
		const struct event_stat *stat = &results->events[number];
		const struct process_row row = {process, stat->event->name,
						process->by_event[number], stat->total.period};

		table_put_row(csv, table, &row);
	}
}

static void write_processes(struct csv *csv, const struct table *table,
			    const struct results *results)
{
	struct process_stat process;

	if (!table_start_rows(csv, &results->processes))
		return;
	while (table_next_row(csv, &results->processes, &process))
		write_process(csv, table, results, &process);
}

const struct table processes_table = {
	.name = "processes",
	.one_row = "one row per life of a process and event",
	.rows = "Rows ascend by pid, then by the order of the lives, then by the event's place in "
		"the "
		"file. Events without any sample have no rows, unless no event has a sample: then "
		"the "
		"first one has. A process without samples has rows too, but not when a filter is "
		"set. Where more than 64 events have samples, a process has rows of those events "
		"that it "
		"has samples of, or one row. For each event samples and period add up to those of "
		"results.csv.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.write = write_processes,
};
