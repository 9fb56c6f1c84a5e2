/*
 * The call paths of a trace, and what is added up for each. A path is a node: a function, and the
 * path that called it. Their number has a limit.
 */
#ifndef READPERF_DECODE_TRACE_TRACEPATH_H
#define READPERF_DECODE_TRACE_TRACEPATH_H

#include "util/index.h"

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

/** All zero is empty. */
struct trace_paths {
	struct trace_node *nodes;
	size_t nr, room;
	struct index by_call; /* index of nodes */
};

/** The number of the root of @process, which is new; TRACE_NO_NODE if memory is out. */
uint32_t tracepaths_add_root(struct trace_paths *paths, uint32_t process);

/**
 * The node of @function called from @parent; of too many different ones, called from @root.
 * TRACE_NO_NODE if memory is out.
 */
uint32_t tracepaths_child(struct trace_paths *paths, uint32_t root, uint32_t parent,
			  uint32_t function);

struct trace_sums {
	uint64_t instructions, ns, cycles;
};

/** Of all paths together. */
struct trace_sums tracepaths_sums(const struct trace_paths *paths);

void tracepaths_free(struct trace_paths *paths);

#endif
