/*
 * Counts a trace: instructions, time and calls, by call path. A path is a node: a function, and
 * the path that called it.
 *
 * What happens is kept until the clock moves: the time that has passed then is spread over the legs
 * in proportion to their instructions. Memory grows with the number of different paths, up
 * to a limit.
 */
#ifndef READPERF_DECODE_TRACE_TRACECOUNT_H
#define READPERF_DECODE_TRACE_TRACECOUNT_H

#include "decode/trace/tracecalls.h"
#include "decode/trace/tracecode.h"
#include "decode/trace/traceleg.h"
#include "decode/trace/tracepath.h"
#include "decode/trace/traceworld.h"
#include "util/error.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The life of a process. */
struct trace_process {
	uint64_t life;
	uint32_t pid, comm; /* comm: the last one; number in the strings of the process table */
	uint32_t root;
};

/* Of more legs that wait the first ones are counted without time. */
enum { TRACECOUNT_LEGS = 1 << 16 };

/** All zero but what is borrowed. */
struct tracecount {
	struct tracecode *code;
	struct trace_legs legs;	   /* that wait for the clock */
	struct trace_stack *stack; /* of the thread that runs; NULL: none */
	bool chosen;		   /* what it does counts */
	uint64_t clock;		   /* ns; 0: unknown */
	uint64_t cycles_waiting;   /* that passed without instructions so far */
	struct trace_paths paths;
	struct trace_process *processes;
	size_t processes_room;
	struct index by_life;	     /* index of processes */
	struct trace_stack **stacks; /* by tid and life */
	size_t stacks_room;
	struct index by_thread;
};

/** Starts; tracecount_free() at the end. */
void tracecount_init(struct tracecount *count, struct tracecode *code);

/**
 * Thread @tid of the process @space runs from here on, until now that of the last call; the clock
 * is unknown. All its legs must have been counted. Returns false if memory is out.
 */
bool tracecount_run(struct tracecount *count, const struct trace_space *space, uint32_t tid);

/** Counts what waits, with the time up to @ns (0: unknown) and @cycles. -1 with @err filled. */
int tracecount_clock(struct tracecount *count, uint64_t ns, uint64_t cycles, struct error *err);

/** Counts what waits without time; the clock goes on at @ns (0: unknown). */
int tracecount_restart(struct tracecount *count, uint64_t ns, struct error *err);

/**
 * To be called when legs, each with its arrival, have been appended to those that wait. -1 with
 * @err filled.
 */
int tracecount_take(struct tracecount *count, struct error *err);

void tracecount_free(struct tracecount *count);

#endif
