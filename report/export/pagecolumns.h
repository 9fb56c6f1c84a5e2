/*
 * The nodes of the page's tree as columns of numbers, packed.
 *
 * What a tree repeats costs little: most nodes are the only child of the node before, a function
 * calls few others, and most of these calls are of the first of them.
 */
#ifndef READPERF_REPORT_EXPORT_PAGECOLUMNS_H
#define READPERF_REPORT_EXPORT_PAGECOLUMNS_H

#include "decode/results/pathrows.h"
#include "report/export/pagenumbers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PAGECOLUMNS_SMALL = 16,	 /* numbers of callees up to that have a class each */
	PAGECOLUMNS_BYTE = 256,	 /* up to so many, a callee's number is a byte */
	PAGECOLUMNS_CLASSES = 20 /* of frames, by their number of callees */
};

/** Numbers, LEB128. */
struct page_column {
	uint8_t *bytes;
	size_t nr, room;
};

/** A call, as nodes use it. */
struct page_use {
	uint32_t caller, callee; /* keys */
	uint32_t nodes;
	uint32_t number; /* among the callees of the caller */
	uint8_t class;	 /* of the caller */
};

/** A node in pre-order. */
struct page_node {
	uint64_t up;		 /* levels that it is above a child of the node before */
	uint32_t caller, callee; /* keys */
	uint32_t call;		 /* their number */
	const struct tally *self;
};

/** The columns. Their memory serves for one attempt after the other. */
struct pagecolumns {
	uint32_t nr_keys; /* keys of frames are below it; the caller of roots has this one */
	size_t nr_calls;
	uint64_t quotient; /* what a sample's period is, as a rule */
	struct page_column lengths, ups, leaves, gaps, inner;
	uint64_t nr_chains, nr_inner;
	struct page_use *uses; /* by call */
	uint32_t *calls;       /* by node */
	size_t nr, calls_room;
	int64_t *periods; /* of nodes with samples, less what these let expect */
	size_t nr_periods, periods_room;
	uint64_t length, gap,
		last_samples; /* of the chain, before the next node, of the last one */
	bool failed;	      /* memory is out */
};

/** Starts empty ones for @nr_calls calls between @nr_keys keys. False if memory is out. */
bool pagecolumns_start(struct pagecolumns *columns, size_t nr_calls, uint32_t nr_keys,
		       uint64_t quotient);

/** Forgets all nodes. */
void pagecolumns_clear(struct pagecolumns *columns);

/** Adds the next node; nothing after columns->failed. */
void pagecolumns_add(struct pagecolumns *columns, const struct page_node *node);

/** What was packed. */
struct page_packed {
	size_t nr_frames;
	uint64_t of_nodes; /* bytes before the periods */
};

/**
 * Nothing more comes; adds all to @packed, as pagetree_make() says. False if memory is out.
 */
bool pagecolumns_pack(struct pagecolumns *columns, struct pagenumbers *packed,
		      struct page_packed *made);

void pagecolumns_free(struct pagecolumns *columns);

#endif
