/*
 * Call paths: the call chains of samples, each distinct path once.
 *
 * A path is an address and the path of its caller. So all paths are trees, one for each reason why
 * chains end (enum chain_end); the outermost functions are children of the root. A sample counts on
 * the path that ends with its own address. Call chains share most of their callers: memory grows
 * with the number of distinct paths, never with the number of samples.
 */
#ifndef READPERF_DECODE_STACK_CALLPATH_H
#define READPERF_DECODE_STACK_CALLPATH_H

#include "decode/count/tally.h"
#include "decode/stack/chainend.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALLPATH_NONE UINT32_MAX

/** A path that others may extend. */
struct callpath_ref {
	uint64_t hash; /* of all its addresses, so that those of a whole chain are known at once */
	uint32_t number;
};

/** There is none, because memory is out. */
static const struct callpath_ref callpath_none = {.number = CALLPATH_NONE};

struct callpath {
	uint32_t caller;   /* number of the caller's path, less than the path's own */
	uint32_t address;  /* number in the address table; a root has none */
	struct tally here; /* samples whose own address is the end of the path */
};

/**
 * All zero is empty. Path number CHAIN_END_NR + n is paths[n]; the numbers below are the roots,
 * each an enum chain_end.
 */
struct callpath_table {
	struct callpath *paths;
	size_t room;
	struct index index;
};

/** The root of the paths of chains with this @end. */
static inline struct callpath_ref callpath_root(enum chain_end end)
{
	return (struct callpath_ref){.hash = end, .number = end};
}

/**
 * Returns the path to @address from the path @caller, made if it is new; with the number
 * CALLPATH_NONE if memory is out.
 */
struct callpath_ref callpath_get(struct callpath_table *table, struct callpath_ref caller,
				 uint32_t address);

/**
 * Sets @paths to those to each of the @nr @addresses, outermost first, from the path @caller: as
 * callpath_get() one by one, but what all of them read is prefetched. Returns false if memory is
 * out.
 */
bool callpath_get_all(struct callpath_table *table, struct callpath_ref caller,
		      const uint32_t *addresses, size_t nr, struct callpath_ref *paths);

/** So many paths callpath_get_each() gets at once. */
enum { CALLPATH_EACH_MAX = 16 };

/**
 * Sets @numbers to those of the paths to each of the @nr @addresses, CALLPATH_EACH_MAX at most,
 * each from its own path in @callers: as callpath_get() one by one, but what all of them read is
 * prefetched. Returns false if memory is out.
 */
bool callpath_get_each(struct callpath_table *table, const struct callpath_ref *callers,
		       const uint32_t *addresses, size_t nr, uint32_t *numbers);

/**
 * Adds the paths of @from with what was counted on them; @addresses: by the number of an address in
 * @from, its number in @table. Returns false if memory is out.
 */
bool callpath_add_all(struct callpath_table *table, const struct callpath_table *from,
		      const uint32_t *addresses);

static inline struct callpath *callpath_at(const struct callpath_table *table, uint32_t path)
{
	return &table->paths[path - CHAIN_END_NR];
}

static inline size_t callpath_count(const struct callpath_table *table)
{
	return table->index.nr;
}

/** Empties @table, which keeps its memory for the next paths. */
void callpath_table_clear(struct callpath_table *table);

void callpath_table_free(struct callpath_table *table);

#endif
