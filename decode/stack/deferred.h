/*
 * Samples whose user call chain comes later, in a CALLCHAIN_DEFERRED record.
 *
 * The chain of such a sample ends in the marker USER_DEFERRED and a cookie. The kernel unwinds the
 * user stack once, on return to user mode, for all samples that it took of the thread until then.
 */
#ifndef READPERF_DECODE_STACK_DEFERRED_H
#define READPERF_DECODE_STACK_DEFERRED_H

#include "decode/stack/stack.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stdint.h>

/** A waiting sample. */
struct deferred {
	struct deferred *next;
	struct stack_sample sample; /* sample.rec points to @rec */
	struct record rec;	    /* a copy whose call chain is in @words, without the cookie */
	uint64_t cookie;
	uint32_t wait; /* number of the pending wait that it tells of; UINT32_MAX: none */
	uint64_t words[];
};

/** Returns true and sets *@cookie if the user part of the call chain of @rec comes later. */
bool deferred_cookie(const struct record *rec, uint64_t *cookie);

/** Adds a copy of @sample to @list, the list of its thread. Returns false if memory is out. */
bool deferred_hold(struct deferred **list, const struct stack_sample *sample, uint64_t cookie);

/** Removes from @list the samples that wait for another cookie, and returns them; NULL: none. */
struct deferred *deferred_take_others(struct deferred **list, uint64_t cookie);

/** Removes all samples from @list and returns them; NULL if there are none. */
struct deferred *deferred_take_all(struct deferred **list);

/** Frees @deferred and the rest of its list; NULL is accepted. */
void deferred_free(struct deferred *deferred);

#endif
