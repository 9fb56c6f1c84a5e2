#include "perffile/ahead.h"

#include "perffile/batch.h"
#include "perffile/handle.h"
#include "perffile/sequence.h"
#include "util/apart.h"
#include "util/largemem.h"
#include "util/pastcache.h"
#include "util/thread.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
	RING_MIN = 8, /* batches */
	RING_PLAIN = 32,
	RING_MAX = 64,
	RING_OF_THREAD = 4,
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
	/* All threads use what follows, with the lock. */
	/* Batches: the caller is done with @nr_passed of them, everybody with @nr_used. */
	uint64_t nr_filled, nr_passed, nr_used;
	perffile_work work; /* NULL: none */
	void *work_arg;
	bool works; /* the thread does work */
	bool caller_waits, thread_waits;
	bool is_awake;	   /* something has changed since the thread looked for work */
	bool caller_rests; /* it waits until the thread has applied a record */
	bool stops;	   /* the caller wants no more */
	bool ticks;	   /* the caller's tick is due */
	enum request request;
	int fd;			    /* ASK_DATA: the stream */
	bool answer;		    /* ASK_DATA: whether it goes on */
	struct apart before_thread; /* what follows is the thread's */
	struct batch *filling;
	struct event_finder finder;
	struct plain_taker taker;
	bool decodes;		    /* it decodes plain samples */
	struct apart before_caller; /* what follows is the caller's */
	struct batch *current;	    /* NULL: none yet */
	struct batch_place place;   /* in it */
	uint64_t bytes_read;	    /* of the recording, when @current was filled */
	source_wait wait;
	void *wait_arg;
	source_tick tick;
	void *tick_arg;
	struct apart before_batches;
	size_t nr_ring;
	struct batch batches[]; /* nr_ring */
};

/*
 * Gives up the lock, and then wakes who waits for @changed, if @wakes: who is woken before needs
 * the lock first thing, and on the same core the system lets it run at once, only to wait again.
 */
static void unlock_and_wake(struct ahead *ahead, pthread_cond_t *changed, bool wakes)
{
	pthread_mutex_unlock(&ahead->lock);
	if (wakes)
		pthread_cond_signal(changed);
}

static struct batch *batch_number(struct ahead *ahead, uint64_t number)
{
	return &ahead->batches[number % ahead->nr_ring];
}

/* ---- the thread ------------------------------------------------------------------------------ */

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
		unlock_and_wake(ahead, &ahead->to_caller, true);
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
	if (ahead->nr_filled == ahead->nr_used + ahead->nr_ring)
		while (!ahead->stops && ahead->nr_filled - ahead->nr_used > ahead->nr_ring / 2)
			await_others(ahead);
	goes_on = !ahead->stops;
	pthread_mutex_unlock(&ahead->lock);
	return goes_on;
}

/* Begins the next batch, in the place of one that nobody uses. */
static bool begin_batch(struct ahead *ahead)
{
	if (!await_room(ahead))
		return false;
	ahead->filling = batch_number(ahead, ahead->nr_filled);
	batch_begin(ahead->filling, ahead->nr_holders + ahead->nr_filled + 1,
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
	unlock_and_wake(ahead, &ahead->to_caller, wakes);
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
static int tick_in_thread(void *arg, struct error *err)
{
	struct ahead *ahead = arg;
	bool stops;

	pthread_mutex_lock(&ahead->lock);
	ahead->ticks = true;
	stops = ahead->stops;
	unlock_and_wake(ahead, &ahead->to_caller, ahead->caller_waits);
	return stops ? error_set(err, ERROR_INTERRUPTED, "not read to the end") : 0;
}

/* Nothing is left to be read: does what others have to do until the caller wants no more. */
static void work_on(struct ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	while (!ahead->stops && ahead->work)
		await_others(ahead);
	pthread_mutex_unlock(&ahead->lock);
}

static void *run(void *arg)
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
static bool ask(struct ahead *ahead, enum request request)
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
	       batch_number(ahead, ahead->nr_used)->nr_holds == 0)
		ahead->nr_used++;
	ahead->is_awake = true;
	wakes = ahead->thread_waits && ahead->nr_filled - ahead->nr_used <= ahead->nr_ring / 2;
	unlock_and_wake(ahead, &ahead->to_thread, wakes);
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
	ahead->current = rc == 0 ? batch_number(ahead, ahead->nr_passed) : NULL;
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
	batch_number(ahead, batch - 1)->nr_holds--;
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
	unlock_and_wake(ahead, &ahead->to_thread, ahead->thread_waits);
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

/*
 * Whether the thread has less to do than the caller, even if it decodes plain samples: unless it
 * unpacks them, and the caller has no call chains to find.
 */
static bool has_time_to_decode(const struct perffile *file)
{
	const struct event *event = file->events.first;

	return (event && event->chains) || !file->parts[0].stream.zstd;
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

/* Returns one for @file, which ahead_start() completes; NULL if memory is out. */
static struct ahead *allocate(struct perffile *file)
{
	const size_t nr = ring_size(file);
	const size_t bytes = sizeof(struct ahead) + nr * sizeof(struct batch);
	const bool decodes = file->wants_plain && has_time_to_decode(file);
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

void ahead_start(struct perffile *file)
{
	struct ahead *ahead = allocate(file);

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
	ahead->stops = ahead->is_awake = true;
	unlock_and_wake(ahead, &ahead->to_thread, true);
	pthread_join(ahead->thread, NULL);
	for (size_t i = 0; i < ahead->nr_ring; i++)
		batch_begin(&ahead->batches[i], 0, false, &ahead->file->pool);
	destroy(ahead);
}
