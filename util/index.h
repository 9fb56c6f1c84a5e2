/*
 * A hash index over the elements of an array: finds an element's number by its key.
 *
 * The array and the keys stay with the caller, who hashes and compares; the index holds numbers
 * only. Looking up, with `hash` of the key:
 *
 *	for (at = index_start(ix, hash); index_at(ix, at, &number); at = index_step(ix, at))
 *		if (the element `number` has the key)
 *			return number;
 */
#ifndef READPERF_UTIL_INDEX_H
#define READPERF_UTIL_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/** All zero is an empty index. */
struct index {
	uint32_t *slots; /* number + 1, 0 = free */
	size_t nr_slots; /* a power of two, or 0 */
	size_t nr;	 /* elements in it: numbers 0 to nr - 1 */
};

static inline size_t index_start(const struct index *ix, uint64_t hash)
{
	return (size_t)hash & (ix->nr_slots - 1);
}

static inline size_t index_step(const struct index *ix, size_t at)
{
	return (at + 1) & (ix->nr_slots - 1);
}

/** True with the number in slot @at, or false if the slot is free: the key is not there. */
static inline bool index_at(const struct index *ix, size_t at, uint32_t *number)
{
	if (ix->nr_slots == 0 || ix->slots[at] == 0)
		return false;
	*number = ix->slots[at] - 1;
	return true;
}

static inline void index_put(struct index *ix, uint64_t hash, uint32_t number)
{
	size_t at = index_start(ix, hash);

	while (ix->slots[at])
		at = index_step(ix, at);
	ix->slots[at] = number + 1;
}

/**
 * Adds the element number ix->nr, whose key has @hash. @rehash gives the hash of any element's key
 * from its number. Returns false, with nothing changed, if memory is out or 2^32 - 2 are in it.
 */
static inline bool index_add(struct index *ix, uint64_t hash,
			     uint64_t (*rehash)(const void *arg, uint32_t number), const void *arg)
{
	if (ix->nr >= UINT32_MAX - 1)
		return false;
	if ((ix->nr + 1) * 2 > ix->nr_slots) {
		struct index grown = {.nr_slots = ix->nr_slots ? ix->nr_slots * 2 : 64};

		grown.slots = calloc(grown.nr_slots, sizeof(*grown.slots));
		if (!grown.slots)
			return false;
		for (uint32_t i = 0; i < ix->nr; i++)
			index_put(&grown, rehash(arg, i), i);
		grown.nr = ix->nr;
		free(ix->slots);
		*ix = grown;
	}
	index_put(ix, hash, (uint32_t)ix->nr++);
	return true;
}

static inline void index_free(struct index *ix)
{
	free(ix->slots);
	*ix = (struct index){0};
}

#endif
