/*
 * What threads waited for a CPU or for something else, by the place where they did. It runs for
 * each wait, so it uses only integers.
 *
 * Memory grows with the number of distinct places, never with the number of waits.
 */
#ifndef READPERF_DECODE_COUNT_WAITS_H
#define READPERF_DECODE_COUNT_WAITS_H

#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What tells of a wait. */
enum wait_source {
	WAIT_SCHED_SWITCH, /* a sample of the tracepoint sched_switch */
	WAIT_OFFCPU_TIME,  /* a sample of perf record --off-cpu */
	WAIT_SWITCH,	   /* a SWITCH record */
};

#define WAIT_NO_PATH UINT32_MAX

/** In place of the number of a table: the table of waiting samples. */
#define WAIT_WAITING (UINT32_MAX - 1)

/** In place of the number of a table: the path is the number of a pending wait. */
#define WAIT_PENDING UINT32_MAX

/** Where a thread waited. Bytes between the members do not count. */
struct wait_place {
	uint64_t state;	      /* prev_state of the tracepoint, if @has_state */
	uint32_t pid, comm;   /* comm: number of the string */
	uint32_t table, path; /* the call path, and the table that it is in; or WAIT_NO_PATH */
	uint32_t event;	      /* number of the event whose sample tells of it */
	enum wait_source source;
	bool has_state;
};

/** Waits, and their sums in ns, which are limited to 2^64 - 1. */
struct wait_sum {
	uint64_t wait;	  /* until it was woken */
	uint64_t delay;	  /* from then until it ran */
	uint64_t preempt; /* off the CPU although it could run */
	uint64_t count;
	uint64_t max; /* the longest of them, all parts together; 0: unknown */
};

struct wait_entry {
	struct wait_place place;
	struct wait_sum sum;
};

/** All zero is empty. */
struct waits {
	struct wait_entry *list; /* each place once, index.nr of them */
	size_t room;
	struct index index;
};

/** Adds @sum to what @place has. Returns false if memory is out. */
bool waits_add(struct waits *waits, const struct wait_place *place, const struct wait_sum *sum);

/** Adds @more to @sum. */
void wait_sum_add(struct wait_sum *sum, const struct wait_sum *more);

void waits_free(struct waits *waits);

#endif
