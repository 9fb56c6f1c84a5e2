#include "perffile/aheadthread.h"

#include "perffile/aheadstate.h"
#include "perffile/batch.h"
#include "perffile/format.h"
#include "perffile/handle.h"
#include "perffile/record/plain.h"
#include "perffile/sequence.h"
#include "util/pastcache.h"

enum {
	BATCH_BYTES = 256 * 1024,     /* of records */
	RING_BYTES = 8 * 1024 * 1024, /* of records, in all batches that are larger */
};

/* Has the thread do a piece of work, without the lock, which is held. Returns false if there is
 * none. */
static bool do_work(struct ahead *ahead)
{
	const perffile_work work = ahead->work;
	bool did;

	if (!work)
		return false;
	ahead->works = true;
	pthread_mutex_unlock(&ahead->lock);
	did = work(ahead->work_arg, PERFFILE_READER);
	pthread_mutex_lock(&ahead->lock);
	ahead->works = false;
	if (!ahead->work) /* somebody waits in ahead_end_work() */
		pthread_cond_broadcast(&ahead->to_caller);
	return did;
}

/* Waits until somebody has used batches or has work; with the lock. */
static void await_others(struct ahead *ahead)
{
	ahead->is_awake = false;
	if (ahead->caller_waits && ahead->nr_filled > ahead->nr_passed) { /* no more will come */
		ahead_unlock_and_wake(ahead, &ahead->to_caller, true);
		pthread_mutex_lock(&ahead->lock);
	}
	if (do_work(ahead) || ahead->is_awake)
		return;
	ahead->thread_waits = true;
	pthread_cond_wait(&ahead->to_thread, &ahead->lock);
	ahead->thread_waits = false;
}

/*
 * Waits for room in the ring; if it was full, until half of it is free: few long waits cost less
 * than many short ones. Returns false if the caller wants no more.
 */
static bool await_room(struct ahead *ahead)
{
	bool goes_on;

	pthread_mutex_lock(&ahead->lock);
	ahead->is_free = ahead->nr_filled == ahead->nr_used + ahead->nr_ring;
	if (ahead->is_free)
		while (!ahead->stops && ahead->nr_filled - ahead->nr_used > ahead->nr_ring / 2)
			await_others(ahead);
	ahead->is_free = false;
	goes_on = !ahead->stops;
	pthread_mutex_unlock(&ahead->lock);
	return goes_on;
}

/*
 * The bytes that fill a batch. More than BATCH_BYTES in each would not stay in the cache; but where
 * rounds of perf's writing are large, nothing does, and while the thread reads one, the caller
 * should have all records of the one before: else each waits for the other, once a round. The
 * largest round so far counts, as large ones and small ones take turns.
 */
static size_t batch_bytes(struct ahead *ahead)
{
	const uint64_t last = ahead->file->queue.last_round_bytes;
	uint64_t bytes;

	if (ahead->most_round_bytes < last)
		ahead->most_round_bytes = last;
	bytes = 2 * ahead->most_round_bytes;
	bytes = (bytes < RING_BYTES ? bytes : RING_BYTES) / ahead->nr_ring;
	return bytes < BATCH_BYTES ? BATCH_BYTES : (size_t)bytes;
}

/* Begins the next batch, in the place of one that nobody uses. */
static bool begin_batch(struct ahead *ahead)
{
	if (!await_room(ahead))
		return false;
	ahead->filling = ahead_batch_number(ahead, ahead->nr_filled);
	batch_begin(ahead->filling, ahead->nr_holders + ahead->nr_filled + 1, batch_bytes(ahead),
		    handle_packs(ahead->file) && plain_packs_well(&ahead->taker),
		    &ahead->file->pool);
	return true;
}

/* Passes the batch to the caller; @rc as in struct batch. */
static void pass_batch(struct ahead *ahead, int rc)
{
	struct batch *batch = ahead->filling;
	bool wakes;

	batch->rc = rc;
	batch->bytes_read = sequence_bytes_read(ahead->file);
	counts_move(&batch->framed, &ahead->file->framed);
	if (batch->packs)
		plain_note_runs(&ahead->taker, batch->nr_packed, batch->nr_samples);
	pastcache_end();
	ahead->filling = NULL;
	pthread_mutex_lock(&ahead->lock);
	ahead->nr_filled++;
	/* few long waits cost less than many short ones */
	wakes = ahead->caller_waits &&
		(rc <= 0 || ahead->nr_filled - ahead->nr_passed >= ahead->nr_ring / 2);
	ahead_unlock_and_wake(ahead, &ahead->to_caller, wakes);
}

/* Passes the batch on if it is full. False if the caller wants no more. */
static inline bool pass_if_full(struct ahead *ahead)
{
	if (!batch_is_full(ahead->filling))
		return true;
	pass_batch(ahead, 1);
	return begin_batch(ahead);
}

/* Adds records to batches. Returns false if the caller wants no more. */
static bool add_records(struct ahead *ahead, struct raw_stretch *stretch)
{
	if (!ahead->decodes || !stretch->sorted) {
		batch_add(ahead->filling, stretch);
		return pass_if_full(ahead);
	}
	while (stretch->bytes != stretch->end) {
		batch_add_decoded(ahead->filling, stretch, &ahead->taker);
		if (!pass_if_full(ahead))
			return false;
	}
	return true;
}

/* Called now and then while the thread reads. Returns -1 if the caller wants no more. */
int aheadthread_tick(void *arg, struct error *err)
{
	struct ahead *ahead = arg;
	bool stops;

	pthread_mutex_lock(&ahead->lock);
	ahead->ticks = true;
	stops = ahead->stops;
	ahead_unlock_and_wake(ahead, &ahead->to_caller, ahead->caller_waits);
	return stops ? error_set(err, ERROR_INTERRUPTED, "not read to the end") : 0;
}

/* Nothing is left to be read: does what others have to do until the caller wants no more. */
static void work_on(struct ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->is_free = true;
	while (!ahead->stops && ahead->work)
		await_others(ahead);
	pthread_mutex_unlock(&ahead->lock);
}

void *aheadthread_run(void *arg)
{
	struct ahead *ahead = arg;
	struct raw_stretch stretch;
	struct error err = {0};
	int rc;

	if (!begin_batch(ahead))
		return NULL;
	while ((rc = sequence_next(ahead->file, &stretch, &err)) > 0) {
		if (!add_records(ahead, &stretch))
			return NULL;
	}
	if (ahead->filling) {
		ahead->filling->err = err;
		pass_batch(ahead, rc);
		work_on(ahead);
	}
	return NULL;
}

/* Passes on what there is, and asks the caller. Returns false if it wants no more. */
static bool ask(struct ahead *ahead, enum ahead_request request)
{
	bool goes_on;

	if (ahead->filling && batch_has_any(ahead->filling, &(struct batch_place){0})) {
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

bool aheadthread_wait(void *arg, int fd)
{
	struct ahead *ahead = arg;

	ahead->fd = fd;
	return ask(ahead, ASK_DATA) && ahead->answer;
}

/* Waits until the caller has used all records before, and waits itself until go_on(). */
int aheadthread_settle(void *arg, struct error *err)
{
	return ask(arg, ASK_REST) ? 0 : aheadthread_tick(arg, err);
}

void aheadthread_go_on(void *arg)
{
	struct ahead *ahead = arg;

	pthread_mutex_lock(&ahead->lock);
	ahead->caller_rests = false;
	pthread_mutex_unlock(&ahead->lock);
}
