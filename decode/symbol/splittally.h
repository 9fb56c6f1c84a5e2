/*
 * How many split units of a binary were looked for, and which of them were not found: what is
 * missing of its functions and lines.
 */
#ifndef READPERF_DECODE_SYMBOL_SPLITTALLY_H
#define READPERF_DECODE_SYMBOL_SPLITTALLY_H

#include "util/index.h"
#include "util/intern.h"

#include <stddef.h>
#include <stdint.h>

/** All zero has none. Each unit counts once, however often the binary is read. */
struct split_tally {
	uint64_t *units; /* offsets of their skeletons in .debug_info */
	size_t room;
	struct index by_offset; /* of the units */
	size_t nr_missing;
	uint64_t first; /* the lowest offset of one that is missing */
	const char *first_path;
};

/**
 * Counts the unit at @offset; @missing is NULL if it was found, else the path of its file, which is
 * kept in @strings. Returns -1 if memory is out.
 */
int split_tally_add(struct split_tally *tally, uint64_t offset, const char *missing,
		    struct intern *strings);

/**
 * What is @refused, with "N of M split units not found: first PATH" behind it if there are such,
 * kept in @strings. NULL if memory is out.
 */
const char *split_tally_describe(const struct split_tally *tally, const char *refused,
				 struct intern *strings);

void split_tally_free(struct split_tally *tally);

#endif
