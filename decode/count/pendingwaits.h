/*
 * Waits at places that are not known yet, because the user part of the call chain comes later. Each
 * has a number, which stands for its path until then.
 */
#ifndef READPERF_DECODE_COUNT_PENDINGWAITS_H
#define READPERF_DECODE_COUNT_PENDINGWAITS_H

#include "decode/count/waits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bounds memory: 25 MB. Those beyond have no place. */
enum { PENDING_WAITS_MAX = 1 << 18 };

struct pending_wait {
	/* Its sum is 0 until the wait has ended. Its path: of the chain without the user part, in
	 * the table of waiting samples, or none. */
	struct wait_entry entry;
	uint32_t thread; /* number of the thread in the scheduler's records; 0: none */
	uint32_t next;	 /* if it is free, the next one + 1; 0: none */
};

/** All zero is empty. */
struct pending_waits {
	struct pending_wait *list;
	size_t nr, room;
	uint32_t free; /* the first free one + 1; 0: none */
};

/**
 * Sets *@number to that of a new wait of @thread; to WAIT_NO_PATH if there are as many as can be.
 * Returns false if memory is out.
 */
bool pending_waits_begin(struct pending_waits *pending, uint32_t thread, uint32_t *number);

/** Adds @sum to the wait for which @place, whose table is WAIT_PENDING, has the number. */
void pending_waits_add(struct pending_waits *pending, const struct wait_place *place,
		       const struct wait_sum *sum);

/** Sets the path, in the table of waiting samples, that wait @number has without the user part. */
void pending_waits_place(struct pending_waits *pending, uint32_t number, uint32_t path);

/** Returns wait @number, which is free then. */
struct pending_wait pending_waits_end(struct pending_waits *pending, uint32_t number);

/** The number of waits that have ended. */
size_t pending_waits_count(const struct pending_waits *pending);

void pending_waits_free(struct pending_waits *pending);

#endif
