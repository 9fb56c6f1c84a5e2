/*
 * Call paths: which chains of callers the samples came with, each distinct path once.
 *
 * A path is a node of a tree whose root is the outermost caller; a node is an address and the path
 * of its caller. A sample counts on the node of its own address. So a program's stacks, which share
 * most of their callers, cost a node for each distinct way down and not for each sample.
 */
#ifndef READPERF_DECODE_CALLPATH_H
#define READPERF_DECODE_CALLPATH_H

#include "decode/results.h"
#include "util/index.h"

#include <stddef.h>
#include <stdint.h>

#define CALLPATH_ROOT 0u
#define CALLPATH_NONE UINT32_MAX
#define LINK_NONE     UINT32_MAX

struct callpath {
	uint32_t caller;   /* number of the caller's path, less than one's own */
	uint32_t address;  /* number in the address table; the root has none */
	struct tally here; /* samples whose own address is the path's end */
};

/** One of the functions that an address lies in: an inlined one, or the one that has the code. */
struct row_link {
	uint32_t row;	/* of the function */
	uint32_t outer; /* number of the link of the function it is inlined into, or LINK_NONE */
};

/** All zero is an empty table. Path number n + 1 is paths[n]; number 0 is the root. */
struct callpath_table {
	struct callpath *paths;
	size_t room;
	struct index index;
};

/** The number of the path to @address from @caller's path; CALLPATH_NONE if memory is out. */
uint32_t callpath_get(struct callpath_table *table, uint32_t caller, uint32_t address);

static inline struct callpath *callpath_at(const struct callpath_table *table, uint32_t path)
{
	return &table->paths[path - 1];
}

static inline size_t callpath_count(const struct callpath_table *table)
{
	return table->index.nr;
}

/**
 * Adds to @totals[row] what was counted on each of the @nr @paths that @row is on, once per path
 * however often it calls itself. Address a stands for the functions of link @link_of[a] and of its
 * outer ones; their rows are less than @nr_rows. Returns 0, or -1 if memory is out.
 */
int callpath_fold(const struct callpath *paths, size_t nr, const struct row_link *links,
		  const uint32_t *link_of, size_t nr_rows, struct tally *totals);

void callpath_table_free(struct callpath_table *table);

#endif
