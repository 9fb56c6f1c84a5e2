/*
 * Counts a trace: instructions, time and calls, by call path. A path is a node: a function, and
 * the path that called it.
 *
 * What happens is kept until the clock moves: the time that has passed then is spread over the
 * blocks in proportion to their instructions. Memory grows with the number of different paths, up
 * to a limit.
 */
#ifndef READPERF_DECODE_TRACE_TRACECOUNT_H
#define READPERF_DECODE_TRACE_TRACECOUNT_H

#include "decode/process/maps.h"
#include "decode/trace/ptdecode.h"
#include "decode/trace/tracecode.h"
#include "decode/trace/traceworld.h"
#include "util/error.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_NO_NODE UINT32_MAX

/** A path. */
struct trace_node {
	uint32_t parent; /* TRACE_NO_NODE: it is the root of a process */
	uint32_t function;
	uint32_t process; /* number of the life */
	uint32_t last;	  /* the child that was called last; 0: none */
	uint64_t instructions, ns, cycles;
	uint64_t calls; /* by call instructions */
	uint64_t jumps; /* entries at the first address in other ways */
	/* Time of the calls that ended, both kinds: how many, the shortest and the longest. */
	uint64_t nr_timed, min_ns, max_ns;
};

/** The life of a process. */
struct trace_process {
	uint64_t life;
	uint32_t pid, comm; /* comm: the last one; number in the strings of the process table */
	uint32_t root;
};

/** How execution came to a block. */
enum trace_arrival {
	TRACE_FLOWS,	  /* as the block before it ends */
	TRACE_RESUMES,	  /* tracing was off */
	TRACE_INTERRUPTS, /* without an instruction */
	TRACE_RESYNCS,	  /* what came before is not known */
};

struct trace_stack;

enum { TRACECOUNT_BLOCKS = 1 << 16 };

/** All zero but what is borrowed. */
struct tracecount {
	struct tracecode *code;
	struct ptblock *blocks; /* TRACECOUNT_BLOCKS that wait for the clock */
	size_t nr_blocks;
	struct trace_stack *stack; /* of the thread that runs; NULL: none */
	struct map_set *maps;	   /* of its process */
	bool chosen;		   /* what it does counts */
	uint64_t clock;		   /* ns; 0: unknown */
	uint64_t cycles_waiting;   /* that passed without instructions so far */
	struct trace_node *nodes;
	size_t nodes_room;
	struct index by_path; /* index of nodes */
	struct trace_process *processes;
	size_t processes_room;
	struct index by_life;	     /* index of processes */
	struct trace_stack **stacks; /* by tid and life */
	size_t stacks_room;
	struct index by_thread;
	uint64_t instructions, ns, cycles; /* sums of what counts */
};

/** Starts; tracecount_free() even if it fails. Returns false if memory is out. */
bool tracecount_init(struct tracecount *count, struct tracecode *code);

/**
 * Thread @tid of the process @space runs from here on, until now that of the last call; the clock
 * is unknown. All its blocks must have been counted. Returns false if memory is out.
 */
bool tracecount_run(struct tracecount *count, const struct trace_space *space, uint32_t tid);

/** Counts what waits, with the time up to @ns (0: unknown) and @cycles. -1 with @err filled. */
int tracecount_clock(struct tracecount *count, uint64_t ns, uint64_t cycles, struct error *err);

/** Counts what waits without time; the clock goes on at @ns (0: unknown). */
int tracecount_restart(struct tracecount *count, uint64_t ns, struct error *err);

/** Adds @nr @blocks; execution came to the first one by @arrival. -1 with @err filled. */
int tracecount_add(struct tracecount *count, const struct ptblock *blocks, size_t nr,
		   enum trace_arrival arrival, struct error *err);

void tracecount_free(struct tracecount *count);

#endif
