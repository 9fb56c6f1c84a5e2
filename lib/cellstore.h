/* A column of cells in memory, as arrays. */
#ifndef READPERF_LIB_CELLSTORE_H
#define READPERF_LIB_CELLSTORE_H

#include "report/cell.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the values are. */
enum cellstore_kind { CELLSTORE_NUMBER, CELLSTORE_SIGNED, CELLSTORE_REAL, CELLSTORE_TEXT };

/** All zero, but for the kind, is a column without cells. */
struct cellstore {
	enum cellstore_kind kind;
	union { /* by row */
		uint64_t *numbers;
		int64_t *signeds;
		double *reals;
		uint32_t *codes; /* numbers in @texts */
	};
	size_t room;
	uint8_t *known; /* by row */
	size_t known_room;
	struct intern texts;
};

/** The kind of the cells of a column of @type. */
enum cellstore_kind cellstore_kind_of(enum cell_type type);

/** Sets row @row, the one behind the last, to @cell. Returns false if memory is out. */
bool cellstore_add(struct cellstore *store, size_t row, const struct cell *cell);

void cellstore_free(struct cellstore *store);

#endif
