/*
 * A hash index over the elements of an array: finds an element's number by its key.
 *
 * The caller owns the array and the keys, and hashes and compares them; the index holds numbers and
 * 32 bits of each hash. Lookup, with `hash` of the key:
 *
 *	for (at = index_first(ix, hash); index_next(ix, hash, &at, &number);)
 *		if (the element `number` has the key)
 *			return number;
 */
#ifndef READPERF_UTIL_INDEX_H
#define READPERF_UTIL_INDEX_H

#include "util/prefetch.h"
#include "util/zeroed.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct index_slot {
	uint32_t hash;
	uint32_t number; /* element number + 1; 0: free */
};

/** All zero is an empty index. */
struct index {
	struct index_slot *slots;
	size_t nr_slots; /* a power of two, or 0 */
	size_t nr;	 /* number of elements; they are numbered 0 to nr - 1 */
};

/** Returns the slot where the search for a key with @hash starts. */
static inline size_t index_first(const struct index *ix, uint64_t hash)
{
	return (uint32_t)hash & (ix->nr_slots - 1);
}

/**
 * Sets *@number to the next element with the same hash, from slot *@at on, and moves *@at past it.
 * Returns false if there is none: the key is not in the index.
 */
static inline bool index_next(const struct index *ix, uint64_t hash, size_t *at, uint32_t *number)
{
	if (ix->nr_slots == 0)
		return false;
	for (;;) {
		const struct index_slot *slot = &ix->slots[*at];

		if (slot->number == 0)
			return false;
		*at = (*at + 1) & (ix->nr_slots - 1);
		if (slot->hash == (uint32_t)hash) {
			*number = slot->number - 1;
			return true;
		}
	}
}

/** Prefetches the slot where the search for @hash starts. */
static inline void index_prefetch(const struct index *ix, uint64_t hash)
{
	if (ix->nr_slots)
		prefetch_read(&ix->slots[index_first(ix, hash)]);
}

static inline void index_put(struct index *ix, struct index_slot slot)
{
	size_t at = slot.hash & (ix->nr_slots - 1);

	while (ix->slots[at].number)
		at = (at + 1) & (ix->nr_slots - 1);
	ix->slots[at] = slot;
}

/* Puts the slots of @ix that are not free into @grown. Half of them are free, and nobody can guess
 * which, so they are collected without a branch. */
static inline void index_put_all(struct index *grown, const struct index *ix)
{
	enum { AT_ONCE = 64 };
	struct index_slot some[AT_ONCE + 1];

	for (size_t at = 0; at < ix->nr_slots;) {
		size_t nr = 0;

		for (; nr < AT_ONCE && at < ix->nr_slots; at++) {
			some[nr] = ix->slots[at];
			nr += some[nr].number != 0;
		}
		for (size_t i = 0; i < nr; i++)
			index_put(grown, some[i]);
	}
}

/** Doubles the number of slots. Returns false, with nothing changed, if memory is out. */
static inline bool index_grow(struct index *ix)
{
	struct index grown = {.nr_slots = ix->nr_slots ? ix->nr_slots * 2 : 16, .nr = ix->nr};

	grown.slots = zeroed_get(grown.nr_slots, sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	index_put_all(&grown, ix);
	free(ix->slots);
	*ix = grown;
	return true;
}

/**
 * Adds element number ix->nr, whose key has @hash. Returns false, with nothing changed, if memory
 * is out or there are 2^32 - 2 elements.
 */
static inline bool index_add(struct index *ix, uint64_t hash)
{
	if (ix->nr >= UINT32_MAX - 1)
		return false;
	if ((ix->nr + 1) * 2 > ix->nr_slots && !index_grow(ix))
		return false;
	index_put(ix, (struct index_slot){(uint32_t)hash, (uint32_t)++ix->nr});
	return true;
}

/** Empties the index, which keeps its slots. */
static inline void index_clear(struct index *ix)
{
	if (ix->nr_slots)
		memset(ix->slots, 0, ix->nr_slots * sizeof(*ix->slots));
	ix->nr = 0;
}

/** Frees the slots; the index is empty then. */
static inline void index_free(struct index *ix)
{
	free(ix->slots);
	*ix = (struct index){0};
}

#endif
