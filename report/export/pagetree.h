/*
 * The tree of the page: the paths of functions of one event, small subtrees folded where it must be
 * small.
 *
 * Paths that were cut stand below a frame that says why; what was folded is a frame [rest] below
 * the same parent, with the same sums.
 */
#ifndef READPERF_REPORT_EXPORT_PAGETREE_H
#define READPERF_REPORT_EXPORT_PAGETREE_H

#include "decode/results/functionrows.h"
#include "decode/results/pathrows.h"
#include "report/export/pagenumbers.h"
#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PAGETREE_WORDS_MAX = 32 };

/** The packed tree, and what stands in it. */
struct pagetree {
	struct pagenumbers packed;
	uint64_t nodes;	   /* in @packed */
	uint64_t folded;   /* paths that [rest] stands for */
	size_t nr_frames;  /* distinct frames */
	uint64_t quotient; /* period of a sample, as a rule */
	/* of the frames that are no functions: "rest", and reasons as of path_stat.end */
	const char *words[PAGETREE_WORDS_MAX];
	size_t nr_words;
	uint32_t *node_of; /* by path: its node, or that of the [rest] it is in */
};

/** What a tree is made of. */
struct pagetree_input {
	const struct path_stat *paths; /* of one event, in the order of pathstat_paths */
	size_t nr_paths;
	const struct function_stat *functions; /* of the event */
	size_t nr_functions;
	struct tally total;	/* of the event */
	uint64_t limit;		/* bytes of @packed */
	const uint32_t *places; /* by number of a function: its place on the page; NULL: the same */
};

/**
 * Packs the tree of @input into at most input->limit bytes. These are numbers (pagenumbers_put())
 * in columns, one after the other. A frame is told by its key: twice its function's place, plus 1
 * if it is inlined, or, from twice the number of functions on, the number of its word. Nodes are in
 * pre-order, in chains: each node of a chain but the first is a child of the node before.
 * 1. the keys of frames, ascending: each less the one before and 1;
 * 2. for each frame, and at last for what is above the roots, how many frames are below it;
 * 3. these: numbers of frames (pagenumbers_put_planes()), those of most nodes first;
 * 4. the number of chains; for each its length, less 1; for each but the first how many levels it
 *    is above a child of the node before, less 1;
 * 5. how many bytes each of PAGECOLUMNS_CLASSES columns has, and these: nodes whose parent's frame
 *    has n frames below it, where n is 2, 3, ... up to PAGECOLUMNS_SMALL; then up to twice that
 *    many, ... up to PAGECOLUMNS_BYTE; then above. For each of its nodes a column has which of
 *    these n frames it is: up to PAGECOLUMNS_SMALL as a digit to the base n, as many in a byte as
 *    there is room for, the lowest first; as a byte; in the last column as a number;
 * 6. for each chain the samples of its last node, less 1, as one without samples has some;
 * 7. how many of the other nodes have samples: for each how many do not since the one before it;
 *    for each its samples, less 1;
 * 8. for each node with samples its own period less its samples times the quotient
 *    (pagenumbers_put_planes()).
 *
 * @return 0, or -1 with @err filled; @tree is to be freed by pagetree_free() in both cases.
 */
int pagetree_make(struct pagetree *tree, const struct pagetree_input *input, struct error *err);

void pagetree_free(struct pagetree *tree);

#endif
