#include "util/coredistance.h"

#include "util/apart.h"
#include "util/clock.h"
#include "util/thread.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum {
	NR_THREADS = 3, /* a new one may run on this core all the same */
	NR_TRIES = 6,
	NR_ROUNDS = 16,	 /* of a try: single ones take half the time now and then */
	NR_LOOKS = 1024, /* then who waits may be on the core of who is waited for */
	FAR = 250,	 /* ns; from 50 to 220 near, from 280 on far */
};

/* A ball that goes to another thread and back. */
struct game {
	int cpu; /* of the other thread */
	atomic_bool is_there;
	struct apart before;
	_Atomic uint32_t ball; /* how often it was thrown, or OVER */
	struct apart behind;
};

#define OVER UINT32_MAX

/* Waits until the ball was thrown for the @nr-th time. Returns false if the game is over. */
static bool await_ball(struct game *game, uint32_t nr)
{
	uint32_t ball;
	size_t looks = 0;

	while ((ball = atomic_load(&game->ball)) != nr && ball != OVER)
		if (++looks % NR_LOOKS == 0)
			sched_yield();
	return ball == nr;
}

static void *run(void *arg)
{
	struct game *game = arg;

	game->cpu = sched_getcpu();
	game->is_there = true;
	for (uint32_t nr = 1; await_ball(game, nr); nr += 2)
		atomic_store(&game->ball, nr + 1);
	return NULL;
}

/* Plays a try, after @nr throws. Returns the ns of a round. */
static uint64_t play_rounds(struct game *game, uint32_t nr)
{
	const uint64_t start = clock_now();

	for (uint32_t i = 0; i < NR_ROUNDS; i++, nr += 2) {
		atomic_store(&game->ball, nr + 1);
		await_ball(game, nr + 2);
	}
	return (clock_now() - start) / NR_ROUNDS;
}

/* The ns of a round in the quickest try. */
static uint64_t play(struct game *game)
{
	uint64_t best = UINT64_MAX;

	for (uint32_t i = 0; i < NR_TRIES; i++) {
		const uint64_t ns = play_rounds(game, i * 2 * NR_ROUNDS);

		best = ns < best ? ns : best;
	}
	return best;
}

/* Plays with another thread. Returns as play(), or 0 if it was not on another core. */
static uint64_t try_thread(struct game *game)
{
	pthread_t thread;
	uint64_t ns = 0;

	game->is_there = false;
	game->ball = 0;
	if (!thread_start(&thread, run, game))
		return 0;
	/* busy, so that it is not moved to this core */
	while (!game->is_there)
		sched_yield();
	if (game->cpu != sched_getcpu())
		ns = play(game);
	game->ball = OVER;
	pthread_join(thread, NULL);
	return ns;
}

bool coredistance_means_far(uint64_t ns)
{
	return ns > FAR;
}

bool coredistance_is_far(void)
{
	struct game *game = malloc(sizeof(*game));
	uint64_t ns = 0;

	for (size_t i = 0; game && i < NR_THREADS && ns == 0; i++)
		ns = try_thread(game);
	free(game);
	return coredistance_means_far(ns);
}
