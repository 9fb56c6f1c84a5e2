#include "util/coredistance.h"

#include "util/clock.h"
#include "util/pastcache.h"
#include "util/thread.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE_WORDS = 64 / sizeof(uint64_t),
	TRY_WORDS = 128 * LINE_WORDS, /* more than a core lets wait */
	NR_TRIES = 3,
	NR_WORDS = 2 * NR_TRIES * TRY_WORDS,
	NR_THREADS = 3, /* a new one may run on this core all the same */
};

/* Words that this thread has written, and another one has read: for each try TRY_WORDS to write as
 * usual, and as many to write past the cache. */
struct distance_words {
	uint64_t words[NR_WORDS];
	uint64_t sum;
	int cpu; /* of the other thread */
	atomic_bool are_read;
};

static void *run(void *arg)
{
	struct distance_words *words = arg;

	for (size_t i = 0; i < NR_WORDS; i += LINE_WORDS)
		words->sum += words->words[i];
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

/* Tries both, by the quickest of each. */
static bool is_past_quicker(struct distance_words *words)
{
	uint64_t cached = UINT64_MAX, past = UINT64_MAX; /* ns */

	for (size_t i = 0; i < NR_WORDS; i += (size_t)2 * TRY_WORDS) {
		const uint64_t one = time_cached(&words->words[i]),
			       other = time_past(&words->words[i + TRY_WORDS]);

		cached = one < cached ? one : cached;
		past = other < past ? other : past;
	}
	return coredistance_means_far(cached, past);
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

/* 4 to 5 times as long where two cores share no cache, 1 to 1.7 times where they do. */
bool coredistance_means_far(uint64_t cached, uint64_t past)
{
	return cached > past / 2 * 5;
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
