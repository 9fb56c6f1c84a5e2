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
	 "Process id. If a pid is used again, that is another life, in another row. -1 collects "
	 "the samples of no known process."},
	{"comm", CELL_TEXT, "", "Name of the command; the last one if it changed."},
	{"#mmap", CELL_U64, "records", "Number of MMAP and MMAP2 records of the process."},
	{"fork", CELL_U64, "ns",
	 "When the process was forked, by the recording's clock; empty if the recording does not "
	 "say."},
	{"exit", CELL_U64, "ns",
	 "When the process ended, with its last thread, by the recording's clock; empty if the "
	 "recording does not say."},
	{"samples", CELL_U64, "samples",
	 "Samples of the event in the process, including those in the kernel."},
	{"period", CELL_U64, "events",
	 "Sum of their periods, in the event's unit: roughly how many events occurred."},
	{"event", CELL_TEXT, "", "Name of the event as perf prints it."},
	{"ppid", CELL_I32, "", "Process id of the parent; empty if the recording does not say."},
	{"threads", CELL_U64, "threads",
	 "Number of threads of the process in the recording. A tid that is used again counts as "
	 "another thread."},
	{"exe", CELL_TEXT, "",
	 "Path of the main binary after the last exec, as recorded; empty if the recording does "
	 "not say."},
	{"percent", CELL_PERCENT, "%",
	 "period as a percentage of the period of all samples of the event; 0.0000 if that is 0."},
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

const struct table table_processes = {
	.name = "processes",
	.one_row = "one row per life of a process and event",
	.rows = "Rows are sorted by pid, then by life, then by the event's place in the file. "
		"Events without samples have no rows; if no event has a sample, the first event "
		"has rows. Processes without samples have rows, too, unless a filter is set. If "
		"more than 64 events have samples, a process has rows only for the events that it "
		"has samples of, or one row. For each event, samples and period add up to those of "
		"results.csv.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.write = write_processes,
};
