#include "main/reading.h"

#include "util/progress.h"

/*
 * Whether @rec is a sample in the time span of the overview. Only --time limits the span: other
 * filters do not, because their rates include the time without matching samples. A @chosen record
 * passes --time.
 */
static bool is_in_span(const struct reading *reading, const struct record *rec, bool chosen)
{
	return rec->type == RECORD_SAMPLE && rec->has & HAS_TIME &&
	       (chosen || filter_time(reading->filter, rec));
}

/* Records come in time order. */
static inline void note_sample(struct reading *reading, uint64_t time)
{
	if (!reading->sampled)
		reading->span.first = time;
	reading->sampled = true;
	if (time > reading->span.last) {
		reading->span.last = time;
		reading->mark.span = time - reading->span.first;
	}
}

int reading_run(struct reading *reading, struct error *err)
{
	enum { TICK_EVERY = 1 << 16 };
	const struct record *rec;
	int rc;

	while ((rc = perffile_next(reading->file, &rec, err)) > 0) {
		if (rec->has & HAS_TIME && rec->time)
			reading->mark.time = rec->time;
		if (eventnames_keep(&reading->names, reading->file, rec, err) < 0)
			return -1;
		rc = replay_apply(reading->replay, rec, err);
		if (rc >= 0 && is_in_span(reading, rec, rc))
			note_sample(reading, rec->time);
		if (rc > 0 && reading->report && report_record(reading->report, rec, err) < 0)
			rc = reading->lose_report(reading->tick_arg, err);
		if (rc < 0)
			return -1;
		if (++reading->mark.nr_records % TICK_EVERY == 0 &&
		    reading->tick(reading->tick_arg, err) < 0)
			return -1;
	}
	return rc;
}

void reading_show_work(void *progress, enum replay_work work, uint64_t done, uint64_t total)
{
	if (work == REPLAY_SYMBOLIZING)
		progress_count(progress, "symbolizing binaries", done, total);
	else if (work == REPLAY_TRACING)
		progress_bytes(progress, "decoding the trace", done, total);
	else if (total)
		progress_bytes(progress, "fetching from debuginfod", done, total);
	else
		progress_text(progress, "waiting for debuginfod");
}
