/* Binary statistics: sums of functions by binary, and where the names came from or why not. */
#ifndef READPERF_DECODE_ANSWER_BINARYSTAT_H
#define READPERF_DECODE_ANSWER_BINARYSTAT_H

#include "decode/results/binaryrows.h"
#include "decode/results/functionrows.h"
#include "decode/symbol/symbol.h"

#include <stdbool.h>
#include <stddef.h>

/* Causes of missing names that are told of. */
enum { UNNAMED_MAX = 3 };

/** All zero is empty. */
struct binarystat {
	struct binary_stat *rows;
	size_t nr_rows;
	struct unnamed_stat unnamed[UNNAMED_MAX]; /* the one with the most samples first */
	size_t nr_unnamed;
	bool has_unlined, has_doubted; /* whether the members below are set */
	struct unnamed_stat unlined, doubted;
};

/**
 * Makes one row for each event and binary from the @nr_functions rows at @functions, whose
 * addresses @symbolizer has resolved. Replaces earlier rows; sorts in the order of binaries.csv.
 * Strings are borrowed.
 *
 * Sets `unnamed` for events of which more than one in 20 samples have no name: for each cause (a
 * binary, and what to do about it) the event with the most of them. Sets `unlined` in the same way,
 * for all causes together, for named samples in binaries without debugging information, and
 * `doubted` for named samples whose name may be wrong, however few these are.
 *
 * Returns false if memory is out.
 */
bool binarystat_make(struct binarystat *stat, const struct function_stat *functions,
		     size_t nr_functions, const struct dso_table *dsos,
		     const struct symbolizer *symbolizer);

void binarystat_free(struct binarystat *stat);

#endif
