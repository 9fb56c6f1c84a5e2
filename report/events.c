/* events.csv: what was counted. A row is a struct event_stat. */
#include "report/table.h"

#include <inttypes.h>
#include <stdio.h>

/* Bit of attr.flags. */
enum { FLAG_FREQ = 1 << 10 };

static const struct attr *attr_of(const void *row)
{
	return &((const struct event_stat *)row)->event->attr;
}

static void put_event(struct csv *csv, const void *row)
{
	csv_string(csv, ((const struct event_stat *)row)->event->name);
}

/* The kernel's own types by their names, the others by what the recording calls their PMU. */
static void put_type(struct csv *csv, const void *row)
{
	static const char *const words[] = {"hardware", "software", "tracepoint",
					    "hw-cache", "raw",	    "breakpoint"};
	const struct event_stat *stat = row;
	uint32_t type = attr_of(row)->type;
	char unknown[24];

	if (type < sizeof(words) / sizeof(words[0])) {
		csv_string(csv, words[type]);
	} else if (stat->pmu) {
		csv_string(csv, stat->pmu);
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
	csv_u64(csv, ((const struct event_stat *)row)->total.samples);
}

static void put_period(struct csv *csv, const void *row)
{
	csv_u64(csv, ((const struct event_stat *)row)->total.period);
}

static void put_lost(struct csv *csv, const void *row)
{
	csv_u64(csv, ((const struct event_stat *)row)->lost);
}

static void put_ids(struct csv *csv, const void *row)
{
	csv_u64(csv, ((const struct event_stat *)row)->event->nr_ids);
}

static void put_sample_type(struct csv *csv, const void *row)
{
	csv_hex(csv, attr_of(row)->sample_type);
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
	{"samples", TYPE_U64, "", "Samples of the event; of those that pass, if a filter is set.",
	 put_samples},
	{"period", TYPE_U64, "events", "Sum of the periods of those samples.", put_period},
	{"lost", TYPE_U64, "records",
	 "Records that the kernel dropped for want of room, by the event that it names; filters do "
	 "not matter. Not all kernels say it for each event: the row [lost] of stat.csv has the "
	 "sum.",
	 put_lost},
	{"ids", TYPE_U64, "", "Ids of the event in the recording: most often one for each CPU.",
	 put_ids},
	{"sample_type", TYPE_HEX, "",
	 "Fields of the event's samples, as bits (PERF_SAMPLE_* of perf_event_open(2)).",
	 put_sample_type},
};

static void write_events(struct csv *csv, const struct table *table, const struct results *results)
{
	for (size_t i = 0; i < results->nr_events; i++)
		table_put_row(csv, table, &results->events[i]);
}

const struct table events_table = {
	.name = "events",
	.one_row = "one row per event",
	.rows = "All events of the recording, in its order, those without a sample too. Two events "
		"of one name are two rows.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.write = write_events,
};
