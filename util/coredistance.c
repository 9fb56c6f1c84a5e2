#include "util/coredistance.h"

#include "util/clock.h"
#include "util/pastcache.h"
#include "util/thread.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE_WORDS = 64 / sizeof(uint64_t),
	TRY_WORDS = 128 * LINE_WORDS, /* more than a core lets wait */
	NR_TRIES = 2,
	FAR_RATIO = 3,	/* 4 to 5 where two cores share no cache, 1 to 1.5 where they do */
	NR_THREADS = 3, /* a new one may run on this core all the same */
};

/* Words that this thread has written, and another one has read. */
struct distance_words {
	uint64_t cached[NR_TRIES][TRY_WORDS], past[NR_TRIES][TRY_WORDS];
	uint64_t sum;
	int cpu; /* of the other thread */
	atomic_bool are_read;
};

static void *run(void *arg)
{
	struct distance_words *words = arg;
	const uint64_t *first = words->cached[0];

	for (size_t i = 0; i < 2 * (size_t)NR_TRIES * TRY_WORDS; i += LINE_WORDS)
		words->sum += first[i];
	words->cpu = sched_getcpu();
	words->are_read = true;
	return NULL;
}

/* The ns that it takes to write TRY_WORDS at @words. */
static uint64_t time_cached(volatile uint64_t *words)
{
	const uint64_t start = clock_now();

	for (size_t i = 0; i < TRY_WORDS; i++)
		words[i] = i;
	atomic_thread_fence(memory_order_seq_cst); /* until they are written */
	return clock_now() - start;
}

/* The same past the cache. */
static uint64_t time_past(uint64_t *words)
{
	const uint64_t start = clock_now();

	for (size_t i = 0; i < TRY_WORDS; i++)
		pastcache_write(&words[i], i);
	pastcache_end();
	return clock_now() - start;
}

/* Whether it takes much less to write @words past the cache. */
static bool is_past_quicker(struct distance_words *words)
{
	uint64_t cached = UINT64_MAX, past = UINT64_MAX; /* ns, the quicker try */

	for (size_t i = 0; i < NR_TRIES; i++) {
		const uint64_t one = time_cached(words->cached[i]),
			       other = time_past(words->past[i]);

		cached = one < cached ? one : cached;
		past = other < past ? other : past;
	}
	return cached > FAR_RATIO * past;
}

/* Has another thread read @words. Returns whether it was on another core. */
static bool have_read(struct distance_words *words)
{
	pthread_t thread;

	words->are_read = false;
	if (!thread_start(&thread, run, words))
		return false;
	/* busy, so that it is not moved to this core */
	while (!words->are_read)
		sched_yield();
	return pthread_join(thread, NULL) == 0 && words->cpu != sched_getcpu();
}

bool coredistance_is_far(void)
{
	void *memory;
	bool is_read = false, is_far;

	if (!PASTCACHE_IS_THERE || posix_memalign(&memory, 64, sizeof(struct distance_words)) != 0)
		return false;
	for (size_t i = 0; i < NR_THREADS && !is_read; i++)
		is_read = have_read(memset(memory, 0, sizeof(struct distance_words)));
	is_far = is_read && is_past_quicker(memory);
	free(memory);
	return is_far;
}
