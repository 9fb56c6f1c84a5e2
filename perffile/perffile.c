#include "perffile/perffile.h"

#include "perffile/decode.h"
#include "perffile/feature.h"
#include "perffile/header.h"
#include "perffile/queue.h"
#include "perffile/reader.h"

#include <stdlib.h>

struct perffile {
	struct source source;
	struct header header;
	struct event_set events;
	struct features features;
	struct block_pool pool;
	struct reader reader;
	struct queue queue;
	bool finished;	    /* the reader reached the end */
	uint64_t last_time; /* ns, of the newest record delivered in time order */
	struct record rec;
	struct perffile_counts counts;
};

struct perffile *perffile_open(const char *path, struct error *err)
{
	struct perffile *file = calloc(1, sizeof(*file));

	if (!file) {
		error_nomem(err, "opening the recording");
		return NULL;
	}
	queue_init(&file->queue, &file->events, &file->pool);
	if (source_open(&file->source, path, err) < 0 ||
	    header_read(&file->header, &file->source, err) < 0 ||
	    events_read(&file->events, &file->header, &file->source, err) < 0 ||
	    features_read(&file->features, &file->events, &file->header, &file->source, err) < 0 ||
	    events_name_rest(&file->events, err) < 0) {
		perffile_close(file);
		return NULL;
	}
	reader_init(&file->reader, &file->source, &file->header.data, file->header.swap,
		    &file->pool);
	return file;
}

/*
 * What has no time acts where it stands in the file: records of perf itself (user types), records
 * that perf synthesized (time 0), and everything if records other than samples carry no times.
 */
static uint64_t sort_time(struct perffile *file, const struct raw_record *raw)
{
	struct span body = raw_body(raw, file->header.swap);
	uint64_t time;

	if (raw->type >= RECORD_USER_FIRST || !file->events.timed)
		return 0;
	time = events_time(&file->events, raw->type, &body);
	return time == UINT64_MAX ? 0 : time;
}

static void note_late(struct perffile *file, const struct raw_record *raw, uint64_t time)
{
	if (time >= file->last_time)
		return;
	file->counts.late++;
	if (raw->type == RECORD_MMAP || raw->type == RECORD_MMAP2)
		file->counts.late_maps++;
}

/* A damaged record may announce any number: the sum stays at its greatest rather than wrap. */
static void add_lost(struct perffile_counts *counts, uint64_t lost)
{
	if (__builtin_add_overflow(counts->lost, lost, &counts->lost))
		counts->lost = UINT64_MAX;
}

static void count_record(struct perffile *file, const struct record *rec)
{
	struct perffile_counts *counts = &file->counts;

	if (rec->type == RECORD_FINISHED_ROUND)
		counts->rounds = true;
	else if (rec->type == RECORD_LOST ||
		 (rec->type == RECORD_LOST_SAMPLES && !(rec->misc & MISC_LOST_BY_FILTER)))
		add_lost(counts, rec->lost.lost);
}

/* Decodes @raw into file->rec and counts it. False if it is damaged: then it is passed over. */
static bool deliver(struct perffile *file, const struct raw_record *raw)
{
	enum decode_result result =
		decode_record(&file->rec, raw, file->header.swap, &file->events);

	if (result == DECODE_OK) {
		count_record(file, &file->rec);
		return true;
	}
	if (file->counts.damaged++ == 0)
		file->counts.damaged_offset = file->rec.file_offset;
	if (result == DECODE_UNKNOWN_ID)
		file->counts.unknown_id++;
	return false;
}

/* What the header announces and the file does not have. */
static void note_missing(struct perffile *file)
{
	const struct section *data = &file->header.data;
	uint64_t there = file->source.size - data->offset;

	file->counts.unfinished = data->size == 0;
	file->counts.missing_bytes = data->size > there ? data->size - there : 0;
	file->counts.missing_features = file->header.missing_features;
}

/* Nothing is left to frame: what the queue still holds is released. */
static void finish_reading(struct perffile *file)
{
	file->finished = true;
	file->counts.truncated_bytes = file->reader.cut_bytes;
	file->counts.truncated_offset = file->reader.cut_offset;
	note_missing(file);
	queue_finish(&file->queue);
}

/*
 * Frames records into the queue until one must be delivered at once.
 * Returns 1 with *@raw, 0 if the queue has released records or the data ended, -1 on error.
 */
static int fill_queue(struct perffile *file, struct raw_record *raw, struct error *err)
{
	int rc;

	while ((rc = reader_next(&file->reader, raw, err)) > 0) {
		uint64_t time = sort_time(file, raw);

		if (time == 0) {
			if (raw->type == RECORD_FINISHED_ROUND)
				queue_round(&file->queue);
			return 1;
		}
		note_late(file, raw, time);
		if (queue_push(&file->queue, raw, time) < 0)
			return error_nomem(err, "sorting records");
	}
	if (rc == 0)
		finish_reading(file);
	return rc;
}

int perffile_next(struct perffile *file, const struct record **rec, struct error *err)
{
	struct raw_record raw;
	uint64_t time;

	for (;;) {
		if (queue_pop(&file->queue, &raw, &time, file->header.swap)) {
			if (time > file->last_time)
				file->last_time = time;
		} else {
			int rc = file->finished ? 0 : fill_queue(file, &raw, err);

			if (rc < 0)
				return -1;
			if (rc == 0 && tree_empty(&file->queue.runs))
				return 0;
			if (rc == 0)
				continue;
		}
		if (deliver(file, &raw)) {
			*rec = &file->rec;
			return 1;
		}
	}
}

size_t perffile_nr_events(const struct perffile *file)
{
	return file->events.nr_events;
}

const struct event *perffile_event(const struct perffile *file, size_t number)
{
	return &file->events.events[number];
}

size_t perffile_nr_build_ids(const struct perffile *file)
{
	return file->features.nr_build_ids;
}

const struct named_build_id *perffile_build_ids(const struct perffile *file)
{
	return file->features.build_ids;
}

const struct perffile_counts *perffile_counts(const struct perffile *file)
{
	return &file->counts;
}

uint64_t perffile_bytes_read(const struct perffile *file)
{
	return file->reader.read_offset;
}

uint64_t perffile_bytes_total(const struct perffile *file)
{
	return file->source.size;
}

void perffile_close(struct perffile *file)
{
	if (!file)
		return;
	queue_free(&file->queue);
	reader_free(&file->reader);
	block_pool_free(&file->pool);
	features_free(&file->features);
	events_free(&file->events);
	source_close(&file->source);
	free(file);
}
