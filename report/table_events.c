/* events.csv: what each event counted, on which CPU. A row is a struct event_row. */
#include "report/table.h"

#include <inttypes.h>
#include <stdio.h>

/* Bit of attr.flags. */
enum { FLAG_FREQ = 1 << 10 };

/* An event on one CPU. */
struct event_row {
	const struct event_stat *stat;
	const struct cpu_stat *cpu;
	bool first; /* of the event's rows */
	const char *meaning;
};

/* The kernel's own types have names; other types are named after their PMU in the recording. */
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
	const bool has_chains = stat->event->chains && of->first;

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
	cell_u64_if(cell++, has_chains, stat->cut.samples);
	cell_u64_if(cell++, has_chains, stat->cut.period);
	cell_text(cell++, has_chains ? stat->cut_reason : "");
	cell_u64_if(cell++, has_chains, stat->caller_missing.samples);
	cell_u64_if(cell++, has_chains, stat->caller_missing.period);
	cell_text(cell++, of->meaning);
	return cell;
}

static const struct column columns[] = {
	{"event", CELL_TEXT, "",
	 "Name of the event, as perf prints it. If the recording does not contain it, it is "
	 "derived from type and config; for a PMU that the recording does not name it is "
	 "pmu<type>/config=<config>/."},
	{"type", CELL_TEXT, "",
	 "Kind of event: hardware, software, tracepoint, hw-cache, raw, breakpoint, or the name of "
	 "the PMU that counts it; pmu<type> if the recording does not name the PMU."},
	{"config", CELL_HEX, "", "Which event of that kind, as passed to the kernel."},
	{"frequency", CELL_U64, "Hz",
	 "Samples per second that the kernel was asked to take; empty for an event with a fixed "
	 "sample_period."},
	{"sample_period", CELL_U64, "events",
	 "Number of events from one sample to the next; empty for an event with a frequency."},
	{"samples", CELL_U64, "", "Samples of the event on this CPU that pass the filters."},
	{"period", CELL_U64, "events", "Sum of the periods of those samples."},
	{"lost", CELL_U64, "records",
	 "Records that the kernel dropped for lack of room, according to LOST records: counted for "
	 "the event they name, which is one of those that share the buffer, and for the buffer's "
	 "CPU; filters do not apply. Not every kernel reports this for each event; the row [lost] "
	 "of stat.csv has the sum."},
	{"ids", CELL_U64, "", "Number of ids of the event in the recording: usually one per CPU."},
	{"sample_type", CELL_HEX, "",
	 "Fields of the event's samples, as bits (PERF_SAMPLE_* of perf_event_open(2))."},
	{"cpu", CELL_U64, "",
	 "The CPU; empty for records without one, or with one above 8191, and in the only row of "
	 "an event that counted nothing."},
	{"lost_samples", CELL_U64, "samples",
	 "Samples that were dropped according to LOST_SAMPLES records, except those dropped by a "
	 "BPF filter; filters do not apply. What perf record 6.1 and newer reads from the event at "
	 "its end has no CPU and includes what the column lost counts: do not add the two."},
	{"throttled", CELL_U64, "",
	 "How often the kernel stopped the event on this CPU because it took too many samples "
	 "(THROTTLE); filters do not apply."},
	{"unthrottled", CELL_U64, "", "How often the kernel let it continue (UNTHROTTLE)."},
	{"cut_samples", CELL_U64, "samples",
	 "Samples of the event, on all CPUs, whose call chains lack callers: in results.csv these "
	 "are missing from the children columns of what called them. In the first row of the event "
	 "only, so that rows can be added up; empty in the others, and if the event records no "
	 "call chains."},
	{"cut_period", CELL_U64, "events", "Sum of the periods of those samples."},
	{"cut_reason", CELL_TEXT, "",
	 "Why most of those chains lack callers: a word of the column end of paths.csv; empty if "
	 "there are none."},
	{"caller_missing_samples", CELL_U64, "samples",
	 "Samples of the event whose recorded call chain lacks the function that called the "
	 "innermost user function: that one has no frame pointer, so the chain goes on with its "
	 "caller's caller (perf record --call-graph fp). Known of binaries with call frame "
	 "information. In the first row of the event only."},
	{"caller_missing_period", CELL_U64, "events", "Sum of the periods of those samples."},
	{"meaning", CELL_TEXT, "",
	 "Name that the vendor of the recorded CPU has for a raw event (type raw, or of a PMU of "
	 "the "
	 "CPU's cores), in libpfm4's words: MEM_LOAD_RETIRED.L1_HIT. What no name says follows as "
	 "a "
	 "number: INST_RETIRED.ANY_P:cmask=2. Empty for other events, if the CPU or the code is "
	 "not "
	 "known, or there is no libpfm4."},
};

static void write_events(struct table_file *to, const struct rows *rows,
			 const struct results *results)
{
	const char *const *meanings = rows->first;

	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *stat = &results->events[i];

		for (size_t cpu = 0; cpu < stat->nr_cpus; cpu++)
			table_put_row(to, &(struct event_row){stat, &stat->cpus[cpu], cpu == 0,
							      meanings[i]});
	}
}

const struct table table_events = {
	.name = "events",
	.one_row = "one row per event and CPU",
	.rows = "All events of the recording, in its order, including those without samples. For "
		"each event there is a row for each CPU on which something was counted, in "
		"ascending order, then one for what has no CPU. The rows of an event add up to its "
		"totals. Two events with the same name have separate rows.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.write = write_events,
};
