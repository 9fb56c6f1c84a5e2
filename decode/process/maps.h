/*
 * The mappings of one address space: which dso lies at an address.
 *
 * A set is shared by processes after a fork; when one of them changes it, that one gets a set of
 * its own, which still shares with the other all maps that both have: see maptree.h. Mappings never
 * overlap: a new one displaces what it covers, as it does in the kernel. A mapping points at its
 * dso and does not own it.
 *
 * Code of a JIT compiler lies above the mappings, which do not tell of it: its memory is mapped
 * again whenever its protection changes. So the memory of a compiler leaves the code where it is;
 * any other mapping displaces it.
 */
#ifndef READPERF_DECODE_PROCESS_MAPS_H
#define READPERF_DECODE_PROCESS_MAPS_H

#include "decode/process/maptree.h"
#include "decode/symbol/dso.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_set {
	struct map *root;
	struct map *code; /* of JIT compilers: goes before what lies below it */
	unsigned refs;
	uint64_t version; /* another number after each change, never the same for other content */
	const struct map *last; /* answered the last lookup; in a tree */
};

/** The place that @addr of the address space @map is for, in its dso. */
static inline uint64_t map_place(const struct map *map, uint64_t addr)
{
	return addr - map->start + map->pgoff;
}

/** An empty set with one reference, or NULL if memory is out. @version: see map_set. */
struct map_set *map_set_create(uint64_t version);

/** Another reference to @set. */
struct map_set *map_set_share(struct map_set *set);

/** Gives a reference back; the last one frees the set. NULL is fine. */
void map_set_release(struct map_set *set);

static inline bool map_set_empty(const struct map_set *set)
{
	return !set->root;
}

/**
 * Maps [start, end) of @map to its dso in *@set, which becomes a set of its own first if it is
 * shared; what was mapped there before is split or dropped. Of @map, which is copied, start, end,
 * pgoff, dso and is_code are read. @version becomes the set's version. O(log n) for it and for each
 * map that it displaces. Returns false if memory is out; the set is then still in order.
 */
bool map_set_insert(struct map_set **set, const struct map *map, uint64_t version);

/** Leaves nothing mapped in [start, end). Otherwise as map_set_insert(). */
bool map_set_remove(struct map_set **set, uint64_t start, uint64_t end, uint64_t version);

/** As map_set_insert() for code of a JIT compiler, which displaces nothing but such code. */
bool map_set_insert_code(struct map_set **set, const struct map *map, uint64_t version);

/** The map that holds @addr, or NULL. */
const struct map *map_set_search(struct map_set *set, uint64_t addr);

/** As map_set_search(), with the map that answered last tried first. */
static inline const struct map *map_set_find(struct map_set *set, uint64_t addr)
{
	const struct map *map = set->last;

	if (map && addr >= map->start && addr < map->end)
		return map;
	return map_set_search(set, addr);
}

#endif
