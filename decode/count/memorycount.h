/*
 * Counts accesses to memory by code, data_src and latency. It runs for each sample, so it uses only
 * integers.
 *
 * Memory grows with the number of distinct keys, up to the limit.
 */
#ifndef READPERF_DECODE_COUNT_MEMORYCOUNT_H
#define READPERF_DECODE_COUNT_MEMORYCOUNT_H

#include "decode/count/tally.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is told apart. */
struct memory_key {
	uint64_t place, data_src; /* of the code, in its dso */
	uint32_t dso, event;
	uint32_t bucket; /* latency_bucket() of the latency; 0: it is not known */
};

/** Cycles of accesses; those that are 0 are not known. */
struct memory_cycles {
	uint64_t sum;	/* at most 2^64 - 1 */
	uint64_t known; /* number of accesses */
	uint64_t min, max;
};

/** Accesses with one key. */
struct memory_cell {
	struct memory_key key;
	struct tally tally;
	struct memory_cycles latency, instruction;
};

enum { MEMORY_COUNT_MAX = 1 << 22 };

/** All zero is empty, but for the limit. */
struct memory_count {
	struct memory_cell *cells;
	size_t room;
	struct index index;
	size_t limit;
	uint64_t beyond; /* accesses that were not counted, as they were new beyond the limit */
};

/** Adds @b to @a. */
void memory_count_add_cycles(struct memory_cycles *a, const struct memory_cycles *b);

/** Adds the counts of @cell to those of its key. Returns false if memory is out. */
bool memory_count_add(struct memory_count *count, const struct memory_cell *cell);

/** Frees what was counted; @count is all zero then. */
void memory_count_free(struct memory_count *count);

#endif
