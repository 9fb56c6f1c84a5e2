#include "perffile/perffile.h"

#include "perffile/handle.h"
#include "perffile/meta.h"
#include "perffile/opening.h"
#include "perffile/record/decode.h"
#include "perffile/record/recordtype.h"

#include <stdlib.h>

struct perffile *perffile_open(const char *path, struct error *err)
{
	struct perffile *file = calloc(1, sizeof(*file));

	if (!file) {
		error_nomem(err, "opening the recording");
		return NULL;
	}
	queue_init(&file->queue, &file->events, &file->pool);
	record_sizes_init(&file->sizes);
	file->plausible = (struct plausibility){.events = &file->events, .sizes = &file->sizes};
	if (directory_list(&file->files, path, err) < 0) {
		perffile_close(file);
		return NULL;
	}
	file->parts = calloc(file->files.nr_paths, sizeof(*file->parts));
	if (!file->parts)
		error_nomem(err, "opening the recording");
	if (!file->parts || opening_first(file, err) < 0) {
		perffile_close(file);
		return NULL;
	}
	return file;
}

void perffile_set_wait(struct perffile *file, bool (*wait)(void *arg, int fd), void *arg)
{
	for (size_t i = 0; i < file->nr_parts; i++) {
		file->parts[i].source.wait = wait;
		file->parts[i].source.wait_arg = arg;
	}
}

void perffile_set_memory(struct perffile *file, size_t bytes)
{
	file->queue.bytes_max = bytes;
}

void perffile_set_tick(struct perffile *file, int (*tick)(void *arg, struct error *err), void *arg)
{
	file->queue.tick = tick;
	file->queue.tick_arg = arg;
	for (size_t i = 0; i < file->nr_parts; i++) {
		file->parts[i].source.tick = tick;
		file->parts[i].source.tick_arg = arg;
	}
}

bool perffile_is_stream(const struct perffile *file)
{
	return file->parts[0].source.stream;
}

/*
 * Returns the time in ns by which @raw is sorted, or 0 if it takes effect at its position in the
 * file: perf's own records (user types), records synthesized by perf (time 0), and all records if
 * only samples have times.
 */
static uint64_t sort_time(struct perffile *file, const struct raw_record *raw)
{
	struct span body = raw_body(raw, file->header.swap);
	uint64_t time;

	if (raw->type >= RECORD_USER_FIRST || !file->events.timed)
		return 0;
	time = events_time(&file->events, raw->type, &body);
	if (time == UINT64_MAX)
		return 0;
	/* If the writer omitted the trailer, the time read is part of a name. */
	if (raw->type != RECORD_SAMPLE && time != 0) {
		const struct event *event = events_of_record(&file->events, &body);

		if (event && !record_type_has_trailer(raw->type, body, event->layout.trailer_bytes))
			return 0;
	}
	return time;
}

/* Returns whether @raw is late, older than a record returned before, and counts it if so. */
static bool note_time(struct perffile *file, const struct raw_record *raw, uint64_t time)
{
	if (time >= file->last_time) {
		file->last_time = time;
		return false;
	}
	counts_late(&file->counts, raw->type);
	return true;
}

/* Counts the damage of @raw, which cannot be decoded; @result says why. */
static void note_damage(struct perffile *file, const struct raw_record *raw,
			enum decode_result result)
{
	const struct damage damage = {
		.bytes = raw->size,
		.offset = raw_file_offset(raw),
		.packed = raw->block->packed,
	};
	struct span body = raw_body(raw, file->header.swap);
	enum damage_cause cause = DAMAGE_ID;

	if (result != DECODE_UNKNOWN_ID)
		cause = record_sizes_damage(&file->sizes, raw->type, body);
	counts_damage(&file->counts, cause, &damage);
}

/* Decodes @raw into @rec and counts it. Returns false if it is damaged and must be skipped. */
__attribute__((flatten)) static bool deliver(struct perffile *file, const struct raw_record *raw,
					     struct record *rec)
{
	size_t rest;
	enum decode_result result =
		decode_record(rec, raw, file->header.swap, &file->events, &rest);

	if (result == DECODE_OK) {
		counts_record(&file->counts, rec);
		return true;
	}
	note_damage(file, raw, result);
	return false;
}

/*
 * Frames the next record, one part after the other. Returns 1, 0 at the end, -1 with @err filled.
 */
static int frame_record(struct perffile *file, struct raw_record *raw, struct error *err)
{
	while (file->current < file->nr_parts) {
		struct part *part = &file->parts[file->current];
		int rc = stream_next(&part->stream, raw, err);

		if (rc > 0)
			raw->nr = file->nr++;
		if (rc != 0)
			return rc;
		if (!part->source.stopped)
			counts_end(&file->counts, part->stream.losses.cut_bytes,
				   part->stream.losses.cut_offset, stream_missing(&part->stream));
		stream_free(&part->stream);
		file->current++;
	}
	file->finished = true;
	block_pool_trim(&file->pool); /* all data has been read once */
	queue_finish(&file->queue);
	return 0;
}

/* Applies a record without a time. Returns 1 if it is whole, 0 if damaged, -1 with @err filled. */
static int act(struct perffile *file, struct raw_record *raw, struct error *err)
{
	struct stream *stream = &file->parts[file->current].stream;
	const bool swap = file->header.swap;
	int rc;

	/* A round of one part says nothing about the others. */
	if (raw->type == RECORD_FINISHED_ROUND && file->nr_parts == 1)
		queue_round(&file->queue);
	if (raw->nr == 0 && file->header.pipe && meta_is_old_pipe(raw)) {
		file->old_pipe = true;
		stream_ignore_payloads(stream); /* here type 71 is not AUXTRACE */
	}
	if (file->old_pipe) {
		unsigned feature = meta_old_feature(raw);

		if (feature)
			return meta_apply_old(&file->events, &file->features, raw, feature, swap,
					      err);
	}
	rc = meta_apply(&file->events, &file->features, stream, raw, swap, err);
	record_sizes_learn(&file->sizes, &file->events);
	return rc;
}

/*
 * Frames records into the queue until one must be returned at once. Returns 1 with *@raw, 0 at the
 * end of the data, when the queue releases all records, -1 with @err filled.
 */
static int fill_queue(struct perffile *file, struct raw_record *raw, struct error *err)
{
	int rc;

	if (!file->started && opening_start(file, err) < 0)
		return -1;
	while ((rc = frame_record(file, raw, err)) > 0) {
		uint64_t time = sort_time(file, raw);

		if (time == 0) {
			rc = act(file, raw, err);
			if (rc != 0)
				return rc;
			note_damage(file, raw, DECODE_DAMAGED);
			continue;
		}
		if (queue_push(&file->queue, raw, time, err) < 0)
			return -1;
	}
	return rc;
}

/*
 * Decodes the next record into @rec; *@block holds its bytes, valid until the next call. Reads more
 * of the recording only if @read, which may block on a stream. Returns 1, 0 if there is no record,
 * -1 with @err filled.
 */
__attribute__((always_inline)) static inline int take_next(struct perffile *file,
							   struct record *rec, struct block **block,
							   bool read, struct error *err)
{
	struct raw_record raw;
	uint64_t time;

	for (;;) {
		int rc = queue_pop(&file->queue, &raw, &time, err);

		if (rc > 0) {
			rec->late = note_time(file, &raw, time);
		} else {
			if (rc == 0 && !read)
				return 0;
			if (rc == 0 && !file->finished)
				rc = fill_queue(file, &raw, err);
			if (rc < 0)
				return -1;
			rec->late = false;
			if (rc == 0 && tree_empty(&file->queue.runs))
				return 0;
			if (rc == 0)
				continue;
		}
		if (deliver(file, &raw, rec)) {
			*block = raw.block;
			return 1;
		}
	}
}

int perffile_next(struct perffile *file, const struct record **rec, struct error *err)
{
	struct block *block;

	*rec = &file->rec;
	return take_next(file, &file->rec, &block, true, err);
}

int perffile_next_batch(struct perffile *file, struct record_batch **ret, struct error *err)
{
	struct record_batch *batch = batch_get(&file->spare);
	struct block *block;
	int rc;

	*ret = NULL;
	if (!batch)
		return error_nomem(err, "reading the recording");
	do {
		rc = take_next(file, &batch->records[batch->nr_records], &block,
			       batch->nr_records == 0, err);
		if (rc > 0) {
			batch_hold(batch, block);
			batch->nr_records++;
		}
	} while (rc > 0 && !batch_is_full(batch));
	if (rc < 0 || batch->nr_records == 0) {
		perffile_give_back(file, batch);
		return rc;
	}
	*ret = batch;
	return 1;
}

void perffile_give_back(struct perffile *file, struct record_batch *batch)
{
	batch_put(batch, &file->pool, &file->spare);
}

void perffile_stop(struct perffile *file)
{
	for (size_t i = 0; i < file->nr_parts; i++)
		file->parts[i].source.stopped = true;
}

void perffile_close(struct perffile *file)
{
	if (!file)
		return;
	batch_free_spare(&file->spare);
	queue_free(&file->queue);
	for (size_t i = 0; i < file->nr_parts; i++) {
		stream_free(&file->parts[i].stream);
		source_close(&file->parts[i].source);
	}
	free(file->parts);
	directory_list_free(&file->files);
	block_pool_trim(&file->pool);
	features_free(&file->features);
	events_free(&file->events);
	free(file);
}
