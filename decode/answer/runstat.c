/* Run statistics: what tells a recording from others, the row of run.csv. */
#include "decode/answer/aggregate.h"

#include <stdlib.h>
#include <string.h>

/* All zero is empty. */
struct runstat {
	bool timed; /* a sample has a time */
	uint64_t first, last;
	struct facts facts;
	struct run_stat row;
};

/* Records come in the order of time. */
static bool note_time(void *state, const struct record *rec)
{
	struct runstat *stat = state;

	if (rec->type != RECORD_SAMPLE || !(rec->has & HAS_TIME))
		return true;
	if (!stat->timed)
		stat->first = rec->time;
	stat->timed = true;
	if (rec->time > stat->last)
		stat->last = rec->time;
	return true;
}

static const char *find_fact(const struct facts *facts, const char *key)
{
	for (size_t i = 0; i < facts->nr_rows; i++)
		if (strcmp(facts->rows[i].key, key) == 0)
			return facts->rows[i].value;
	return "";
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* The wall clock at the first sample; what follows from the file's time is later by what came
 * after. */
static void set_start(struct runstat *stat, const struct perffile *file)
{
	struct run_stat *row = &stat->row;
	const int64_t end = perffile_end(file);
	int64_t start;

	row->start_by = "";
	if (!stat->timed)
		return;
	if (perffile_wall_time(file, stat->first, &start) && start >= 0) {
		row->start = (uint64_t)start;
		row->start_by = "clock";
	} else if (end != INT64_MAX && end >= 0 && (uint64_t)end >= row->duration) {
		row->start = (uint64_t)end - row->duration;
		row->start_by = "file";
	}
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct runstat *stat = state;
	const struct perffile *file = view->file;
	const struct perffile_counts *counts = perffile_counts(file);

	(void)results;
	facts_free(&stat->facts);
	if (perffile_describe(file, &stat->facts, err) < 0)
		return -1;
	stat->row = (struct run_stat){
		.host = or_empty(perffile_hostname(file)),
		.command = find_fact(&stat->facts, "cmdline"),
		.kernel = or_empty(perffile_release(file)),
		.machine = or_empty(perffile_machine(file)),
		.cpu = find_fact(&stat->facts, "cpudesc"),
		.cpus = strtoull(find_fact(&stat->facts, "nrcpus.online"), NULL, 10),
		.perf = or_empty(perffile_version(file)),
		.timed = stat->timed,
		.first = stat->first,
		.duration = stat->last - stat->first,
		.lost = counts->lost,
		.damaged = counts->damaged,
		.truncated_bytes = counts->truncated_bytes,
		.missing_bytes = counts->missing_bytes,
	};
	set_start(stat, file);
	return 0;
}

static struct rows rows(void *state, unsigned number)
{
	const struct runstat *stat = state;

	(void)number;
	return (struct rows){.first = &stat->row, .nr = 1};
}

static void end(void *state)
{
	struct runstat *stat = state;

	facts_free(&stat->facts);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct runstat),
	.record = note_time,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer runstat_run = {&aggregate, 0};
