/* The rows of functions, split by the keys of --per: results->split. */
#ifndef READPERF_DECODE_ANSWER_SPLITSTAT_H
#define READPERF_DECODE_ANSWER_SPLITSTAT_H

#include "decode/count/addressrows.h"
#include "decode/count/splitcount.h"
#include "decode/results/functionrows.h"
#include "decode/results/splitrows.h"
#include "decode/stack/pathstore.h"
#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/** All zero is empty. */
struct splitstat {
	struct split_row *rows;
	size_t nr, room;
	struct split_stat stat;
};

/** The input; all borrowed. */
struct splitstat_input {
	const struct splitcount *counts; /* flushed */
	const struct pathstore *paths;
	const struct address_rows *of_addresses; /* lists of numbers of @functions, by address */
	const struct function_stat *functions;	 /* each at its number */
	size_t nr_functions;
	const char *const *keys;
	size_t nr_keys;
	const struct split_value *values; /* @nr_keys for each tuple */
	const uint32_t *same; /* by tuple: the first with the same values; NULL: itself */
};

/**
 * Makes the rows; replaces those of an earlier call. @stat is empty at the first call. Returns 0,
 * or -1 with @err filled.
 */
int splitstat_make(struct splitstat *stat, const struct splitstat_input *input, struct error *err);

void splitstat_free(struct splitstat *stat);

#endif
