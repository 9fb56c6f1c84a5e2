#include "perffile/sequence.h"

#include "perffile/handle.h"
#include "perffile/meta.h"
#include "perffile/opening.h"
#include "perffile/record/recordtype.h"
#include "perffile/record/scope.h"

void sequence_note_damage(const struct perffile *file, struct perffile_counts *counts,
			  const struct raw_record *raw, enum decode_result result)
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
	counts_damage(counts, cause, &damage);
}

/* If the writer omitted the trailer, what is in its place may be part of a name, and no event's id.
 */
static bool has_trailer(struct perffile *file, uint32_t type, const struct span *body)
{
	const struct event *event = events_of_record(&file->framing, body);

	if (!event)
		event = file->events.first; /* all trailers are alike, or it would have no time */
	return record_type_has_trailer(type, *body, event->layout.trailer_bytes);
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
	time = events_time(&file->framing, raw->type, &body);
	if (time == UINT64_MAX)
		return 0;
	if (raw->type != RECORD_SAMPLE && time != 0 && !has_trailer(file, raw->type, &body))
		return 0;
	return time;
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
			counts_end(&file->framed, part->stream.losses.cut_bytes,
				   part->stream.losses.cut_offset, stream_missing(&part->stream));
		if (part->source.broken)
			counts_break(&file->framed, part->source.broken, part->source.broken_at);
		stream_free(&part->stream);
		file->current++;
	}
	file->finished = true;
	block_pool_trim(&file->pool); /* all data has been read once */
	queue_finish(&file->queue);
	return 0;
}

/*
 * Applies what @raw says of the recording itself, or takes note of the trace behind it. Returns as
 * act().
 */
static int apply_meta(struct perffile *file, struct raw_record *raw, struct error *err)
{
	struct stream *stream = &file->parts[file->current].stream;
	const bool swap = file->header.swap;
	unsigned feature = file->old_pipe ? meta_old_feature(raw) : 0;
	int rc;

	if (feature)
		return meta_apply_old(&file->events, &file->features, raw, feature, swap, err);
	if (raw->type == RECORD_AUXTRACE &&
	    tracestore_take(&file->traces, stream, (uint32_t)file->current, err) < 0)
		return -1;
	rc = meta_apply(&file->events, &file->features, stream, raw, swap, err);
	record_sizes_learn(&file->sizes, &file->events);
	return rc;
}

/* Applies a record without a time. Returns 1 if it is whole, 0 if damaged, -1 with @err filled. */
static int act(struct perffile *file, struct raw_record *raw, struct error *err)
{
	int rc;

	/* A round of one part says nothing about the others. */
	if (raw->type == RECORD_FINISHED_ROUND && file->nr_parts == 1)
		queue_round(&file->queue);
	if (raw->nr == 0 && file->header.pipe && !file->told && meta_is_old_pipe(raw)) {
		file->old_pipe = true;
		/* here type 71 is not AUXTRACE */
		stream_ignore_payloads(&file->parts[file->current].stream);
	}
	/* Where a trace is, is told when its record has been reached. */
	if (!file->old_pipe && (file->told || !meta_has_effect(raw)) &&
	    raw->type != RECORD_AUXTRACE)
		return 1;
	if (file->gate.close && file->gate.close(file->gate.arg, err) < 0)
		return -1;
	rc = apply_meta(file, raw, err);
	if (file->gate.open)
		file->gate.open(file->gate.arg);
	return rc;
}

/* Frames the samples that go on from the one framed and pushed last, at @time: most do. */
static void frame_stretch(struct perffile *file, uint64_t time)
{
	struct stream *stream = &file->parts[file->current].stream;
	struct sample_stretch stretch = {.time = time};

	reader_stretch(&(stream->inner_open ? &stream->inner : &stream->outer)->reader,
		       file->events.sample_time, &stretch);
	if (stretch.nr == 0)
		return;
	file->nr += stretch.nr;
	queue_push_on(&file->queue, &stretch);
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

		if (record_scope_lasts(raw, file->header.swap))
			queue_end_leaps(&file->queue);
		if (time == 0 || file->unsorted) {
			rc = act(file, raw, err);
			if (rc != 0)
				return rc;
			sequence_note_damage(file, &file->framed, raw, DECODE_DAMAGED);
			continue;
		}
		if (queue_push(&file->queue, raw, time, err) < 0)
			return -1;
		if (raw->type == RECORD_SAMPLE && file->events.sample_time)
			frame_stretch(file, time);
	}
	return rc;
}

int sequence_next(struct perffile *file, struct raw_stretch *stretch, struct error *err)
{
	for (;;) {
		struct raw_record raw;
		int rc = queue_pop(&file->queue, stretch, err);

		if (rc == 0 && !file->finished)
			rc = fill_queue(file, &raw, err);
		else if (rc != 0)
			return rc;
		if (rc < 0)
			return -1;
		if (rc > 0) {
			*stretch = (struct raw_stretch){.bytes = raw.bytes,
							.end = raw.bytes + raw.size,
							.block = raw.block,
							.nr = raw.nr};
			return 1;
		}
		if (queue_is_empty(&file->queue))
			return 0;
	}
}

void sequence_set_wait(struct perffile *file, source_wait wait, void *arg)
{
	for (size_t i = 0; i < file->nr_parts; i++) {
		file->parts[i].source.wait = wait;
		file->parts[i].source.wait_arg = arg;
	}
}

void sequence_set_tick(struct perffile *file, source_tick tick, void *arg)
{
	file->queue.tick = tick;
	file->queue.tick_arg = arg;
	for (size_t i = 0; i < file->nr_parts; i++) {
		file->parts[i].source.tick = tick;
		file->parts[i].source.tick_arg = arg;
	}
}

uint64_t sequence_bytes_read(const struct perffile *file)
{
	const struct run_store *store = &file->queue.store;
	uint64_t sum = 0, total = sequence_bytes_total(file);

	for (size_t i = 0; i < file->nr_parts; i++)
		sum += file->parts[i].stream.outer.reader.next_offset;
	if (store->bytes_cooled == 0 || total == 0)
		return sum;
	return (uint64_t)((unsigned __int128)(sum + store->bytes_reread) * total /
			  (total + store->bytes_cooled));
}

uint64_t sequence_bytes_total(const struct perffile *file)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < file->nr_parts; i++) {
		if (file->parts[i].source.stream)
			return 0;
		sum += file->parts[i].source.size;
	}
	return sum;
}
