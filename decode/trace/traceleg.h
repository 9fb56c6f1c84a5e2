/*
 * Blocks of code become legs: what was executed in one function between two calls, returns or other
 * ways out of it. They are fewer, and tell the same.
 */
#ifndef READPERF_DECODE_TRACE_TRACELEG_H
#define READPERF_DECODE_TRACE_TRACELEG_H

#include "decode/process/maps.h"
#include "decode/trace/ptstep.h"
#include "decode/trace/tracecode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What of a function was executed. */
struct trace_leg {
	uint64_t ip, end_ip; /* addresses of the instructions that came first and last */
	uint32_t nr;	     /* instructions */
	uint32_t function;   /* its number among those that were found */
	uint8_t flow;	     /* enum ptstep_flow: how it ends */
	uint8_t arrival;     /* enum trace_arrival (tracecalls.h); who counts the leg sets it */
	bool is_entry;	     /* it begins at the function's first address */
};

/** All zero is empty. */
struct trace_legs {
	struct trace_leg *list;
	size_t nr, room;
};

/** Whether code that ends by @flow, an enum ptstep_flow, stays in its function. */
static inline bool traceleg_flows(uint8_t flow)
{
	return flow <= PTFLOW_JUMP;
}

/**
 * Appends the @nr @blocks, executed one after the other in a process with @maps; none becomes part
 * of a leg that is there. Returns false if memory is out.
 */
bool tracelegs_add(struct trace_legs *legs, struct tracespots *spots, struct map_set *maps,
		   const struct ptblock *blocks, size_t nr);

/** Appends the @nr legs at @from. Returns false if memory is out. */
bool tracelegs_copy(struct trace_legs *legs, const struct trace_leg *from, size_t nr);

void tracelegs_free(struct trace_legs *legs);

#endif
