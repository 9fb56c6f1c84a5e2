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
#include "decode/results.h"
#include "decode/stack/callpath.h"
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
	size_t table; /* whose paths are told by pathcells_tell() */
	const struct callpath *paths;
	uint32_t *numbers; /* by path of the table */
	size_t numbers_room;
	bool failed; /* memory is out */
};

/** Starts an empty list of at most about @max cells (0: the default) from @log, borrowed. */
void pathcells_start(struct path_cells *cells, const struct sample_log *log, size_t max);

/** From now on the @nr @paths of @table are told. */
void pathcells_begin_table(struct path_cells *cells, size_t table, const struct callpath *paths,
			   size_t nr);

/** The samples on @path, of the current table, are those of the path of functions @number. */
static inline void pathcells_tell(struct path_cells *cells, const struct callpath *path,
				  uint32_t number)
{
	cells->numbers[path - cells->paths] = number;
}

/** Tells what path of functions samples at an address without a call path are of. */
struct path_of_address {
	uint32_t (*find)(void *arg, uint32_t address);
	void *arg;
};

/**
 * Adds the samples of the current table, all of whose paths were told. Returns 0, or -1 with @err
 * filled.
 */
int pathcells_end_table(struct path_cells *cells, const struct path_of_address *of_address,
			struct error *err);

/**
 * Nothing more comes: the number n of a path becomes @places[n], below @nr, and the cells are
 * brought into their order. False if memory is out.
 */
bool pathcells_end(struct path_cells *cells, const uint32_t *places, size_t nr);

void pathcells_free(struct path_cells *cells);

#endif
