/*
 * What the paths of functions counted in each thread and slice of time: the log of samples, added
 * up.
 *
 * Memory is bounded: with too many of these cells, slices of time become longer, and if that does
 * not help, threads are no longer told apart.
 */
#ifndef READPERF_DECODE_ANSWER_PATHCELLS_H
#define READPERF_DECODE_ANSWER_PATHCELLS_H

#include "decode/count/samplelog.h"
#include "decode/results/pathrows.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The cells in the making; start with pathcells_start(). */
struct path_cells {
	const struct sample_log *log;
	struct path_cell *list; /* path_cell.path is any number until pathcells_end() */
	size_t nr, room;
	struct path_slices slices;
	size_t max;
	bool failed; /* memory is out */
};

/** Starts an empty list of at most about @max cells (0: the default) from @log, borrowed. */
void pathcells_start(struct path_cells *cells, const struct sample_log *log, size_t max);

/** Tells what path of functions samples at an address without a call path are of. */
struct path_of_address {
	uint32_t (*find)(void *arg, uint32_t address);
	void *arg;
};

/**
 * Adds the samples of the table number @table; @numbers has the paths of functions by number of a
 * path, less CHAIN_END_NR. Returns 0, or -1 with @err filled.
 */
int pathcells_add_table(struct path_cells *cells, size_t table, const uint32_t *numbers,
			const struct path_of_address *of_address, struct error *err);

/**
 * Nothing more comes: the number n of a path becomes @places[n], below @nr, and the cells are
 * brought into their order. False if memory is out.
 */
bool pathcells_end(struct path_cells *cells, const uint32_t *places, size_t nr);

void pathcells_free(struct path_cells *cells);

#endif
