/*
 * Loops that nothing ends: a trace that does not fit to the code may lead into one.
 */
#ifndef READPERF_DECODE_TRACE_PTQUIET_H
#define READPERF_DECODE_TRACE_PTQUIET_H

#include "decode/trace/ptstep.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Of a decoder; all zero is its start. */
struct ptquiet {
	size_t nr;	     /* blocks since the trace chose a way or had an event */
	uint64_t ip, offset; /* address of one of them, and what had been read then */
};

/* So many quiet blocks are no loop yet: most code has some, and to look at them takes time. */
enum { PTQUIET_MIN = 16 };

/** Whether a packet says where a block that ends by @flow leads to. */
static inline bool ptquiet_is_told(uint8_t flow)
{
	return flow == PTFLOW_BRANCH || flow == PTFLOW_RETURN;
}

/**
 * Takes note of @block, which was executed; without branches, as no one knows what comes. Returns
 * whether to ask ptquiet_is_endless().
 */
static inline bool ptquiet_note(struct ptquiet *quiet, const struct ptblock *block)
{
	const bool told = ptquiet_is_told(block->flow);
	const bool is_quiet = !told & !ptblock_is_open(block);

	quiet->nr = told ? 0 : quiet->nr + is_quiet;
	return __builtin_expect(is_quiet & (quiet->nr >= PTQUIET_MIN), 0);
}

/**
 * Whether the block at @ip is part of an endless loop: one of the quiet blocks before it began
 * where it begins, and no packet was read since. @offset: what was read of the trace.
 */
bool ptquiet_is_endless(struct ptquiet *quiet, uint64_t ip, uint64_t offset);

#endif
