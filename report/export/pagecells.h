/*
 * What the nodes of the page's tree counted in each thread and slice of time, packed.
 */
#ifndef READPERF_REPORT_EXPORT_PAGECELLS_H
#define READPERF_REPORT_EXPORT_PAGECELLS_H

#include "decode/results/pathrows.h"
#include "report/export/pagenumbers.h"
#include "report/export/pagethreads.h"
#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/** The packed cells; all zero, with no cells, if they do not fit. */
struct pagecells {
	struct pagenumbers packed;
	uint64_t nr;
	struct path_slices slices; /* as they are packed */
};

/** What cells are made of. */
struct pagecells_input {
	const struct path_cell *cells; /* of one event, in the order of pathstat_cells */
	size_t nr;
	uint32_t first_path;   /* number of the event's first one */
	const uint32_t *nodes; /* by number of the event's path: its node */
	size_t nr_nodes;
	const struct pagethreads *threads;
	struct path_slices slices;
	uint64_t quotient; /* of the tree */
	uint64_t limit;	   /* bytes of @packed */
};

/**
 * Packs the cells of @input into at most input->limit bytes: with ever longer slices of time, then
 * without times, then not at all. They are numbers (pagenumbers_put()) in columns, one after the
 * other; nodes are those that counted something themselves, in pre-order, and the cells of each
 * stand together, by thread and slice.
 * 1. for each node of more than one sample: its number of cells, less 1;
 * 2. for each cell its thread's number, less that of the cell before if that is of the same node;
 * 3. its slice; if the cell before is of the same node and thread, less that cell's slice and 1;
 * 4. for each cell but the last of a node that has more samples than cells: its samples, less 1;
 * 5. for each cell but the last of its node: its period less its samples times the quotient,
 *    as pagenumbers_put_planes() does it.
 *
 * @return 0, or -1 with @err filled; @cells is to be freed by pagecells_free() in both cases.
 */
int pagecells_make(struct pagecells *cells, const struct pagecells_input *input, struct error *err);

void pagecells_free(struct pagecells *cells);

#endif
