/*
 * Counts branches by the places they leave and reach, and the straight runs of code between them.
 * It runs for each branch of each sample, so it uses only integers.
 *
 * Memory grows with the number of distinct branches and runs, up to BRANCH_COUNT_MAX of each.
 */
#ifndef READPERF_DECODE_COUNT_BRANCHCOUNT_H
#define READPERF_DECODE_COUNT_BRANCHCOUNT_H

#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A place of the dso with number @dso. */
struct branch_spot {
	uint64_t place;
	uint32_t dso;
};

/** What a recording says of branches from one spot to another under one event. */
struct branch_edge {
	struct branch_spot from, to;
	uint32_t event;
	uint8_t type, new_type, priv; /* as recorded; part of the key */
	uint64_t count, mispredicted;
	uint64_t known;	       /* those that tell whether they were mispredicted */
	uint64_t cycles;       /* sum of those that are known */
	uint64_t cycles_known; /* number of branches whose cycles are known */
	uint64_t in_tx, aborts;
};

/** Code that ran from one branch's target up to and including the next branch. */
struct branch_run {
	struct branch_spot start;
	uint64_t length; /* bytes from the start to the branch that ends the run */
	uint32_t event;
	uint64_t count, cycles, cycles_known; /* as of struct branch_edge */
};

enum { BRANCH_COUNT_MAX = 1 << 22 };

/** All zero is empty, but for the limit. */
struct branch_count {
	struct branch_edge *edges;
	struct branch_run *runs;
	size_t edges_room, runs_room;
	struct index edge_index, run_index;
	size_t limit; /* of edges, and of runs */
	/* Branches and runs that were not counted, as they were new beyond the limit. */
	uint64_t edges_beyond, runs_beyond;
};

/** Adds the counts of @edge to those of its key. Returns false if memory is out. */
bool branch_count_edge(struct branch_count *count, const struct branch_edge *edge);

/** Adds the counts of @run to those of its key. Returns false if memory is out. */
bool branch_count_run(struct branch_count *count, const struct branch_run *run);

/** Frees what was counted; @count is all zero then. */
void branch_count_free(struct branch_count *count);

#endif
