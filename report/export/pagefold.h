/*
 * Which paths are nodes of the page's tree, and which are folded: the smallest, the deepest first.
 *
 * A parent is a node where its child is: it is at least as large, and above.
 */
#ifndef READPERF_REPORT_EXPORT_PAGEFOLD_H
#define READPERF_REPORT_EXPORT_PAGEFOLD_H

#include "decode/results/pathrows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PAGEFOLD_DEPTH_MAX = 60000, /* deeper paths are folded: the page has 16 bits for a depth */
};

/** Start with pagefold_start(); at first all paths that are not too deep are kept. */
struct pagefold {
	const struct path_stat *paths;
	size_t nr_paths;
	uint32_t *ranks; /* by path */
	uint32_t limit;	 /* the lowest rank that is kept */
};

/** What nodes cost, in packed bytes. */
struct pagefold_cost {
	double node;	/* each */
	double counted; /* more if it has samples of its own */
};

/**
 * Starts with the @nr @paths, borrowed, of one event, whose sum is @total, in the order of
 * pathstat_paths. Returns false if memory is out; free it with pagefold_free() in both cases.
 */
bool pagefold_start(struct pagefold *fold, const struct path_stat *paths, size_t nr,
		    const struct tally *total);

/**
 * Keeps as many paths as cost no more than @room, together with the [rest] below each node that
 * misses a child. Returns false if memory is out.
 */
bool pagefold_choose(struct pagefold *fold, const struct pagefold_cost *cost, double room);

/** Keeps no path. */
void pagefold_drop(struct pagefold *fold);

static inline bool pagefold_keeps(const struct pagefold *fold, size_t path)
{
	return fold->ranks[path] >= fold->limit;
}

void pagefold_free(struct pagefold *fold);

#endif
