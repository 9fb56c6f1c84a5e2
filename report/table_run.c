/* run.csv: the recording itself, a row for each of several. A row is a struct run_row. */
#include "report/table.h"
#include "util/json.h"

#include <stdlib.h>
#include <string.h>

struct run_row {
	const struct run_stat *stat;
	const struct runtags *tags;
	uint64_t samples; /* of all events */
	const char *events;
	size_t events_len;
};

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct run_row *of = row;
	const struct run_stat *stat = of->stat;

	(void)scratch;
	cell_hex_if(cell++, of->tags->known, of->tags->run);
	cell_text(cell++, of->tags->file ? of->tags->file : "");
	cell_text(cell++, stat->host);
	cell_text(cell++, stat->command);
	cell_u64_if(cell++, *stat->start_by, stat->start);
	cell_text(cell++, stat->start_by);
	cell_u64_if(cell++, stat->timed, stat->duration);
	cell_text(cell++, stat->kernel);
	cell_text(cell++, stat->machine);
	cell_text(cell++, stat->cpu);
	cell_u64_known(cell++, stat->cpus);
	cell_u64(cell++, of->samples);
	cell_bytes(cell++, of->events, of->events_len);
	cell_u64(cell++, stat->lost);
	cell_u64(cell++, stat->damaged);
	cell_u64(cell++, stat->truncated_bytes);
	cell_text(cell++, stat->perf);
	cell_text(cell++, READPERF_VERSION);
	cell_u64(cell++, stat->missing_bytes);
	return cell;
}

static const struct column columns[] = {
	{"run", CELL_HEX, "",
	 "The run: a hash of the recording's bytes (XXH64, as xxh64sum(1) prints it; of a "
	 "directory, "
	 "of its data files in their order). The column run of other tables refers to it. Empty if "
	 "the recording is not a file."},
	{"file", CELL_TEXT, "", "Path of the recording, as given; empty for standard input."},
	{"host", CELL_TEXT, "", "Name of the recorded machine; empty if unknown."},
	{"command", CELL_TEXT, "",
	 "Command line of perf, quoted as for a shell; empty if unknown."},
	{"start", CELL_U64, "ns", "Time of the first sample, since 1970; empty if nothing tells."},
	{"start_by", CELL_TEXT, "",
	 "What tells the start: clock, if the recording relates its clock to the wall clock (perf "
	 "record -k CLOCK_MONOTONIC); file, if it follows from when the file was last modified. "
	 "Then "
	 "a copy may have another one."},
	{"duration", CELL_U64, "ns",
	 "From the first sample to the last; filters apply. Empty if no sample has a time."},
	{"kernel", CELL_TEXT, "", "Release of the kernel; empty if unknown."},
	{"machine", CELL_TEXT, "", "Hardware of the machine, such as x86_64; empty if unknown."},
	{"cpu", CELL_TEXT, "", "Model of the CPU; empty if unknown."},
	{"cpus", CELL_U64, "", "Number of CPUs that were online; empty if unknown."},
	{"samples", CELL_U64, "samples", "Samples of all events."},
	{"events", CELL_TEXT, "",
	 "What each event with samples counted, as JSON: a list of objects with the members event, "
	 "samples and period."},
	{"lost", CELL_U64, "records", "Records that the kernel dropped: [lost] of stat.csv."},
	{"damaged", CELL_U64, "records",
	 "Damaged records that were skipped: [damaged] of stat.csv."},
	{"truncated_bytes", CELL_U64, "bytes",
	 "Bytes of truncated records: [truncated bytes] of stat.csv."},
	{"perf", CELL_TEXT, "", "Version of perf that recorded; empty if unknown."},
	{"readperf", CELL_TEXT, "", "Version of readperf that made the tables."},
	{"missing_bytes", CELL_U64, "bytes",
	 "Bytes of data that are not in the file, because it was cut off: [missing bytes] of "
	 "stat.csv."},
};

/* No event takes more bytes than this. */
static size_t room_for_events(const struct results *results)
{
	enum { OF_CHARACTER = 6, OF_MEMBERS = 128 };
	size_t room = OF_MEMBERS;

	for (size_t i = 0; i < results->nr_sampled; i++)
		room += OF_MEMBERS +
			OF_CHARACTER * strlen(results->events[results->sampled[i]].event->name);
	return room;
}

/* Writes the events to @text, which has the @room for them. Returns their length. */
static size_t write_events(char *text, size_t room, const struct results *results)
{
	struct outfile memory = {.pos = text, .end = text + room, .buffer = text};
	struct json json;

	json_start(&json, &memory, 0);
	json_open(&json, NULL, '[');
	for (size_t i = 0; i < results->nr_sampled; i++) {
		const struct event_stat *stat = &results->events[results->sampled[i]];

		if (!stat->total.samples)
			continue;
		json_open(&json, NULL, '{');
		json_text(&json, "event", stat->event->name);
		json_u64(&json, "samples", stat->total.samples);
		json_u64(&json, "period", stat->total.period);
		json_close(&json);
	}
	json_close(&json);
	return (size_t)(memory.pos - text);
}

static void write_run(struct table_file *to, const struct rows *rows, const struct results *results)
{
	static const struct runtags none = {0};
	const size_t room = room_for_events(results);
	struct run_row row = {.stat = rows->first, .tags = to->tags ? to->tags : &none};
	char *events;
	struct error err;

	if (!rows->nr)
		return;
	events = malloc(room);
	if (!events) {
		error_nomem(&err, "describing the run");
		outfile_fail(to->writer.out, &err);
		return;
	}
	row.events = events;
	row.events_len = write_events(events, room, results);
	for (size_t i = 0; i < results->nr_events; i++)
		row.samples += results->events[i].total.samples;
	table_put_row(to, &row);
	free(events);
}

const struct table table_run = {
	.name = "run",
	.one_row = "one row per recording",
	.rows = "What tells the recording from others. Tables of many runs go together by their "
		"column run, which they have with --tag and where several recordings are read at a "
		"time: see MANY RUNS in readperf(1).",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.of_runs = true,
	.fill = fill_row,
	.write = write_run,
};
