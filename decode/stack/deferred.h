/*
 * Samples whose user call chain comes later, in a CALLCHAIN_DEFERRED record.
 *
 * Such a chain ends in the marker USER_DEFERRED and a cookie. The kernel unwinds the user stack
 * once, on the way back to user mode, for all samples that it took of the thread meanwhile.
 */
#ifndef READPERF_DECODE_STACK_DEFERRED_H
#define READPERF_DECODE_STACK_DEFERRED_H

#include "decode/stack/stack.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stdint.h>

/** A sample that waits. */
struct deferred {
	struct deferred *next;
	struct stack_sample sample; /* of @rec */
	struct record rec;	    /* a copy whose call chain lies in @words, without the cookie */
	uint64_t cookie;
	uint64_t words[];
};

/** True with the cookie if the user part of @rec's chain comes later. */
bool deferred_cookie(const struct record *rec, uint64_t *cookie);

/** Keeps @sample in @list, that of its thread. Returns false if memory is out. */
bool deferred_hold(struct deferred **list, const struct stack_sample *sample, uint64_t cookie);

/** The samples of @list that wait for another cookie than @cookie, taken out of it; or NULL. */
struct deferred *deferred_take_others(struct deferred **list, uint64_t cookie);

/** All samples of @list, taken out of it; or NULL. */
struct deferred *deferred_take_all(struct deferred **list);

/** Frees @deferred and all behind it; NULL is fine. */
void deferred_free(struct deferred *deferred);

#endif
