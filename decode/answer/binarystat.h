/*
 * Binary statistics: the functions added up by binary, and where the names came from or why not.
 */
#ifndef READPERF_DECODE_ANSWER_BINARYSTAT_H
#define READPERF_DECODE_ANSWER_BINARYSTAT_H

#include "decode/results.h"
#include "decode/symbol/symbol.h"

#include <stdbool.h>
#include <stddef.h>

/** All zero is an empty one. */
struct binarystat {
	struct binary_stat *rows;
	size_t nr_rows;
	bool has_unnamed, has_unlined, has_doubted; /* then these are set */
	struct unnamed_stat unnamed, unlined, doubted;
};

/**
 * Makes, in place of earlier rows, a row for each event and binary of the @nr_functions rows at
 * @functions, whose addresses @symbolizer has resolved; sorted as binaries.csv has them. Its
 * strings are borrowed. If more than one in 20 samples of an event has no name, that is in
 * `unnamed`, of the event with most of them; so are in `unlined` those that have one, but are in
 * binaries without debugging information, and in `doubted`, however few, those whose name may be
 * wrong. Returns false if memory is out.
 */
bool binarystat_make(struct binarystat *stat, const struct function_stat *functions,
		     size_t nr_functions, const struct dso_table *dsos,
		     const struct symbolizer *symbolizer);

void binarystat_free(struct binarystat *stat);

#endif
