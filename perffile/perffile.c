#include "perffile/perffile.h"

#include "perffile/counts.h"
#include "perffile/decode.h"
#include "perffile/directory.h"
#include "perffile/feature.h"
#include "perffile/featuretext.h"
#include "perffile/header.h"
#include "perffile/meta.h"
#include "perffile/queue.h"
#include "perffile/reader.h"
#include "perffile/repair.h"
#include "perffile/stream.h"

#include <stdlib.h>

/* One of the files that a recording consists of. */
struct part {
	struct source source;
	struct stream stream;
};

struct perffile {
	struct file_list files;
	struct part *parts; /* nr_parts of them are open; [0] has the header */
	size_t nr_parts;
	size_t current; /* the part that is being framed */
	struct header header;
	struct event_set events;
	struct shapes shapes;
	struct judge judge;
	struct features features;
	struct block_pool pool;
	struct queue queue;
	uint64_t nr;	    /* index of the next record to be framed */
	bool old_pipe;	    /* see meta_is_old_pipe() */
	bool started;	    /* the header is read */
	bool finished;	    /* all parts are framed */
	uint64_t last_time; /* ns, of the newest record delivered in time order */
	struct record rec;
	struct perffile_counts counts;
};

/*
 * Reads the events from the attrs section or, if that or its ids cannot be read, from the feature
 * that repeats them.
 */
static int read_events(struct perffile *file, struct error *err)
{
	struct source *source = &file->parts[0].source;
	struct event_set described = {0};
	struct error why = {0};
	int rc = events_read(&file->events, &file->header, source, &why), nr;

	if (rc == 0 && file->events.lost_ids == 0)
		return 0;
	if (err && rc < 0)
		*err = why;
	if (why.kind == ERROR_NOMEM)
		return -1;
	nr = repair_events(&described, &file->header, source, rc < 0 ? NULL : err);
	if (nr > 0) {
		events_free(&file->events);
		file->events = described;
		file->header.bent++;
		return 0;
	}
	events_free(&described);
	return nr < 0 ? -1 : rc;
}

/* Reads the header and all that is not records. */
static int start_first(struct perffile *file, struct error *err)
{
	struct part *part = &file->parts[0];
	const struct section *data = &file->header.data;
	bool cut;

	if (source_start(&part->source, err) < 0 || source_unwrap(&part->source, &cut, err) < 0 ||
	    header_read(&file->header, &part->source, err) < 0)
		return -1;
	queue_set_swap(&file->queue, file->header.swap);
	file->counts.cut_wrapper = cut;
	file->counts.missing_features = file->header.missing_features;
	file->judge.swap = file->header.swap;
	if (!file->header.pipe) {
		if (read_events(file, err) < 0 ||
		    features_read(&file->features, &file->events, &file->header, &part->source,
				  err) < 0)
			return -1;
		shapes_learn(&file->shapes, &file->events);
		repair_data_offset(&file->header, &part->source, &file->judge);
		file->counts.unfinished = data->size == 0;
		file->counts.missing_ids = file->events.lost_ids;
	}
	file->counts.bent_fields = file->header.bent;
	stream_init(&part->stream, &part->source, data->offset,
		    data->size ? data->offset + data->size : UINT64_MAX, &file->judge, &file->pool,
		    &file->counts);
	return 0;
}

/* A bare stream beside the first file. Returns 1, 0 if it is empty, -1 with @err filled. */
static int open_part(struct source *source, const char *path, struct error *err)
{
	struct error why = {0};

	if (source_open(source, path, err) < 0)
		return -1;
	if (source->stream)
		error_set(&why, ERROR_UNSUPPORTED, "%s: is a pipe, expected a file", path);
	else if (source_start(source, &why) == 0)
		return 1;
	source_close(source);
	if (why.kind == ERROR_FORMAT)
		return 0;
	*err = why;
	return -1;
}

/* Opens the bare streams beside it. One that is empty had nothing to record. */
static int open_others(struct perffile *file, struct error *err)
{
	for (size_t i = 1; i < file->files.nr_paths; i++) {
		struct part *part = &file->parts[file->nr_parts];
		int rc = open_part(&part->source, file->files.paths[i], err);

		if (rc < 0)
			return -1;
		if (rc == 0)
			continue;
		file->nr_parts++;
		/* There is one for each thread of perf record. */
		if (source_rest(&part->source, err) < 0)
			return -1;
		stream_init(&part->stream, &part->source, 0, UINT64_MAX, &file->judge, &file->pool,
			    &file->counts);
	}
	return 0;
}

/*
 * perf before 3.9 kept the names of events in a section of {u64 config, char name[64]}: an entry
 * for each event, if as many as there are; else they are found by their config, which events of
 * different kinds may share.
 */
static int read_event_types(struct perffile *file, struct error *err)
{
	enum { NAME_BYTES = 64, ENTRY_BYTES = 8 + NAME_BYTES };
	struct event_set *events = &file->events;
	struct span s;
	bool in_order;
	void *bytes;
	int rc = 0;

	if (file->header.event_types.size == 0)
		return 0;
	bytes = section_load(&file->header.event_types, &file->parts[0].source, file->header.swap,
			     &s, err);
	if (!bytes)
		return -1;
	in_order = span_left(&s) / ENTRY_BYTES == events->nr_events;
	for (size_t i = 0; rc == 0 && span_holds(&s, 1, ENTRY_BYTES); i++) {
		uint64_t config = span_u64(&s);
		struct span name = span_take(&s, NAME_BYTES);
		const char *text = (const char *)name.pos;

		if (in_order && events->events[i]->attr.config == config)
			rc = events_describe(events, i, text, NAME_BYTES);
		else
			rc = events_name_config(events, config, text, NAME_BYTES);
	}
	free(bytes);
	return rc < 0 ? error_nomem(err, "naming the events") : 0;
}

static int start(struct perffile *file, struct error *err)
{
	file->started = true;
	if (start_first(file, err) == 0 && read_event_types(file, err) == 0 &&
	    open_others(file, err) == 0)
		return 0;
	file->finished = true;
	return -1;
}

/* Opens the file that has the header, and reads it unless that could mean to wait. */
static int open_first(struct perffile *file, struct error *err)
{
	struct source *source = &file->parts[0].source;

	if (source_open(source, file->files.paths[0], err) < 0)
		return -1;
	file->nr_parts = 1;
	return source->stream ? 0 : start(file, err);
}

struct perffile *perffile_open(const char *path, struct error *err)
{
	struct perffile *file = calloc(1, sizeof(*file));

	if (!file) {
		error_nomem(err, "opening the recording");
		return NULL;
	}
	queue_init(&file->queue, &file->events, &file->pool);
	shapes_init(&file->shapes);
	file->judge = (struct judge){.events = &file->events, .shapes = &file->shapes};
	if (file_list_make(&file->files, path, err) < 0) {
		perffile_close(file);
		return NULL;
	}
	file->parts = calloc(file->files.nr_paths, sizeof(*file->parts));
	if (!file->parts)
		error_nomem(err, "opening the recording");
	if (!file->parts || open_first(file, err) < 0) {
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
	if (time == UINT64_MAX)
		return 0;
	/* Where a writer left out the trailer, what was read is part of a name. */
	if (raw->type != RECORD_SAMPLE && time != 0) {
		const struct event *event = events_of_record(&file->events, &body);

		if (event && !record_has_trailer(raw->type, body, event->layout.trailer_bytes))
			return 0;
	}
	return time;
}

/* Whether @raw is late: older than what was given before. */
static bool note_time(struct perffile *file, const struct raw_record *raw, uint64_t time)
{
	if (time >= file->last_time) {
		file->last_time = time;
		return false;
	}
	count_late(&file->counts, raw->type);
	return true;
}

/* @raw cannot be decoded, as @result says. */
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
		cause = shapes_damage(&file->shapes, raw->type, body);
	count_damage(&file->counts, cause, &damage);
}

/* Decodes @raw into file->rec and counts it. False if it is damaged: then it is passed over. */
__attribute__((flatten)) static bool deliver(struct perffile *file, const struct raw_record *raw)
{
	size_t rest;
	enum decode_result result =
		decode_record(&file->rec, raw, file->header.swap, &file->events, &rest);

	if (result == DECODE_OK) {
		count_record(&file->counts, &file->rec);
		return true;
	}
	note_damage(file, raw, result);
	return false;
}

/* The next record of all parts, one part after the other. Returns 1, 0 at the end, -1. */
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
			count_losses(&file->counts, &part->stream);
		stream_free(&part->stream);
		file->current++;
	}
	file->finished = true;
	block_pool_trim(&file->pool); /* nothing more is read for the first time */
	queue_finish(&file->queue);
	return 0;
}

/* A record without a time acts where it stands. Returns 1 if it is whole, 0 if damaged, -1. */
static int act(struct perffile *file, struct raw_record *raw, struct error *err)
{
	struct stream *stream = &file->parts[file->current].stream;
	const bool swap = file->header.swap;
	int rc;

	/* A round of one part says nothing of the others. */
	if (raw->type == RECORD_FINISHED_ROUND && file->nr_parts == 1)
		queue_round(&file->queue);
	if (raw->nr == 0 && file->header.pipe && meta_is_old_pipe(raw)) {
		file->old_pipe = true;
		stream_ignore_payloads(stream); /* 71 is no AUXTRACE */
	}
	if (file->old_pipe) {
		unsigned feature = meta_old_feature(raw);

		if (feature)
			return meta_apply_old(&file->events, &file->features, raw, feature, swap,
					      err);
	}
	rc = meta_apply(&file->events, &file->features, stream, raw, swap, err);
	shapes_learn(&file->shapes, &file->events);
	return rc;
}

/*
 * Frames records into the queue until one must be delivered at once.
 * Returns 1 with *@raw, 0 if the queue has released records or the data ended, -1 on error.
 */
static int fill_queue(struct perffile *file, struct raw_record *raw, struct error *err)
{
	int rc;

	if (!file->started && start(file, err) < 0)
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

int perffile_next(struct perffile *file, const struct record **rec, struct error *err)
{
	struct raw_record raw;
	uint64_t time;

	for (;;) {
		int rc = queue_pop(&file->queue, &raw, &time, err);

		if (rc > 0) {
			file->rec.late = note_time(file, &raw, time);
		} else {
			if (rc == 0 && !file->finished)
				rc = fill_queue(file, &raw, err);
			if (rc < 0)
				return -1;
			file->rec.late = false;
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

void perffile_stop(struct perffile *file)
{
	for (size_t i = 0; i < file->nr_parts; i++)
		file->parts[i].source.stopped = true;
}

size_t perffile_nr_events(const struct perffile *file)
{
	return file->events.nr_events;
}

const struct event *perffile_event(const struct perffile *file, size_t number)
{
	return file->events.events[number];
}

const struct event *perffile_event_by_id(const struct perffile *file, uint64_t id)
{
	return events_by_id(&file->events, id);
}

bool perffile_has_offcpu(const struct perffile *file)
{
	return file->events.offcpu;
}

size_t perffile_nr_build_ids(const struct perffile *file)
{
	return file->features.nr_build_ids;
}

const struct named_build_id *perffile_build_ids(const struct perffile *file)
{
	return file->features.build_ids;
}

const char *perffile_pmu_name(const struct perffile *file, uint32_t type)
{
	return event_numbers_find(&file->events.numbers, NUMBER_PMU, type);
}

const char *perffile_release(const struct perffile *file)
{
	return file->features.release;
}

const char *perffile_hostname(const struct perffile *file)
{
	return file->features.hostname;
}

const char *perffile_machine(const struct perffile *file)
{
	return file->features.machine;
}

/* When the last file of the recording was written. */
static int64_t last_written(const struct perffile *file)
{
	int64_t last = INT64_MIN;

	for (size_t i = 0; i < file->nr_parts; i++) {
		if (file->parts[i].source.written > last)
			last = file->parts[i].source.written;
	}
	return last;
}

/*
 * The wall clock at the last record. Both clocks were read before the first one; times that perf
 * has made up lie centuries later.
 */
static int64_t wall_clock_at_end(const struct perffile *file)
{
	const struct features *features = &file->features;
	int64_t end;

	if (features->wall_time == 0 || file->last_time < features->clock_time ||
	    __builtin_add_overflow(features->wall_time, file->last_time - features->clock_time,
				   &end))
		return INT64_MAX;
	return end;
}

int64_t perffile_end(const struct perffile *file)
{
	const int64_t written = last_written(file), end = wall_clock_at_end(file);

	return end < written ? end : written;
}

const char *perffile_kcore_dir(const struct perffile *file)
{
	return file->files.kcore_dir;
}

int perffile_describe(const struct perffile *file, struct facts *facts, struct error *err)
{
	if (features_describe(&file->features, file->header.swap, facts) < 0)
		return error_nomem(err, "describing the recording");
	return 0;
}

const struct perffile_counts *perffile_counts(const struct perffile *file)
{
	return &file->counts;
}

uint64_t perffile_bytes_read(const struct perffile *file)
{
	const struct run_store *store = &file->queue.store;
	uint64_t sum = 0, total = perffile_bytes_total(file);

	for (size_t i = 0; i < file->nr_parts; i++)
		sum += file->parts[i].stream.outer.reader.next_offset;
	if (store->bytes_cooled == 0 || total == 0)
		return sum;
	return (uint64_t)((unsigned __int128)(sum + store->bytes_reread) * total /
			  (total + store->bytes_cooled));
}

uint64_t perffile_bytes_cold(const struct perffile *file)
{
	return file->queue.store.bytes_cooled;
}

uint64_t perffile_bytes_total(const struct perffile *file)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < file->nr_parts; i++) {
		if (file->parts[i].source.stream)
			return 0;
		sum += file->parts[i].source.size;
	}
	return sum;
}

void perffile_close(struct perffile *file)
{
	if (!file)
		return;
	queue_free(&file->queue);
	for (size_t i = 0; i < file->nr_parts; i++) {
		stream_free(&file->parts[i].stream);
		source_close(&file->parts[i].source);
	}
	free(file->parts);
	file_list_free(&file->files);
	block_pool_trim(&file->pool);
	features_free(&file->features);
	events_free(&file->events);
	free(file);
}
