/*
 * A thread beside the one that makes the results: it helps, puts call paths in order, and counts
 * the samples whose recorded call chains lack the immediate caller.
 */
#ifndef READPERF_DECODE_REPLAY_BESIDE_H
#define READPERF_DECODE_REPLAY_BESIDE_H

#include "decode/answer/missingcaller.h"
#include "decode/answer/resolve.h"
#include "decode/replay.h"
#include "util/error.h"
#include "util/helpers.h"

#include <pthread.h>
#include <stdbool.h>

/** All zero: there is no thread, and nothing to count. */
struct beside {
	struct missing_caller_input input;
	struct tally *of_events; /* by event number; NULL: there are none to count */
	int rc;			 /* of counting */
	struct error err;
	const struct pathstore *paths;
	struct path_walk walk; /* through their only table; empty: there is none, or not yet */
	pthread_t thread;
	bool started;
	struct helpers helpers; /* their lock guards what follows */
	bool is_order_due;	/* the paths are to be put in order */
	bool orders;		/* the thread does that now */
	bool is_due;		/* samples are to be counted */
	bool over;		/* nothing is left to do */
};

/** Starts a thread, if there may be one and it is worth it. @replay is borrowed until beside_end(),
 * which is needed. */
void beside_begin(struct beside *beside, struct replay *replay);

/** Those that may share work with the thread; NULL if there is none. */
struct helpers *beside_helpers(struct beside *beside);

/** Has the call paths put in order, if they are many and there is a thread: all samples have been
 * counted. */
void beside_order(struct beside *beside, const struct replay *replay);

/** The walk through them, once they are in order; NULL if they are not put in order. It lives until
 * beside_end(). */
const struct path_walk *beside_await_walk(struct beside *beside);

/** Has the samples counted. @places: of all addresses, borrowed. Returns 0, or -1 with @err filled.
 */
int beside_count(struct beside *beside, struct replay *replay, const struct place_set *places,
		 struct error *err);

/**
 * Ends what was begun, after which nothing is: sets what was counted, or is now, in the rows of
 * events. @rc: of what was done meanwhile; if it is not 0, nothing is set. Returns @rc, or -1 with
 * @err filled.
 */
int beside_end(struct beside *beside, struct replay *replay, int rc, struct error *err);

#endif
