/*
 * Counts accesses to memory by address, code, thread and CPU, for cache lines that are shared. It
 * runs for each sample, so it uses only integers.
 *
 * Memory grows with the number of distinct keys, up to the limit.
 */
#ifndef READPERF_DECODE_COUNT_CACHELINE_H
#define READPERF_DECODE_COUNT_CACHELINE_H

#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How accesses are counted, by the rules of perf c2c. */
enum cacheline_counter {
	CACHELINE_RECORDS,
	CACHELINE_LOADS,
	CACHELINE_STORES,
	CACHELINE_HITM_LOCAL,  /* loads of lines that a cache of the same node had modified */
	CACHELINE_HITM_REMOTE, /* the same of another node */
	CACHELINE_PEER,	       /* loads from a cache at the same distance */
	CACHELINE_L1HIT_STORES,
	CACHELINE_L1MISS_STORES,
	CACHELINE_RAM, /* loads from RAM of any node */
	NR_CACHELINE_COUNTERS,
};

/** No process: the memory is shared. */
#define CACHELINE_SHARED UINT32_MAX

/** What is told apart. */
struct cacheline_key {
	uint64_t data_place, code_place; /* in their dsos */
	uint32_t data_dso, code_dso;
	uint32_t pid; /* of private memory, or CACHELINE_SHARED */
	uint32_t tid, cpu;
};

/** Accesses with one key. */
struct cacheline_cell {
	struct cacheline_key key;
	uint64_t counts[NR_CACHELINE_COUNTERS];
};

enum { CACHELINE_COUNT_MAX = 1 << 22 };

/** All zero is empty, but for the limit. */
struct cacheline_count {
	struct cacheline_cell *cells;
	size_t room;
	struct index index;
	size_t limit;
	uint64_t beyond; /* accesses that were not counted, as they were new beyond the limit */
};

/** Adds the counts of @cell to those of its key. Returns false if memory is out. */
bool cacheline_add(struct cacheline_count *count, const struct cacheline_cell *cell);

/** Frees what was counted; @count is all zero then. */
void cacheline_free(struct cacheline_count *count);

#endif
