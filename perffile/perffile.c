#include "perffile/perffile.h"

#include "perffile/ahead.h"
#include "perffile/handle.h"
#include "perffile/input/header.h"
#include "perffile/meta.h"
#include "perffile/opening.h"
#include "perffile/record/decode.h"
#include "perffile/record/plain.h"
#include "perffile/sequence.h"

#include <stdlib.h>
#include <string.h>

bool perffile_is_begin(const void *head)
{
	uint64_t magic;

	memcpy(&magic, head, sizeof(magic));
	return header_is_any_magic(magic);
}

/* Opens the recording at @path or, unless it is -1, in the open file @fd. */
static struct perffile *open_file(const char *path, int fd, struct error *err)
{
	struct perffile *file = calloc(1, sizeof(*file));

	if (!file) {
		error_nomem(err, "opening the recording");
		return NULL;
	}
	file->framing.set = file->decoding.set = &file->events;
	queue_init(&file->queue, &file->framing, &file->pool);
	record_sizes_init(&file->sizes);
	file->plausible = (struct plausibility){.finder = &file->framing, .sizes = &file->sizes};
	if ((fd < 0 ? directory_list(&file->files, path, err)
		    : directory_list_file(&file->files, path, err)) < 0) {
		perffile_close(file);
		return NULL;
	}
	file->counts.missing_files = file->files.nr_missing;
	file->counts.missing_file = file->files.first_missing;
	file->parts = calloc(file->files.nr_paths, sizeof(*file->parts));
	if (!file->parts)
		error_nomem(err, "opening the recording");
	if (!file->parts || opening_first(file, fd, err) < 0) {
		perffile_close(file);
		return NULL;
	}
	return file;
}

struct perffile *perffile_open(const char *path, struct error *err)
{
	return open_file(path, -1, err);
}

struct perffile *perffile_open_fd(int fd, const char *name, struct error *err)
{
	if (fd >= 0)
		return open_file(name, fd, err);
	error_set(err, ERROR_USAGE, "%s: %d is not a file descriptor", name, fd);
	return NULL;
}

struct perffile *perffile_open_again(const struct perffile *file, struct error *err)
{
	const struct source *source = &file->parts[0].source;

	if (file->files.dir)
		return perffile_open(file->files.dir, err);
	return perffile_open_fd(source->fd, source->name, err);
}

void perffile_set_wait(struct perffile *file, bool (*wait)(void *arg, int fd), void *arg)
{
	sequence_set_wait(file, wait, arg);
}

void perffile_set_memory(struct perffile *file, size_t bytes)
{
	queue_set_memory(&file->queue, bytes);
}

void perffile_read_ahead(struct perffile *file)
{
	file->reads_ahead = !file->ahead;
}

bool perffile_is_work_to_read(const struct perffile *file)
{
	return ahead_is_work(file);
}

void perffile_keep_order(struct perffile *file)
{
	file->unsorted = true;
}

void perffile_use_gaps(struct perffile *file)
{
	queue_use_gaps(&file->queue);
}

void perffile_use_leaps(struct perffile *file)
{
	queue_use_leaps(&file->queue);
}

void perffile_set_tick(struct perffile *file, int (*tick)(void *arg, struct error *err), void *arg)
{
	sequence_set_tick(file, tick, arg);
}

void perffile_pack(struct perffile *file)
{
	file->packs = true;
}

bool perffile_is_stream(const struct perffile *file)
{
	return file->parts[0].source.stream;
}

bool perffile_events_come(const struct perffile *file)
{
	return file->header.pipe || perffile_is_stream(file);
}

/* Returns whether @raw, of the stretch, is late: older than those before it. Counts it if so. */
static bool note_time(struct perffile *file, const struct raw_record *raw, uint64_t time)
{
	if (time > file->last_time)
		file->last_time = time;
	if (time >= file->stretch.newest)
		return false;
	counts_late(&file->counts, raw->type);
	return true;
}

/* Decodes @raw into @rec and counts it. Returns false if it is damaged and must be skipped. */
__attribute__((flatten)) static bool deliver(struct perffile *file, const struct raw_record *raw,
					     struct record *rec)
{
	size_t rest;
	enum decode_result result =
		decode_record(rec, raw, file->header.swap, &file->decoding, &rest);

	if (result != DECODE_OK) {
		sequence_note_damage(file, &file->counts, raw, result);
		return false;
	}
	if (raw->type != RECORD_SAMPLE) {
		counts_record(&file->counts, rec);
		tracestore_record(&file->traces, rec);
	}
	return true;
}

/* Gives back what hold_stretch() kept. */
static void release_held(struct perffile *file)
{
	struct held *held = &file->held;

	while (held->nr_blocks > 0)
		block_release(&file->pool, held->blocks[--held->nr_blocks]);
	held->number++;
}

/* Keeps the bytes of the records of the stretch until release_held(). */
static inline void hold_stretch(struct perffile *file)
{
	struct held *held = &file->held;

	if (block_hold(file->stretch.block, held->number))
		held->blocks[held->nr_blocks++] = file->stretch.block;
}

/*
 * Takes the next records from the thread that reads ahead, or reads them. As sequence_next(). From
 * the first record on that was sorted a thread can read while others are decoded.
 */
static int next_stretch(struct perffile *file, struct error *err)
{
	int rc;

	if (file->stretch.sorted && file->reads_ahead) {
		file->reads_ahead = false;
		release_held(file);
		ahead_start(file);
	}
	if (file->ahead)
		return ahead_next(file->ahead, &file->stretch, err);
	rc = sequence_next(file, &file->stretch, err);
	counts_move(&file->counts, &file->framed);
	if (rc <= 0)
		file->stretch = (struct raw_stretch){0};
	return rc;
}

/* Takes the next record of the stretch. */
static inline struct raw_record take_raw(struct perffile *file, struct record *rec)
{
	struct raw_record raw = raw_take(&file->stretch, file->header.swap);
	struct span body;

	rec->late = false;
	if (file->stretch.sorted) {
		body = raw_body(&raw, file->header.swap);
		rec->late = note_time(file, &raw, events_time(&file->decoding, raw.type, &body));
	} else if (file->old_pipe) {
		(void)meta_old_feature(&raw);
	}
	return raw;
}

/* As perffile_next() to @rec. */
static inline int next_record(struct perffile *file, struct record *rec, struct error *err)
{
	struct raw_record raw;

	do {
		if (file->stretch.bytes == file->stretch.end) {
			int rc = next_stretch(file, err);

			if (rc <= 0)
				return rc;
		}
		raw = take_raw(file, rec);
	} while (!deliver(file, &raw, rec));
	return 1;
}

int perffile_next(struct perffile *file, const struct record **rec, struct error *err)
{
	*rec = &file->rec;
	return next_record(file, &file->rec, err);
}

/*
 * Whether next_stretch() can go on at once. If not, who asks for it must have used all records
 * before: it may wait for data, or apply what a record says of the recording itself.
 */
static bool is_at_hand(const struct perffile *file)
{
	if (file->reads_ahead || file->held.nr_blocks == HELD_BLOCKS_MAX)
		return false;
	return file->ahead ? ahead_is_at_hand(file->ahead) : queue_is_releasing(&file->queue);
}

/* Takes the plain samples that the stretch begins with. */
static void take_plain(struct perffile *file, struct plain_samples *samples)
{
	struct plain_taker *taker = &file->taker;
	bool chains;

	taker->swap = file->header.swap; /* a pipe tells when the first record is asked for */
	taker->nr = taker->packed ? samples->nr_runs : samples->nr;
	chains = plain_take(&file->stretch, taker);
	if (taker->packed)
		samples->nr_runs = taker->nr;
	samples->nr = taker->packed ? taker->nr_packed : taker->nr;
	samples->first = taker->first;
	samples->last = taker->last;
	samples->gap_end = taker->gap_end;
	/* The thread that reads ahead keeps the bytes of all that is at hand. */
	if (chains && !file->ahead)
		hold_stretch(file);
}

/* As perffile_next_plain() from the thread that reads ahead, which may have decoded them. */
static int next_plain_ahead(struct perffile *file, struct plain_samples *samples, struct error *err)
{
	struct ahead *ahead = file->ahead;

	for (;;) {
		int rc;

		if (file->stretch.sorted && file->stretch.bytes != file->stretch.end)
			take_plain(file, samples);
		if (file->stretch.bytes != file->stretch.end)
			return samples->nr > 0;
		if (samples->nr > 0 && (!ahead_is_at_hand(ahead) || ahead_has_plain(ahead)))
			return 1;
		rc = ahead_await(ahead, err);
		if (rc <= 0)
			return rc;
		if (ahead_has_plain(ahead))
			break;
		(void)ahead_next(ahead, &file->stretch, err);
	}
	ahead_take_plain(ahead, samples);
	samples->are_held = samples->samples;
	return 1;
}

static void start_plain(struct perffile *file)
{
	file->wants_plain = true;
	file->taker = (struct plain_taker){
		.finder = &file->decoding,
		.samples = file->plain,
		.packed_room = PLAIN_SAMPLES_MAX,
		.runs = file->runs,
	};
}

/* Has samples put where they are returned from, packed or not. */
static void give_room(struct perffile *file, struct plain_samples *samples)
{
	struct plain_taker *taker = &file->taker;
	const bool packs = handle_packs(file) && plain_packs_well(taker);

	taker->packed = packs ? file->packed : NULL;
	taker->room = packs ? PACKED_RUNS_MAX : PLAIN_SAMPLES_MAX;
	taker->nr_packed = 0;
	samples->samples = packs ? NULL : file->plain;
	samples->runs = file->runs;
}

/* As perffile_next_plain() without a thread that reads ahead; if there is one now, it goes on. */
static int next_plain(struct perffile *file, struct plain_samples *samples, struct error *err)
{
	while (!file->ahead) {
		int rc;

		if (file->stretch.sorted && file->stretch.bytes != file->stretch.end)
			take_plain(file, samples);
		if (file->stretch.bytes != file->stretch.end || (samples->nr && !is_at_hand(file)))
			return samples->nr > 0;
		rc = next_stretch(file, err);
		if (rc <= 0)
			return rc < 0 ? -1 : samples->nr > 0;
	}
	return next_plain_ahead(file, samples, err);
}

int perffile_next_plain(struct perffile *file, struct plain_samples *samples, struct error *err)
{
	int rc;

	samples->swap = file->header.swap;
	samples->nr = samples->nr_runs = 0;
	samples->are_held = false;
	if (!file->wants_plain)
		start_plain(file);
	give_room(file, samples);
	release_held(file);
	rc = next_plain(file, samples, err);
	if (rc <= 0)
		return rc;
	if (!samples->samples && !file->ahead)
		plain_note_runs(&file->taker, samples->nr, samples->nr_runs);
	if (samples->last > file->last_time)
		file->last_time = samples->last;
	return 1;
}

/* ---- work for others ------------------------------------------------------------------------- */

uint64_t perffile_batch(const struct perffile *file)
{
	return file->ahead ? ahead_batch(file->ahead) : 0;
}

void perffile_hold(struct perffile *file)
{
	ahead_hold(file->ahead);
}

void perffile_let_go(struct perffile *file, uint64_t batch)
{
	ahead_let_go(file->ahead, batch);
}

void perffile_set_work(struct perffile *file, size_t nr_threads, perffile_work work, void *arg)
{
	file->nr_threads = nr_threads;
	file->work = work;
	file->work_arg = arg;
}

void perffile_end_work(struct perffile *file)
{
	file->work = NULL;
	if (file->ahead)
		ahead_end_work(file->ahead);
}

void perffile_wake(struct perffile *file)
{
	if (file->ahead)
		ahead_wake(file->ahead);
}

bool perffile_reader_is_free(struct perffile *file)
{
	return file->ahead && ahead_is_free(file->ahead);
}

/* ---- batches --------------------------------------------------------------------------------- */

/* Who reads a pipe wants what has come. */
static bool must_wait(const struct perffile *file)
{
	return file->stretch.bytes == file->stretch.end && perffile_is_stream(file) &&
	       !is_at_hand(file);
}

long perffile_next_batch(struct perffile *file, struct record *recs, size_t room, struct error *err)
{
	struct held *held = &file->held;
	size_t nr = 0;

	release_held(file);
	while (!held->failed && nr < room && held->nr_blocks < HELD_BLOCKS_MAX &&
	       (nr == 0 || !must_wait(file))) {
		const int rc = next_record(file, &recs[nr], &held->err);

		held->failed = rc < 0;
		if (rc <= 0)
			break;
		hold_stretch(file);
		nr++;
	}
	if (nr > 0 || !held->failed)
		return (long)nr;
	*err = held->err;
	return -1;
}

/* ---- the end --------------------------------------------------------------------------------- */

void perffile_stop(struct perffile *file)
{
	for (size_t i = 0; i < file->nr_parts; i++)
		file->parts[i].source.stopped = true;
}

void perffile_close(struct perffile *file)
{
	if (!file)
		return;
	ahead_stop(file->ahead);
	release_held(file);
	queue_free(&file->queue);
	for (size_t i = 0; i < file->nr_parts; i++) {
		stream_free(&file->parts[i].stream);
		source_close(&file->parts[i].source);
	}
	free(file->parts);
	directory_list_free(&file->files);
	block_pool_trim(&file->pool);
	features_free(&file->features);
	tracestore_free(&file->traces);
	events_free(&file->events);
	free(file);
}
