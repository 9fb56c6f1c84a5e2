/*
 * Samples whose user call chain comes later, in a CALLCHAIN_DEFERRED record.
 *
 * Such a chain ends in the marker USER_DEFERRED and a cookie. The kernel unwinds the user stack
 * once, on the way back to user mode, for all samples that it took of the thread meanwhile.
 */
#ifndef READPERF_DECODE_DEFERRED_H
#define READPERF_DECODE_DEFERRED_H

#include "decode/process.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stdint.h>

/** A sample that waits; @rec is a copy whose call chain lies in @words, without the cookie. */
struct deferred {
	struct deferred *next;
	struct record rec;
	const struct event *event; /* what it counts for, with @period */
	uint64_t period;
	uint32_t leaf; /* number of its own address */
	uint64_t cookie;
	uint64_t words[];
};

/** True with the cookie if the user part of @rec's chain comes later. */
bool deferred_cookie(const struct record *rec, uint64_t *cookie);

/**
 * Keeps the sample @rec, which counts for @event with @period and whose own address is number
 * @leaf, with its @thread. Returns false if memory is out.
 */
bool deferred_hold(struct thread *thread, const struct record *rec, uint64_t cookie,
		   const struct event *event, uint64_t period, uint32_t leaf);

/** The samples of @thread that wait for another cookie than @cookie, taken out of it; or NULL. */
struct deferred *deferred_take_others(struct thread *thread, uint64_t cookie);

/** All samples of @thread that wait, taken out of it; or NULL. */
struct deferred *deferred_take_all(struct thread *thread);

/** Frees @deferred and all behind it; NULL is fine. */
void deferred_free(struct deferred *deferred);

#endif
