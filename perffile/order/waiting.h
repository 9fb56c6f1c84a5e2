/*
 * The runs that wait in the queue: which of them is taken from next, and how far.
 *
 * In general it is the one with the earliest record, up to where another run has an earlier one.
 *
 * Gaps: who only counts samples need not have each in its turn. What they depend on is in records
 * of other kinds, so between two of these the samples of one CPU may come after those of another:
 * the work in the tree is per gap and CPU then, and neighbours are mostly of one thread. Runs of
 * samples are in one tree for it, those of other records in a second one:
 *
 *	cpu 0   1 FORK   4 5 8   9 MMAP   12 14
 *	cpu 1            3 6 7            10 13         come as 1 FORK, 3 6 7, 4 5 8, 9 MMAP, ...
 *
 * A run leaves the tree when the first of its samples are taken: see started.h.
 *
 * A gap is at most GAP_NS long: somebody may have to hold all of its samples, to sort them. Where
 * other records come often, samples may leap over them: see leap.h.
 */
#ifndef READPERF_PERFFILE_ORDER_WAITING_H
#define READPERF_PERFFILE_ORDER_WAITING_H

#include "perffile/order/leap.h"
#include "perffile/order/run.h"
#include "perffile/order/started.h"
#include "perffile/order/taken.h"
#include "perffile/record/events.h"
#include "util/tree.h"

#include <stdbool.h>
#include <stdint.h>

enum { GAP_NS = 1 << 25 }; /* the longest gap, and leap: about 34 ms */

struct waiting {
	struct tree runs;	       /* all, or those of samples */
	struct tree others;	       /* the other ones, if @has_gaps */
	struct started started;	       /* runs of samples that are in no tree, if @has_gaps */
	struct leap *leap;	       /* NULL: there are no leaps */
	struct run *first;	       /* the run to take from, while records are released */
	uint64_t bound_time, bound_nr; /* up to here */
	bool in_gap;		       /* it may be taken before other runs of samples */
	uint64_t gap_limit;	       /* ns: where the gap ends at the latest */
	uint64_t newest_taken; /* ns, of the newest record taken; a leap's count at its end */
	uint64_t limit;	       /* ns: records up to here are released */
	bool has_gaps;
	bool expects_cold;	     /* most runs become cold: few CPUs do without leaps */
	bool swap;		     /* records are in the other byte order */
	struct event_finder *finder; /* borrowed; its events give the position of a record's time */
};

/** Sets up one without runs. @finder must outlive it. */
void waiting_init(struct waiting *waiting, struct event_finder *finder);

/** As queue_use_leaps(). */
void waiting_use_leaps(struct waiting *waiting);

/** From now on, nothing leaps. Call it when nothing does. */
void waiting_end_leaps(struct waiting *waiting);

/** Whether samples of calm processes are to be taken (leap_take()) from the first run, and those of
 * others kept. */
static inline bool waiting_is_calm(const struct waiting *waiting)
{
	return waiting->leap && waiting->leap->calm;
}

/** Returns the time in ns from which on records are not released. */
static inline uint64_t waiting_released_end(const struct waiting *waiting)
{
	return waiting->limit < UINT64_MAX ? waiting->limit + 1 : UINT64_MAX;
}

/** Returns the time in ns by which the record at @bytes, which is whole, is sorted. */
static inline uint64_t waiting_time(const struct waiting *waiting, const uint8_t *bytes)
{
	return taken_time(waiting->finder, waiting->swap, bytes);
}

/** Adds @run; near: where it is probably next to the run that was added before. */
void waiting_add(struct waiting *waiting, struct run *run);
void waiting_add_near(struct waiting *waiting, struct run *run);

/** Finds the first run, and how far it may be taken, when more records are released. */
void waiting_find_first(struct waiting *waiting);

/** Takes note of the time, in ns, of the last one of the records that are taken from it. */
void waiting_note_taken(struct waiting *waiting, uint64_t time);

/** Removes @run, the first, of which nothing is left, and finds the next. */
void waiting_remove(struct waiting *waiting, struct run *run);

/** Moves @run, the first, to where what is left of it belongs, and finds the next. */
void waiting_move(struct waiting *waiting, struct run *run);

/** Whether there are no runs. */
static inline bool waiting_is_empty(const struct waiting *waiting)
{
	return tree_empty(&waiting->runs) && tree_empty(&waiting->others) &&
	       waiting->started.nr == 0;
}

#endif
