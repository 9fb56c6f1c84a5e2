#include "main/reading.h"

#include "util/coredistance.h"
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

/* Records come in time order, but for samples of a gap. */
static inline void note_sample(struct reading *reading, uint64_t time)
{
	if (!reading->sampled)
		reading->span.first = time;
	reading->sampled = true;
	if (time > reading->span.last)
		reading->span.last = time;
	reading->mark.span = reading->span.last - reading->span.first;
}

/* Counts @nr records more. Returns 0, or -1 with @err filled. */
static inline int advance(struct reading *reading, size_t nr, struct error *err)
{
	enum { TICK_EVERY = 1 << 16 };
	const uint64_t before = reading->mark.nr_records;

	reading->mark.nr_records += nr;
	if (before / TICK_EVERY == reading->mark.nr_records / TICK_EVERY)
		return 0;
	return reading->tick(reading->tick_arg, err);
}

/* Takes @rec. Returns 0, or -1 with @err filled. */
static inline int take(struct reading *reading, const struct record *rec, struct error *err)
{
	int rc;

	if (rec->has & HAS_TIME && rec->time)
		reading->mark.time = rec->time;
	if (rec->type == RECORD_SAMPLE && rec->has & HAS_TIME)
		filter_first(reading->filter, rec->time);
	if (eventnames_keep(&reading->names, reading->file, rec, err) < 0)
		return -1;
	rc = replay_apply(reading->replay, rec, err);
	if (rc >= 0 && is_in_span(reading, rec, rc))
		note_sample(reading, rec->time);
	if (rc > 0 && reading->report && report_record(reading->report, rec, err) < 0)
		rc = reading->lose_report(reading->tick_arg, err);
	return rc < 0 ? -1 : advance(reading, 1, err);
}

/* Whether samples may be taken many at a time. */
static bool takes_plain(const struct reading *reading)
{
	if (!replay_takes_plain(reading->replay) || reading->names.vendor)
		return false;
	return !reading->report ||
	       !(report_takes_records(reading->report) ||
		 (report_takes_plain(reading->report) && filter_active(reading->filter)));
}

/*
 * Lets a thread read ahead from here on, unless it would only read and sort, and its core is far:
 * then passing records on costs more than reading them here. A virtual machine's cores may be near
 * a moment later.
 */
static void read_ahead(struct reading *reading, uint64_t at)
{
	enum { LOOK_EVERY_BYTES = 32 << 20 };

	if (reading->nr_threads == 2 && !perffile_is_work_to_read(reading->file) &&
	    coredistance_is_far()) {
		reading->next_look = at + LOOK_EVERY_BYTES;
		return;
	}
	reading->is_alone = false;
	perffile_read_ahead(reading->file);
}

/*
 * Lets a thread read ahead once there is a core for it: with two, a third thread beside the one
 * that loads binaries takes more from it and from whoever counts samples than it gives.
 */
static void look_for_core(struct reading *reading)
{
	enum {
		FIRST_BYTES = 1 << 20, /* before, it is not known what will be loaded */
		LAST_BYTES = 16 << 20, /* a smaller rest is read before a thread helps */
	};
	const struct perffile *file = reading->file;
	const uint64_t at = perffile_bytes_read(file);
	uint64_t end = perffile_bytes_total(file);

	/* All of it, if perf has written no rounds. */
	if (!reading->bytes_before && reading->mark.nr_records)
		reading->bytes_before = at;
	end += reading->bytes_before;
	if (end < at || perffile_bytes_unpacked(file, end - at) < LAST_BYTES) {
		reading->is_alone = false;
	} else if (perffile_bytes_unpacked(file, at) >= FIRST_BYTES && at >= reading->next_look &&
		   replay_nr_busy(reading->replay) + 1 < reading->nr_threads) {
		read_ahead(reading, at);
	}
}

/* Called often: looks from time to time, as long as the reader is alone. */
static inline void look_now_and_then(struct reading *reading)
{
	enum { LOOK_EVERY = 16 };

	if (reading->is_alone && reading->nr_turns++ % LOOK_EVERY == 0)
		look_for_core(reading);
}

/* Takes note of the times of @samples that are inside --time. */
static void note_plain(struct reading *reading, const struct plain_samples *samples)
{
	const struct filter *filter = reading->filter;
	const bool all = filter_takes_time(filter, samples->first) &&
			 filter_takes_time(filter, samples->last);
	uint64_t first = all ? samples->first : UINT64_MAX, last = all ? samples->last : 0;

	for (size_t i = 0; !all && i < samples->nr; i++) {
		const uint64_t time = samples->samples[i].time;

		if (!filter_takes_time(filter, time))
			continue;
		first = time < first ? time : first;
		last = time > last ? time : last;
	}
	if (first > last)
		return;
	if (reading->sampled && first < reading->span.first)
		reading->span.first = first;
	note_sample(reading, first);
	note_sample(reading, last);
}

/* Takes the plain samples that come next. Returns 0, or -1 with @err filled. */
static int take_plain(struct reading *reading, struct error *err)
{
	struct plain_samples *samples = &reading->plain;
	int rc;

	while ((rc = perffile_next_plain(reading->file, samples, err)) > 0) {
		filter_first(reading->filter, samples->first);
		note_plain(reading, samples);
		reading->mark.time = samples->last;
		rc = replay_apply_plain(reading->replay, samples, err);
		if (rc == 0 && reading->report && report_plain(reading->report, samples, err) < 0)
			rc = reading->lose_report(reading->tick_arg, err);
		if (rc < 0 || advance(reading, samples->nr, err) < 0)
			return -1;
		look_now_and_then(reading);
	}
	return rc;
}

/* Whether plain samples may come after @rec: most samples are followed by others of their event. */
static inline bool precedes_plain(const struct record *rec)
{
	return rec->type != RECORD_SAMPLE || rec->event->layout.plain;
}

/* Whether each plain sample has a row in a table. */
static bool has_rows(const struct reading *reading)
{
	return reading->report && report_takes_plain(reading->report);
}

int reading_run(struct reading *reading, struct error *err)
{
	const bool plain = takes_plain(reading);
	const bool only_counts = plain && !has_rows(reading);
	/* which sample is the first one must be seen if --time counts from it */
	const bool any_order = only_counts && !reading->filter->awaits_times;
	const struct record *rec = NULL;
	int rc;

	if (any_order && replay_takes_gaps(reading->replay))
		perffile_use_gaps(reading->file);
	if (any_order && replay_takes_leaps(reading->replay))
		perffile_use_leaps(reading->file);
	if (plain && replay_share(reading->replay, reading->file, reading->nr_threads, err) < 0)
		return -1;
	if (only_counts && replay_takes_packed(reading->replay))
		perffile_pack(reading->file);
	do {
		look_now_and_then(reading);
		if (plain && (!rec || precedes_plain(rec)) && take_plain(reading, err) < 0)
			return -1;
		rc = perffile_next(reading->file, &rec, err);
		if (rc > 0 && take(reading, rec, err) < 0)
			return -1;
	} while (rc > 0);
	return rc;
}

void reading_use_threads(struct reading *reading, size_t threads, size_t cores)
{
	if (threads > 1 && perffile_is_stream(reading->file))
		perffile_read_ahead(reading->file);
	else
		reading->is_alone = threads > 1;
	/* Each has tables of its own: more of them than run at a time only fill the caches. */
	reading->nr_threads = threads < cores ? threads : cores;
}

void reading_show_times(void *progress, uint64_t done, uint64_t total)
{
	progress_bytes(progress, "looking for the first and the last sample", done, total);
}

void reading_show_bytes(const struct reading *reading, struct progress *progress)
{
	const uint64_t done = perffile_bytes_read(reading->file);
	const uint64_t total = perffile_bytes_total(reading->file);

	if (total)
		progress_bytes(progress, "reading", done, total);
	else
		progress_records(progress, done, reading->mark.nr_records);
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
