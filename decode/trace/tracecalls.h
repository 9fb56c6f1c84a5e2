/*
 * What calls, returns and jumps make of the calls of a thread, and the path that it is on then.
 */
#ifndef READPERF_DECODE_TRACE_TRACECALLS_H
#define READPERF_DECODE_TRACE_TRACECALLS_H

#include "decode/trace/traceleg.h"
#include "decode/trace/tracepath.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How execution came to a leg. */
enum trace_arrival {
	TRACE_FLOWS,	  /* as the leg before it ends */
	TRACE_RESUMES,	  /* tracing was off */
	TRACE_INTERRUPTS, /* without an instruction */
	TRACE_RESYNCS,	  /* what came before is not known */
};

/** A call that has not returned. */
struct trace_call {
	uint32_t node;	  /* where it is now, which jumps may have changed */
	uint32_t entered; /* what was called */
	bool called, jumped;
	uint64_t from, to;	       /* it returns to an address in [from, to]; 0: unknown */
	uint64_t called_at, jumped_at; /* ns on the thread's own clock */
	uint32_t gaps;		       /* of the thread at that time */
};

/** The calls of a thread, outermost first. */
struct trace_stack {
	struct trace_paths *paths; /* borrowed */
	uint32_t tid, process;
	uint32_t root; /* number of the process' root */
	uint32_t depth;
	size_t room;
	struct trace_call *calls;
	uint64_t ns;	   /* that were counted for it so far */
	uint32_t gaps;	   /* stretches without time so far */
	bool untimed;	   /* this is one */
	bool chosen;	   /* what it does now counts */
	uint64_t last_end; /* address of the last instruction */
	uint8_t last_flow; /* enum ptstep_flow */
};

/** The innermost call of @stack, which has one. */
static inline struct trace_call *tracecalls_top(const struct trace_stack *stack)
{
	return &stack->calls[stack->depth - 1];
}

/**
 * Whether the thread can only be in its innermost call still when @leg, of @function, comes:
 * nothing has called, returned or jumped to another one.
 */
static inline bool tracecalls_stays(const struct trace_stack *stack, const struct trace_leg *leg,
				    uint32_t function)
{
	return stack->depth && leg->arrival == TRACE_FLOWS && traceleg_flows(stack->last_flow) &&
	       stack->paths->nodes[tracecalls_top(stack)->node].function == function;
}

/**
 * Execution has come to @leg, of @function: it is the innermost call's then. Returns false if
 * memory is out.
 */
bool tracecalls_arrive(struct trace_stack *stack, const struct trace_leg *leg, uint32_t function);

#endif
