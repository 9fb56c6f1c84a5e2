#include "perffile/ahead.h"

#include "perffile/aheadstate.h"
#include "perffile/aheadthread.h"
#include "perffile/batch.h"
#include "perffile/handle.h"
#include "perffile/sequence.h"
#include "util/largemem.h"
#include "util/thread.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
	RING_MIN = 8, /* batches */
	RING_PLAIN = 32,
	RING_MAX = 64,
	RING_OF_THREAD = 4,
};

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

/* Whether what the thread asks for can be done: nobody rests who uses records. */
static bool can_answer(const struct ahead *ahead)
{
	return ahead->request == ASK_DATA ||
	       (ahead->request == ASK_REST && ahead->nr_used == ahead->nr_passed);
}

/* Gives the thread the batches that nobody uses any more, and gives up the lock. */
static void free_batches(struct ahead *ahead)
{
	bool wakes;

	while (ahead->nr_used < ahead->nr_passed &&
	       ahead_batch_number(ahead, ahead->nr_used)->nr_holds == 0)
		ahead->nr_used++;
	ahead->is_awake = true;
	wakes = ahead->thread_waits && ahead->nr_filled - ahead->nr_used <= ahead->nr_ring / 2;
	ahead_unlock_and_wake(ahead, &ahead->to_thread, wakes);
}

/* Has the caller do a piece of work, without the lock, which is held. False if there is none. */
static bool work_meanwhile(struct ahead *ahead)
{
	bool did;

	if (!ahead->work)
		return false;
	ahead->caller_waits = false;
	pthread_mutex_unlock(&ahead->lock);
	did = ahead->work(ahead->work_arg, PERFFILE_CALLER);
	pthread_mutex_lock(&ahead->lock);
	ahead->caller_waits = true;
	return did;
}

/* Waits for a batch. Returns 0, or -1 with @err filled. */
static int await_batch(struct ahead *ahead, struct error *err)
{
	int rc;

	pthread_mutex_lock(&ahead->lock);
	ahead->nr_passed += ahead->current != NULL;
	free_batches(ahead);
	pthread_mutex_lock(&ahead->lock);
	ahead->caller_waits = true;
	rc = tick(ahead, err);
	while (rc == 0 && ahead->nr_filled == ahead->nr_passed) {
		if (can_answer(ahead))
			answer(ahead);
		else if (work_meanwhile(ahead))
			continue;
		else if (ahead->nr_filled == ahead->nr_passed && !can_answer(ahead))
			pthread_cond_wait(&ahead->to_caller, &ahead->lock);
		rc = tick(ahead, err);
	}
	ahead->caller_waits = false;
	ahead->current = rc == 0 ? ahead_batch_number(ahead, ahead->nr_passed) : NULL;
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
	ahead->place = (struct batch_place){0};
	counts_move(&ahead->file->counts, &ahead->current->framed);
	ahead->bytes_read = ahead->current->bytes_read;
	return 1;
}

bool ahead_has_plain(const struct ahead *ahead)
{
	return batch_has_plain(ahead->current, &ahead->place);
}

bool ahead_is_at_hand(const struct ahead *ahead)
{
	return ahead->current && batch_has_any(ahead->current, &ahead->place);
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
	batch_take_plain(ahead->current, &ahead->place, samples);
}

int ahead_next(struct ahead *ahead, struct raw_stretch *stretch, struct error *err)
{
	int rc = ahead_await(ahead, err);

	if (rc > 0)
		batch_take(ahead->current, &ahead->place, ahead->file->header.swap, stretch);
	return rc;
}

uint64_t ahead_batch(const struct ahead *ahead)
{
	return ahead->current ? ahead->nr_passed + 1 : 0;
}

void ahead_hold(struct ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->current->nr_holds++;
	pthread_mutex_unlock(&ahead->lock);
}

void ahead_let_go(struct ahead *ahead, uint64_t batch)
{
	bool rests;

	pthread_mutex_lock(&ahead->lock);
	ahead_batch_number(ahead, batch - 1)->nr_holds--;
	rests = ahead->caller_waits && ahead->request == ASK_REST;
	free_batches(ahead);
	if (rests)
		pthread_cond_signal(&ahead->to_caller);
}

void ahead_end_work(struct ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->work = NULL;
	while (ahead->works)
		pthread_cond_wait(&ahead->to_caller, &ahead->lock);
	pthread_mutex_unlock(&ahead->lock);
}

void ahead_wake(struct ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->is_awake = true;
	ahead_unlock_and_wake(ahead, &ahead->to_thread, ahead->thread_waits);
}

bool ahead_is_free(struct ahead *ahead)
{
	bool is_free;

	pthread_mutex_lock(&ahead->lock);
	is_free = ahead->is_free;
	pthread_mutex_unlock(&ahead->lock);
	return is_free;
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
	sequence_set_tick(file, aheadthread_tick, ahead);
	if (ahead->wait)
		sequence_set_wait(file, aheadthread_wait, ahead);
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

static bool has_chains(const struct perffile *file)
{
	return file->events.first && file->events.first->chains;
}

static bool are_plain(const struct perffile *file)
{
	return file->wants_plain && file->events.all_plain;
}

bool ahead_is_work(const struct perffile *file)
{
	return are_plain(file) || file->parts[0].stream.zstd;
}

/*
 * Batches for all threads that use the records of @file. The thread sorts all samples of a round
 * before it passes the first one on, so that others need something to do meanwhile. Stacks are too
 * large: more of them do not stay in the cache.
 */
static size_t ring_size(const struct perffile *file)
{
	const size_t least = are_plain(file) ? RING_PLAIN : RING_MIN;
	const size_t nr = file->nr_threads * RING_OF_THREAD;

	return nr < least ? least : nr > RING_MAX ? RING_MAX : nr;
}

/*
 * Returns one for @file, which ahead_start() completes; NULL if memory is out. If @unpacks, its
 * thread has to, and has no time to decode plain samples, too, unless the caller finds call chains.
 */
static struct ahead *allocate(struct perffile *file, bool unpacks)
{
	const size_t nr = ring_size(file);
	const size_t bytes = sizeof(struct ahead) + nr * sizeof(struct batch);
	const bool decodes = file->wants_plain && (has_chains(file) || !unpacks);
	/* samples that are decoded fill it, others come as stretches; the first batch is waited for
	 */
	const size_t written = sizeof(struct ahead) + sizeof(struct batch);
	struct ahead *ahead = largemem_get_all(bytes, decodes && are_plain(file) ? written : 0);

	if (!ahead)
		return NULL;
	*ahead = (struct ahead){.file = file, .nr_ring = nr, .decodes = decodes};
	for (size_t i = 0; i < nr; i++)
		memset(&ahead->batches[i], 0, offsetof(struct batch, stretches));
	return ahead;
}

/* Whether the second of two threads only unpacks: that takes longest, and the caller has time for
 * the rest. */
static bool unpacks_alone(const struct perffile *file)
{
	return file->nr_threads <= 2 && are_plain(file) && !has_chains(file);
}

/* Has a thread only unpack, where that is worth it. Returns whether it will. */
static bool unpack_ahead(struct perffile *file)
{
	if (file->nr_parts > 1 || (file->nr_threads <= 2 && !unpacks_alone(file)))
		return false;
	return stream_unpack_ahead(&file->parts[0].stream);
}

void ahead_start(struct perffile *file)
{
	const bool unpacks_ahead = unpack_ahead(file);
	struct ahead *ahead;

	if (unpacks_ahead && unpacks_alone(file))
		return;
	ahead = allocate(file, file->parts[0].stream.zstd && !unpacks_ahead);
	if (!ahead)
		return;
	ahead->nr_holders = file->held.number;
	ahead->finder.set = &file->events;
	ahead->taker = (struct plain_taker){
		.finder = &ahead->finder, .swap = file->header.swap, .past_cache = true};
	ahead->work = file->work;
	ahead->work_arg = file->work_arg;
	init_locks(ahead);
	take_over(ahead);
	file->ahead = ahead;
	file->gate = (struct meta_gate){aheadthread_settle, aheadthread_go_on, ahead};
	if (thread_start(&ahead->thread, aheadthread_run, ahead))
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
	ahead->stops = ahead->is_awake = true;
	ahead_unlock_and_wake(ahead, &ahead->to_thread, true);
	pthread_join(ahead->thread, NULL);
	for (size_t i = 0; i < ahead->nr_ring; i++)
		batch_begin(&ahead->batches[i], 0, 0, false, &ahead->file->pool);
	destroy(ahead);
}
