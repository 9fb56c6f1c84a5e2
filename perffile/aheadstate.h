/*
 * What the thread that reads ahead and its caller share: a ring of batches, and who waits for what.
 * Only perffile/ahead and perffile/aheadthread use it.
 */
#ifndef READPERF_PERFFILE_AHEADSTATE_H
#define READPERF_PERFFILE_AHEADSTATE_H

#include "perffile/batch.h"
#include "perffile/input/source.h"
#include "perffile/work.h"
#include "util/apart.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perffile;

/** What the thread asks of the caller, who waits for records. */
enum ahead_request {
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
	bool works;   /* the thread does work */
	bool is_free; /* it has nothing to read: there is no room, or nothing is left */
	bool caller_waits, thread_waits;
	bool is_awake;	   /* something has changed since the thread looked for work */
	bool caller_rests; /* it waits until the thread has applied a record */
	bool stops;	   /* the caller wants no more */
	bool ticks;	   /* the caller's tick is due */
	enum ahead_request request;
	int fd;			    /* ASK_DATA: the stream */
	bool answer;		    /* ASK_DATA: whether it goes on */
	struct apart before_thread; /* what follows is the thread's */
	struct batch *filling;
	struct event_finder finder;
	struct plain_taker taker;
	bool decodes;		    /* it decodes plain samples */
	uint64_t most_round_bytes;  /* of a round so far */
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

/**
 * Gives up the lock, and then wakes who waits for @changed, if @wakes: who is woken before needs
 * the lock first thing, and on the same core the system lets it run at once, only to wait again.
 */
static inline void ahead_unlock_and_wake(struct ahead *ahead, pthread_cond_t *changed, bool wakes)
{
	pthread_mutex_unlock(&ahead->lock);
	if (wakes)
		pthread_cond_signal(changed);
}

/** Batch number @number, from 0: its place in the ring. */
static inline struct batch *ahead_batch_number(struct ahead *ahead, uint64_t number)
{
	return &ahead->batches[number % ahead->nr_ring];
}

#endif
