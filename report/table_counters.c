/* counters.csv: what perf stat record counted. A row is a struct counter_stat. */
#include "report/table.h"

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct counter_stat *stat = row;
	const struct stat_counter *counter = &stat->counter;
	const struct counter_value *counted = &stat->counted;
	const bool ran = counted->running > 0;
	const uint64_t shown =
		counted->running < counted->enabled ? counted->running : counted->enabled;

	(void)scratch;
	cell_text(cell++, counter->event->name);
	cell_u64_if(cell++, counter->has_cpu, counter->cpu);
	cell_u64_if(cell++, counter->has_place, counter->socket);
	cell_u64_if(cell++, counter->has_place, counter->core);
	cell_empty(cell++); /* pid */
	cell_u64_if(cell++, counter->has_tid, counter->tid);
	cell_text(cell++, counter->comm);
	cell_u64_if(cell++, stat->has_time, stat->time);
	cell_u64_if(cell++, stat->has_time, stat->interval);
	cell_u64_if(cell++, ran, counted->value);
	cell_u64(cell++, counted->enabled);
	cell_u64(cell++, counted->running);
	if (counted->enabled > 0)
		cell_percent(cell++, shown, counted->enabled);
	else
		cell_empty(cell++);
	cell_u64_if(cell++, ran, counted->scaled);
	cell_text(cell++, counter->unit);
	cell_decimal_if(cell++, ran, (double)counted->scaled * counter->scale, 6);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "", "Name of the event, as perf prints it."},
	{"cpu", CELL_U64, "", "The CPU; empty if the counter followed threads."},
	{"socket", CELL_U64, "", "Socket of that CPU; empty if the recording does not tell."},
	{"core", CELL_U64, "", "Core of that CPU within its socket."},
	{"pid", CELL_U64, "",
	 "Process of the thread; empty, because perf stat record lists threads only."},
	{"tid", CELL_U64, "", "The thread; empty if the counter is of all threads on a CPU."},
	{"comm", CELL_TEXT, "", "Name of the thread when counting began; may be unknown."},
	{"time", CELL_U64, "ns",
	 "End of the interval, since the start of counting; empty for what was counted after the "
	 "last one."},
	{"interval", CELL_U64, "ns",
	 "Length of the interval: perf stat record -I makes many, else the run is the only one."},
	{"value", CELL_U64, "events",
	 "What was counted in the interval; empty if the counter did not run in it."},
	{"enabled", CELL_U64, "ns", "Time in which the counter was to run."},
	{"running", CELL_U64, "ns",
	 "Time in which it did: less if counters took turns (multiplexing)."},
	{"running_percent", CELL_PERCENT, "%", "Part of enabled that running is."},
	{"scaled", CELL_U64, "events",
	 "value * enabled / running: an estimate, unless the counter ran all the time; rounded "
	 "down, and at most 2^64 - 1."},
	{"unit", CELL_TEXT, "", "Unit of unit_value; empty if it is a number of events."},
	{"unit_value", CELL_DECIMAL, "",
	 "scaled in that unit: milliseconds for task-clock, Joules for energy."},
};

static void write_counters(struct table_file *to, const struct rows *rows,
			   const struct results *results)
{
	struct counter_stat stat;

	(void)results;
	if (!rows->source.start || !table_start_rows(to, &rows->source))
		return;
	while (table_next_row(to, &rows->source, &stat))
		table_put_row(to, &stat);
}

const struct table table_counters = {
	.name = "counters",
	.one_row = "one row per count of perf stat record: event, CPU or thread, interval",
	.rows = "In the order of the recording: by interval. The values of a counter add up to "
		"what it counted. Values of different CPUs and threads may be "
		"added up, too. Written by default if the recording was made by perf stat record.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.write = write_counters,
};
