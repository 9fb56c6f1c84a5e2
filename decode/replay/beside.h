/*
 * A thread beside the one that sums functions: it counts the samples whose recorded call chains
 * lack the immediate caller, then helps to sum call paths.
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

struct beside {
	struct missing_caller_input input;
	struct tally *of_events; /* by event number; NULL: there are none to count */
	pthread_t thread;
	bool started;
	struct helpers helpers; /* their lock guards what follows */
	bool over;		/* nothing is left to help with */
	int rc;			/* the thread's */
	struct error err;
};

/**
 * Starts a thread, if there may be one and there is something to do. @places: of all addresses,
 * borrowed until beside_end(), as is @replay. Returns 0, or -1 with @err filled; beside_end() is
 * needed in any case.
 */
int beside_begin(struct beside *beside, struct replay *replay, const struct place_set *places,
		 struct error *err);

/** Those that may share work with the thread; NULL if there is none. */
struct helpers *beside_helpers(struct beside *beside);

/**
 * Ends the thread, or does now what it would have counted, and sets it in the rows of events. @rc:
 * of what was done meanwhile; if it is not 0, nothing is set. Returns @rc, or -1 with @err filled.
 */
int beside_end(struct beside *beside, struct replay *replay, int rc, struct error *err);

#endif
