/* processes.csv: every life of every process, per event. A row is a struct process_row. */
#include "report/table.h"

struct process_row {
	const struct process_stat *process;
	const char *event;
	struct tally tally;
	uint64_t total; /* period of the event */
};

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct process_row *of = row;
	const struct process_stat *process = of->process;

	(void)scratch;
	cell_i32(cell++, (int32_t)process->pid);
	cell_text(cell++, process->comm);
	cell_u64(cell++, process->nr_mmaps);
	cell_u64_if(cell++, process->has_fork, process->fork);
	cell_u64_if(cell++, process->has_exit, process->exit);
	cell_u64(cell++, of->tally.samples);
	cell_u64(cell++, of->tally.period);
	cell_text(cell++, of->event);
	cell_i32_if(cell++, process->has_ppid, (int32_t)process->ppid);
	cell_u64(cell++, process->threads);
	cell_text(cell++, process->exe);
	cell_percent(cell++, of->tally.period, of->total);
	return cell;
}

static const struct column columns[] = {
	{"pid", CELL_I32, "",
	 "Process id. A pid that is used again is another life of its own, another row. -1 "
	 "collects the "
	 "samples of no known process."},
	{"comm", CELL_TEXT, "", "Name of the command, the last one if it changed."},
	{"#mmap", CELL_U64, "records", "How many MMAP and MMAP2 records the process has."},
	{"fork", CELL_U64, "ns",
	 "When the process was forked, by the recording's clock; empty if the recording does not "
	 "say."},
	{"exit", CELL_U64, "ns",
	 "When the process ended, with its last thread, by the recording's clock; empty if the "
	 "recording does not say."},
	{"samples", CELL_U64, "samples",
	 "Samples of the event in the process, those in the kernel included."},
	{"period", CELL_U64, "events",
	 "Sum of their periods, in the event's own unit: about how many events happened."},
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"ppid", CELL_I32, "", "Process id of the parent; empty if the recording does not say."},
	{"threads", CELL_U64, "threads",
	 "How many threads of the process the recording shows. A tid that is used again in it is "
	 "another one."},
	{"exe", CELL_TEXT, "",
	 "Path of the main binary after the last exec, as recorded; empty if the recording does "
	 "not say."},
	{"percent", CELL_PERCENT, "%",
	 "What period is of the period of all samples of the event; 0.0000 if that is 0."},
};

static void write_process(struct table_file *to, const struct results *results,
			  const struct process_stat *process)
{
	const struct life_events events =
		table_events_of_life(results, process->events, process->nr_events);

	for (size_t i = 0; i < events.nr; i++) {
		const uint32_t number = events.numbers[i];
		const struct event_stat *stat = &results->events[number];
		const struct process_row row = {process, stat->event->name,
						process->by_event[number], stat->total.period};

		table_put_row(to, &row);
	}
}

static void write_processes(struct table_file *to, const struct rows *rows,
			    const struct results *results)
{
	struct process_stat process;

	if (!table_start_rows(to, &rows->source))
		return;
	while (table_next_row(to, &rows->source, &process))
		write_process(to, results, &process);
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
	.fill = fill_row,
	.write = write_processes,
};
