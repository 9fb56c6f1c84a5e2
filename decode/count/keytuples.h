/* Tuples of the keys of --per: each distinct one once, with a number. Only integers. */
#ifndef READPERF_DECODE_COUNT_KEYTUPLES_H
#define READPERF_DECODE_COUNT_KEYTUPLES_H

#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEYTUPLES_NONE UINT32_MAX

/**
 * All zero except @nr_keys is empty. A tuple is a word for each key, then one whose bit n is set if
 * key n has a value; the word of a key without a value is 0.
 */
struct keytuples {
	size_t nr_keys;
	uint64_t *words; /* by number of the tuple, nr_keys + 1 for each */
	size_t room;
	struct index index;
	uint32_t last; /* number of the last one that was asked for */
};

/**
 * Returns the number of @tuple, added if it is new; KEYTUPLES_NONE if memory is out. Numbers are in
 * the order of first appearance.
 */
uint32_t keytuples_number(struct keytuples *tuples, const uint64_t *tuple);

static inline size_t keytuples_count(const struct keytuples *tuples)
{
	return tuples->index.nr;
}

/** The words of tuple @number. */
static inline const uint64_t *keytuples_get(const struct keytuples *tuples, uint32_t number)
{
	return &tuples->words[number * (tuples->nr_keys + 1)];
}

void keytuples_free(struct keytuples *tuples);

#endif
