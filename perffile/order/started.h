/*
 * Runs of samples of which some were taken and some are left, in no order.
 *
 * A gap takes what all runs have in it, in whatever order (see waiting.h). Where many CPUs take
 * samples and other records come often, each run has few in a gap: it takes less time to look
 * through all runs than to sort each into the tree again.
 */
#ifndef READPERF_PERFFILE_ORDER_STARTED_H
#define READPERF_PERFFILE_ORDER_STARTED_H

#include "perffile/order/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STARTED_MAX = 256 }; /* all are looked through for each gap */

/** All zero has none. */
struct started {
	size_t nr;
	size_t at;		     /* those before have been looked at in this gap */
	uint64_t times[STARTED_MAX]; /* ns, as in the runs */
	struct run *runs[STARTED_MAX];
};

static inline bool started_full(const struct started *started)
{
	return started->nr == STARTED_MAX;
}

/** Adds @run, if it is not full. */
static inline void started_add(struct started *started, struct run *run)
{
	started->times[started->nr] = run->time;
	started->runs[started->nr++] = run;
}

/** Takes note of the time of the run that started_first() or started_next() returned last. */
static inline void started_move(struct started *started)
{
	started->times[started->at] = started->runs[started->at]->time;
}

/** Removes that run. */
static inline void started_remove(struct started *started)
{
	started->nr--;
	started->times[started->at] = started->times[started->nr];
	started->runs[started->at] = started->runs[started->nr];
}

/** Returns a run with a record before @time in ns; NULL: there is none after the last one. */
static inline struct run *started_next(struct started *started, uint64_t time)
{
	while (started->at < started->nr && started->times[started->at] >= time)
		started->at++;
	return started->at < started->nr ? started->runs[started->at] : NULL;
}

/** Returns the run with the earliest record, to begin a gap with; NULL: there are none. */
struct run *started_first(struct started *started);

#endif
