/*
 * Work that threads do for another one while they have to wait.
 *
 * A thread that shares its work does all of it if nobody waits. A thread that waits for something
 * else helps: until that has come, it calls helpers_do(), or waits for helpers->changed if there is
 * nothing to do.
 */
#ifndef READPERF_UTIL_HELPERS_H
#define READPERF_UTIL_HELPERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct helpers_work;

struct helpers {
	pthread_mutex_t lock;	/* guards what follows, and what its users wait for */
	pthread_cond_t changed; /* work has been shared or done, or what users wait for has come */
	struct helpers_work *works; /* that have pieces left, the newest first */
};

void helpers_init(struct helpers *helpers);
void helpers_deinit(struct helpers *helpers);

/**
 * Calls @piece(@arg, i) once for each i below @nr, in this thread and in those that wait, in any
 * order and at once. Returns when all have returned. Called without the lock; @helpers may be NULL.
 */
void helpers_share(struct helpers *helpers, void (*piece)(void *arg, size_t i), void *arg,
		   size_t nr);

/**
 * Does a piece of another thread's work, without the lock, which is held before and after. Returns
 * false if there is none.
 */
bool helpers_do(struct helpers *helpers);

#endif
