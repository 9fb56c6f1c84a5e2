#include "perffile/ahead.h"

#include "perffile/handle.h"
#include "perffile/record/plain.h"
#include "perffile/sequence.h"
#include "util/apart.h"
#include "util/thread.h"

#include <pthread.h>
#include <stdlib.h>

enum {
	RING_BATCHES = 8,
	BATCH_STRETCHES = 1024,
	PREFETCH = 8, /* stretches: what the other thread has in its cache is fetched in time */
	BATCH_SAMPLES = 2048,
	BATCH_BLOCKS = 256,
	BATCH_BYTES = 256 * 1024, /* of records: those of the ring stay in the cache */
};

/** Records in time order, and the blocks that hold their bytes. */
struct ahead_batch {
	uint64_t number; /* as a holder of blocks */
	size_t nr, nr_samples, nr_blocks, bytes;
	int rc; /* 1: others follow; 0: the end; -1: the error @err, after the records */
	struct error err;
	uint64_t bytes_read;	       /* of the recording, when it was filled */
	struct perffile_counts framed; /* what was counted since the batch before */
	struct raw_stretch stretches[BATCH_STRETCHES + 2 * PREFETCH]; /* the last are not used */
	size_t nr_before[BATCH_STRETCHES]; /* by stretch: so many of @samples come before it */
	struct plain_sample samples[BATCH_SAMPLES];
	struct block *blocks[BATCH_BLOCKS];
};

/** What the thread asks of the caller, who waits for records. */
enum request {
	ASK_NOTHING,
	ASK_REST, /* to stay waiting while the thread applies a record */
	ASK_DATA, /* to wait for data of the stream */
};

struct ahead {
	struct perffile *file;
	uint64_t nr_holders; /* numbers of holders of blocks before the first batch's */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t to_caller, to_thread;
	/* Both threads use what follows, with the lock. */
	uint64_t nr_filled, nr_used; /* batches */
	bool caller_waits, thread_waits;
	bool caller_rests; /* it waits until the thread has applied a record */
	bool stops;	   /* the caller wants no more */
	bool ticks;	   /* the caller's tick is due */
	enum request request;
	int fd;			    /* ASK_DATA: the stream */
	bool answer;		    /* ASK_DATA: whether it goes on */
	struct apart before_thread; /* what follows is the thread's */
	struct ahead_batch *filling;
	struct event_finder finder;
	bool decodes;		     /* it decodes plain samples */
	struct apart before_caller;  /* what follows is the caller's */
	struct ahead_batch *current; /* NULL: none yet */
	size_t at, sample_at;	     /* the next stretch, and the next sample, of it */
	uint64_t bytes_read;	     /* of the recording, when @current was filled */
	source_wait wait;
	void *wait_arg;
	source_tick tick;
	void *tick_arg;
	struct apart before_batches;
	struct ahead_batch batches[RING_BATCHES];
};

static struct ahead_batch *batch_number(struct ahead *ahead, uint64_t number)
{
	return &ahead->batches[number % RING_BATCHES];
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Waits for room in the ring. Returns false if the caller wants no more. */
static bool await_room(struct ahead *ahead)
{
	bool goes_on;

	pthread_mutex_lock(&ahead->lock);
	while (!ahead->stops && ahead->nr_filled == ahead->nr_used + RING_BATCHES) {
		ahead->thread_waits = true;
		pthread_cond_wait(&ahead->to_thread, &ahead->lock);
	}
	ahead->thread_waits = false;
	goes_on = !ahead->stops;
	pthread_mutex_unlock(&ahead->lock);
	return goes_on;
}

static void give_blocks_back(struct ahead *ahead, struct ahead_batch *batch)
{
	for (size_t i = 0; i < batch->nr_blocks; i++)
		block_release(&ahead->file->pool, batch->blocks[i]);
	batch->nr_blocks = 0;
}

/* Begins the next batch, in the place of one that the caller has used. */
static bool begin_batch(struct ahead *ahead)
{
	struct ahead_batch *batch;

	if (!await_room(ahead))
		return false;
	batch = batch_number(ahead, ahead->nr_filled);
	give_blocks_back(ahead, batch);
	batch->number = ahead->nr_holders + ahead->nr_filled + 1;
	batch->nr = batch->nr_samples = batch->bytes = 0;
	ahead->filling = batch;
	return true;
}

/* Passes the batch to the caller; @rc as in struct ahead_batch. */
static void pass_batch(struct ahead *ahead, int rc)
{
	struct ahead_batch *batch = ahead->filling;

	batch->rc = rc;
	batch->bytes_read = sequence_bytes_read(ahead->file);
	counts_move(&batch->framed, &ahead->file->framed);
	ahead->filling = NULL;
	pthread_mutex_lock(&ahead->lock);
	ahead->nr_filled++;
	/* few long waits cost less than many short ones */
	if (ahead->caller_waits &&
	    (rc <= 0 || ahead->nr_filled - ahead->nr_used >= RING_BATCHES / 2))
		pthread_cond_signal(&ahead->to_caller);
	pthread_mutex_unlock(&ahead->lock);
}

static void hold_block(struct ahead_batch *batch, struct block *block)
{
	if (block_hold(block, batch->number))
		batch->blocks[batch->nr_blocks++] = block;
}

/* Passes the batch on if it has so much that it may be full. False if the caller wants no more. */
static inline bool pass_if_full(struct ahead *ahead)
{
	const struct ahead_batch *batch = ahead->filling;

	if (batch->nr < BATCH_STRETCHES && batch->nr_samples < BATCH_SAMPLES &&
	    batch->nr_blocks < BATCH_BLOCKS && batch->bytes < BATCH_BYTES)
		return true;
	pass_batch(ahead, 1);
	return begin_batch(ahead);
}

/* Adds records to the batch. Returns false if the caller wants no more. */
static bool add_stretch(struct ahead *ahead, const struct raw_stretch *stretch)
{
	struct ahead_batch *batch = ahead->filling;

	hold_block(batch, stretch->block);
	batch->nr_before[batch->nr] = batch->nr_samples;
	batch->stretches[batch->nr++] = *stretch;
	batch->bytes += (size_t)(stretch->end - stretch->bytes);
	return pass_if_full(ahead);
}

/*
 * Adds the plain samples that @stretch begins with, decoded. @newest: ns, time of the newest record
 * before. Returns false if the caller wants no more.
 */
static bool add_samples(struct ahead *ahead, struct raw_stretch *stretch, uint64_t newest)
{
	struct ahead_batch *batch = ahead->filling;
	const uint8_t *from = stretch->bytes;
	struct plain_taker taker = {
		.finder = &ahead->finder,
		.swap = ahead->file->header.swap,
		.newest = newest,
		.samples = batch->samples,
		.nr = batch->nr_samples,
		.room = BATCH_SAMPLES,
	};

	(void)plain_take(stretch, &taker);
	if (taker.nr == batch->nr_samples)
		return true;
	hold_block(batch, stretch->block);
	batch->nr_samples = taker.nr;
	batch->bytes += (size_t)(stretch->bytes - from);
	return pass_if_full(ahead);
}

/* Adds records, plain samples decoded. @newest and return as add_samples(). */
static bool add_records(struct ahead *ahead, struct raw_stretch *stretch, uint64_t newest)
{
	while (stretch->bytes != stretch->end) {
		struct raw_stretch other;
		const uint8_t *from = stretch->bytes;

		if (!add_samples(ahead, stretch, newest))
			return false;
		if (stretch->bytes == stretch->end)
			break;
		if (stretch->bytes != from)
			continue;
		other = *stretch;
		/* Samples that are not plain are followed by such. */
		if (raw_take(stretch, ahead->file->header.swap).type == RECORD_SAMPLE)
			return add_stretch(ahead, &other);
		other.end = stretch->bytes;
		if (!add_stretch(ahead, &other))
			return false;
	}
	return true;
}

/* Called now and then while the thread reads. Returns -1 if the caller wants no more. */
static int tick_in_thread(void *arg, struct error *err)
{
	struct ahead *ahead = arg;
	bool stops;

	pthread_mutex_lock(&ahead->lock);
	ahead->ticks = true;
	if (ahead->caller_waits)
		pthread_cond_signal(&ahead->to_caller);
	stops = ahead->stops;
	pthread_mutex_unlock(&ahead->lock);
	return stops ? error_set(err, ERROR_INTERRUPTED, "not read to the end") : 0;
}

static void *run(void *arg)
{
	struct ahead *ahead = arg;
	struct raw_stretch stretch;
	struct error err = {0};
	uint64_t newest = 0;
	int rc;

	if (!begin_batch(ahead))
		return NULL;
	while ((rc = sequence_next(ahead->file, &stretch, &err)) > 0) {
		if (!(ahead->decodes && stretch.sorted ? add_records(ahead, &stretch, newest)
						       : add_stretch(ahead, &stretch)))
			return NULL;
		newest = ahead->file->queue.newest_taken;
	}
	if (ahead->filling) {
		ahead->filling->err = err;
		pass_batch(ahead, rc);
	}
	return NULL;
}

/* Passes on what there is, and asks the caller. Returns false if it wants no more. */
static bool ask(struct ahead *ahead, enum request request)
{
	bool goes_on;

	if (ahead->filling && ahead->filling->nr + ahead->filling->nr_samples > 0) {
		pass_batch(ahead, 1);
		if (!begin_batch(ahead))
			return false;
	}
	pthread_mutex_lock(&ahead->lock);
	ahead->request = request;
	if (ahead->caller_waits)
		pthread_cond_signal(&ahead->to_caller);
	while (ahead->request == request && !ahead->stops)
		pthread_cond_wait(&ahead->to_thread, &ahead->lock);
	goes_on = !ahead->stops;
	pthread_mutex_unlock(&ahead->lock);
	return goes_on;
}

static bool wait_in_thread(void *arg, int fd)
{
	struct ahead *ahead = arg;

	ahead->fd = fd;
	return ask(ahead, ASK_DATA) && ahead->answer;
}

/* Waits until the caller has used all records before, and waits itself until go_on(). */
static int settle(void *arg, struct error *err)
{
	return ask(arg, ASK_REST) ? 0 : tick_in_thread(arg, err);
}

static void go_on(void *arg)
{
	struct ahead *ahead = arg;

	pthread_mutex_lock(&ahead->lock);
	ahead->caller_rests = false;
	pthread_mutex_unlock(&ahead->lock);
}

/* ---- the caller ------------------------------------------------------------------------------ */

/* Calls the caller's tick, if it is due, without the lock. */
static int tick(struct ahead *ahead, struct error *err)
{
	int rc = 0;

	if (!ahead->ticks || ahead->caller_rests)
		return 0;
	ahead->ticks = false;
	pthread_mutex_unlock(&ahead->lock);
	if (ahead->tick)
		rc = ahead->tick(ahead->tick_arg, err);
	pthread_mutex_lock(&ahead->lock);
	return rc;
}

/* Does what the thread asks for. */
static void answer(struct ahead *ahead)
{
	if (ahead->request == ASK_DATA) {
		pthread_mutex_unlock(&ahead->lock);
		ahead->answer = ahead->wait(ahead->wait_arg, ahead->fd);
		pthread_mutex_lock(&ahead->lock);
	}
	ahead->caller_rests |= ahead->request == ASK_REST;
	ahead->request = ASK_NOTHING;
	pthread_cond_signal(&ahead->to_thread);
}

/* Waits for a batch. Returns 0, or -1 with @err filled. */
static int await_batch(struct ahead *ahead, struct error *err)
{
	int rc;

	pthread_mutex_lock(&ahead->lock);
	ahead->nr_used += ahead->current != NULL;
	if (ahead->thread_waits && ahead->nr_filled - ahead->nr_used <= RING_BATCHES / 2)
		pthread_cond_signal(&ahead->to_thread);
	ahead->caller_waits = true;
	rc = tick(ahead, err);
	while (rc == 0 && ahead->nr_filled == ahead->nr_used) {
		if (ahead->request != ASK_NOTHING)
			answer(ahead);
		else
			pthread_cond_wait(&ahead->to_caller, &ahead->lock);
		rc = tick(ahead, err);
	}
	ahead->caller_waits = false;
	ahead->current = rc == 0 ? batch_number(ahead, ahead->nr_used) : NULL;
	pthread_mutex_unlock(&ahead->lock);
	return rc;
}

/* Goes on to the next batch. As sequence_next() for its first record. */
static int next_batch(struct ahead *ahead, struct error *err)
{
	int rc;

	if (ahead->current && ahead->current->rc <= 0) {
		*err = ahead->current->err;
		rc = ahead->current->rc;
		ahead->current->rc = 0;
		return rc;
	}
	if (await_batch(ahead, err) < 0)
		return -1;
	ahead->at = ahead->sample_at = 0;
	counts_move(&ahead->file->counts, &ahead->current->framed);
	ahead->bytes_read = ahead->current->bytes_read;
	return 1;
}

/* Where the samples end that come before the next stretch. */
static inline size_t samples_end(const struct ahead *ahead)
{
	const struct ahead_batch *batch = ahead->current;

	return ahead->at < batch->nr ? batch->nr_before[ahead->at] : batch->nr_samples;
}

bool ahead_has_plain(const struct ahead *ahead)
{
	return ahead->sample_at < samples_end(ahead);
}

bool ahead_is_at_hand(const struct ahead *ahead)
{
	return ahead->current &&
	       (ahead->at < ahead->current->nr || ahead->sample_at < ahead->current->nr_samples);
}

int ahead_await(struct ahead *ahead, struct error *err)
{
	while (!ahead_is_at_hand(ahead)) {
		int rc = next_batch(ahead, err);

		if (rc <= 0)
			return rc;
	}
	return 1;
}

void ahead_take_plain(struct ahead *ahead, struct plain_samples *samples)
{
	const size_t end = samples_end(ahead);

	samples->samples = &ahead->current->samples[ahead->sample_at];
	samples->nr = end - ahead->sample_at;
	ahead->sample_at = end;
}

/* The block that the bytes of @sample are in. */
static struct block *block_of(const struct ahead_batch *batch, const struct plain_sample *sample)
{
	size_t i = 0;

	while (sample->bytes < batch->blocks[i]->bytes ||
	       sample->bytes >= batch->blocks[i]->bytes + batch->blocks[i]->room)
		i++;
	return batch->blocks[i];
}

/* Takes a decoded sample as a record. */
static void take_one(struct ahead *ahead, struct raw_stretch *stretch)
{
	const struct ahead_batch *batch = ahead->current;
	const struct plain_sample *sample = &batch->samples[ahead->sample_at++];
	struct raw_stretch after;

	*stretch = (struct raw_stretch){.bytes = sample->bytes,
					.block = block_of(batch, sample),
					.nr = sample->nr,
					.sorted = true};
	after = *stretch;
	(void)raw_take(&after, ahead->file->header.swap);
	stretch->end = after.bytes;
}

int ahead_next(struct ahead *ahead, struct raw_stretch *stretch, struct error *err)
{
	int rc = ahead_await(ahead, err);

	if (rc <= 0)
		return rc;
	if (ahead_has_plain(ahead)) {
		take_one(ahead, stretch);
		return 1;
	}
	*stretch = ahead->current->stretches[ahead->at++];
	__builtin_prefetch(&ahead->current->stretches[ahead->at + 2 * PREFETCH]);
	__builtin_prefetch(ahead->current->stretches[ahead->at + PREFETCH].bytes);
	return 1;
}

uint64_t ahead_bytes_read(const struct ahead *ahead)
{
	return ahead->bytes_read;
}

/* Has the thread call the functions of the caller by the caller's thread. */
static void take_over(struct ahead *ahead)
{
	struct perffile *file = ahead->file;

	ahead->bytes_read = sequence_bytes_read(file);
	ahead->wait = file->parts[0].source.wait;
	ahead->wait_arg = file->parts[0].source.wait_arg;
	ahead->tick = file->queue.tick;
	ahead->tick_arg = file->queue.tick_arg;
	sequence_set_tick(file, tick_in_thread, ahead);
	if (ahead->wait)
		sequence_set_wait(file, wait_in_thread, ahead);
}

static void init_locks(struct ahead *ahead)
{
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->to_caller, NULL);
	pthread_cond_init(&ahead->to_thread, NULL);
}

static void destroy(struct ahead *ahead)
{
	pthread_cond_destroy(&ahead->to_caller);
	pthread_cond_destroy(&ahead->to_thread);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}

void ahead_start(struct perffile *file)
{
	struct ahead *ahead = calloc(1, sizeof(*ahead));

	if (!ahead)
		return;
	ahead->file = file;
	ahead->nr_holders = file->held.number;
	ahead->finder.set = &file->events;
	ahead->decodes = file->wants_plain;
	init_locks(ahead);
	take_over(ahead);
	file->ahead = ahead;
	file->gate = (struct meta_gate){settle, go_on, ahead};
	if (thread_start(&ahead->thread, run, ahead))
		return;
	file->ahead = NULL;
	file->gate = (struct meta_gate){0};
	sequence_set_tick(file, ahead->tick, ahead->tick_arg);
	sequence_set_wait(file, ahead->wait, ahead->wait_arg);
	destroy(ahead);
}

void ahead_stop(struct ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->stops = true;
	pthread_cond_signal(&ahead->to_thread);
	pthread_mutex_unlock(&ahead->lock);
	pthread_join(ahead->thread, NULL);
	for (size_t i = 0; i < RING_BATCHES; i++)
		give_blocks_back(ahead, &ahead->batches[i]);
	destroy(ahead);
}
