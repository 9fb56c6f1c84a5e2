/* events.csv: what was counted, on which CPU. */
#include "report/table.h"

#include <inttypes.h>
#include <stdio.h>

/* Bit of attr.flags. */
enum { FLAG_FREQ = 1 << 10 };

/* An event on one CPU. */
struct event_row {
	const struct event_stat *stat;
	const struct cpu_stat *cpu;
};

/* The kernel's own types by their names, the others by what the recording calls their PMU. */
static void set_type(struct cell *cell, const struct event_stat *stat, struct scratch *scratch)
{
	static const char *const words[] = {"hardware", "software", "tracepoint",
					    "hw-cache", "raw",	    "breakpoint"};
	uint32_t type = stat->event->attr.type;

	if (type < sizeof(words) / sizeof(words[0]))
		cell_text(cell, words[type]);
	else if (stat->pmu)
		cell_text(cell, stat->pmu);
	else
		cell_format(cell, scratch, "pmu%" PRIu32, type);
}

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct event_row *of = row;
	const struct event_stat *stat = of->stat;
	const struct cpu_stat *cpu = of->cpu;
	const struct attr *attr = &stat->event->attr;
	const bool has_frequency = attr->flags & FLAG_FREQ;

	cell_text(cell++, stat->event->name);
	set_type(cell++, stat, scratch);
	cell_hex(cell++, attr->config);
	cell_u64_if(cell++, has_frequency, attr->sample_period);
	cell_u64_if(cell++, !has_frequency, attr->sample_period);
	cell_u64(cell++, cpu->total.samples);
	cell_u64(cell++, cpu->total.period);
	cell_u64(cell++, cpu->lost);
	cell_u64(cell++, stat->event->nr_ids);
	cell_hex(cell++, attr->sample_type);
	cell_u64_if(cell++, cpu->has_cpu, cpu->cpu);
	cell_u64(cell++, cpu->lost_samples);
	cell_u64(cell++, cpu->throttled);
	cell_u64(cell++, cpu->unthrottled);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "",
	 "Name of the event, as perf prints it. Where the recording does not have it, it is made "
	 "from type and config; for a PMU that the recording does not name it is pmu<type>/config="
	 "<config>/."},
	{"type", CELL_TEXT, "",
	 "Kind of event: hardware, software, tracepoint, hw-cache, raw, breakpoint, or the name of "
	 "the PMU that counts it; pmu<type> if the recording does not name the PMU."},
	{"config", CELL_HEX, "", "Which event of its kind, as the kernel was told."},
	{"frequency", CELL_U64, "Hz",
	 "Samples per second that the kernel was to aim at; empty for an event with a fixed "
	 "sample_period."},
	{"sample_period", CELL_U64, "events",
	 "Events from one sample to the next; empty for an event with a frequency."},
	{"samples", CELL_U64, "",
	 "Samples of the event on this CPU; of those that pass, if a filter is set."},
	{"period", CELL_U64, "events", "Sum of the periods of those samples."},
	{"lost", CELL_U64, "records",
	 "Records that the kernel dropped for want of room, as LOST records tell it: by the event "
	 "that they name, which is one of those that share the buffer, and by the CPU of the "
	 "buffer; filters do not matter. Not all kernels say it for each event: the row [lost] of "
	 "stat.csv has the sum."},
	{"ids", CELL_U64, "", "Ids of the event in the recording: most often one for each CPU."},
	{"sample_type", CELL_HEX, "",
	 "Fields of the event's samples, as bits (PERF_SAMPLE_* of perf_event_open(2))."},
	{"cpu", CELL_U64, "",
	 "The CPU; empty for what names none, or none below 8192, and in the only row of an event "
	 "that has nothing to count."},
	{"lost_samples", CELL_U64, "samples",
	 "Samples that were dropped, as LOST_SAMPLES records tell it, without those that a BPF "
	 "filter dropped; filters do not matter. What perf record 6.1 and newer reads from the "
	 "event when it ends has no CPU, and counts again what the column lost has: do not add the "
	 "two."},
	{"throttled", CELL_U64, "",
	 "How often the kernel stopped the event on this CPU because it took too many samples "
	 "(THROTTLE); filters do not matter."},
	{"unthrottled", CELL_U64, "", "How often the kernel let it go on again (UNTHROTTLE)."},
};

static void write_events(struct table_file *to, const struct rows *rows,
			 const struct results *results)
{
	(void)rows;
	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *stat = &results->events[i];

		for (size_t cpu = 0; cpu < stat->nr_cpus; cpu++)
			table_put_row(to, &(struct event_row){stat, &stat->cpus[cpu]});
	}
}

const struct table events_table = {
	.name = "events",
	.one_row = "one row per event and CPU",
	.rows = "All events of the recording, in its order, those without a sample too; for each "
		"the CPUs on which something was counted, ascending, then what has no CPU. The "
		"sums over an event's rows are the event's. Two events of one name are rows of "
		"their own.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.write = write_events,
};
