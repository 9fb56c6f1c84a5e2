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

static const struct event_stat *stat_of(const void *row)
{
	return ((const struct event_row *)row)->stat;
}

static const struct cpu_stat *cpu_of(const void *row)
{
	return ((const struct event_row *)row)->cpu;
}

static const struct attr *attr_of(const void *row)
{
	return &stat_of(row)->event->attr;
}

static void put_event(struct csv *csv, const void *row)
{
	csv_string(csv, stat_of(row)->event->name);
}

/* The kernel's own types by their names, the others by what the recording calls their PMU. */
static void put_type(struct csv *csv, const void *row)
{
	static const char *const words[] = {"hardware", "software", "tracepoint",
					    "hw-cache", "raw",	    "breakpoint"};
	const char *pmu = stat_of(row)->pmu;
	uint32_t type = attr_of(row)->type;
	char unknown[24];

	if (type < sizeof(words) / sizeof(words[0])) {
		csv_string(csv, words[type]);
	} else if (pmu) {
		csv_string(csv, pmu);
	} else {
		snprintf(unknown, sizeof(unknown), "pmu%" PRIu32, type);
		csv_string(csv, unknown);
	}
}

static void put_config(struct csv *csv, const void *row)
{
	csv_hex(csv, attr_of(row)->config);
}

static void put_frequency(struct csv *csv, const void *row)
{
	if (attr_of(row)->flags & FLAG_FREQ)
		csv_u64(csv, attr_of(row)->sample_period);
	else
		csv_empty(csv);
}

static void put_sample_period(struct csv *csv, const void *row)
{
	if (attr_of(row)->flags & FLAG_FREQ)
		csv_empty(csv);
	else
		csv_u64(csv, attr_of(row)->sample_period);
}

static void put_samples(struct csv *csv, const void *row)
{
	csv_u64(csv, cpu_of(row)->total.samples);
}

static void put_period(struct csv *csv, const void *row)
{
	csv_u64(csv, cpu_of(row)->total.period);
}

static void put_lost(struct csv *csv, const void *row)
{
	csv_u64(csv, cpu_of(row)->lost);
}

static void put_ids(struct csv *csv, const void *row)
{
	csv_u64(csv, stat_of(row)->event->nr_ids);
}

static void put_sample_type(struct csv *csv, const void *row)
{
	csv_hex(csv, attr_of(row)->sample_type);
}

static void put_cpu(struct csv *csv, const void *row)
{
	if (cpu_of(row)->has_cpu)
		csv_u64(csv, cpu_of(row)->cpu);
	else
		csv_empty(csv);
}

static void put_lost_samples(struct csv *csv, const void *row)
{
	csv_u64(csv, cpu_of(row)->lost_samples);
}

static void put_throttled(struct csv *csv, const void *row)
{
	csv_u64(csv, cpu_of(row)->throttled);
}

static void put_unthrottled(struct csv *csv, const void *row)
{
	csv_u64(csv, cpu_of(row)->unthrottled);
}

static const struct column columns[] = {
	{"event", TYPE_TEXT, "",
	 "Name of the event, as perf prints it. Where the recording does not have it, it is made "
	 "from type and config; for a PMU that the recording does not name it is pmu<type>/config="
	 "<config>/.",
	 put_event},
	{"type", TYPE_TEXT, "",
	 "Kind of event: hardware, software, tracepoint, hw-cache, raw, breakpoint, or the name of "
	 "the PMU that counts it; pmu<type> if the recording does not name the PMU.",
	 put_type},
	{"config", TYPE_HEX, "", "Which event of its kind, as the kernel was told.", put_config},
	{"frequency", TYPE_U64, "Hz",
	 "Samples per second that the kernel was to aim at; empty for an event with a fixed "
	 "sample_period.",
	 put_frequency},
	{"sample_period", TYPE_U64, "events",
	 "Events from one sample to the next; empty for an event with a frequency.",
	 put_sample_period},
	{"samples", TYPE_U64, "",
	 "Samples of the event on this CPU; of those that pass, if a filter is set.", put_samples},
	{"period", TYPE_U64, "events", "Sum of the periods of those samples.", put_period},
	{"lost", TYPE_U64, "records",
	 "Records that the kernel dropped for want of room, as LOST records tell it: by the event "
	 "that they name, which is one of those that share the buffer, and by the CPU of the "
	 "buffer; filters do not matter. Not all kernels say it for each event: the row [lost] of "
	 "stat.csv has the sum.",
	 put_lost},
	{"ids", TYPE_U64, "", "Ids of the event in the recording: most often one for each CPU.",
	 put_ids},
	{"sample_type", TYPE_HEX, "",
	 "Fields of the event's samples, as bits (PERF_SAMPLE_* of perf_event_open(2)).",
	 put_sample_type},
	{"cpu", TYPE_U64, "",
	 "The CPU; empty for what names none, or none below 8192, and in the only row of an event "
	 "that has nothing to count.",
	 put_cpu},
	{"lost_samples", TYPE_U64, "samples",
	 "Samples that were dropped, as LOST_SAMPLES records tell it, without those that a BPF "
	 "filter dropped; filters do not matter. What perf record 6.1 and newer reads from the "
	 "event when it ends has no CPU, and counts again what the column lost has: do not add the "
	 "two.",
	 put_lost_samples},
	{"throttled", TYPE_U64, "",
	 "How often the kernel stopped the event on this CPU because it took too many samples "
	 "(THROTTLE); filters do not matter.",
	 put_throttled},
	{"unthrottled", TYPE_U64, "", "How often the kernel let it go on again (UNTHROTTLE).",
	 put_unthrottled},
};

static void write_events(struct csv *csv, const struct table *table, const struct results *results)
{
	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *stat = &results->events[i];

		for (size_t cpu = 0; cpu < stat->nr_cpus; cpu++)
			table_put_row(csv, table, &(struct event_row){stat, &stat->cpus[cpu]});
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
	.write = write_events,
};
