/*
 * The mappings of one address space: the dso at each address.
 *
 * After a fork, processes share a set. When one of them changes it, that process gets its own set,
 * which still shares all common maps with the other: see maptree.h. Mappings never overlap: a new
 * one displaces what it covers, as in the kernel. A mapping points at its dso and does not own it.
 *
 * Code of a JIT compiler is kept separately, above the mappings: the compiler's memory is mapped
 * again whenever its protection changes. So a new mapping of JIT memory keeps the code at its
 * addresses; any other mapping displaces it.
 */
#ifndef READPERF_DECODE_PROCESS_MAPS_H
#define READPERF_DECODE_PROCESS_MAPS_H

#include "decode/process/maptree.h"
#include "decode/symbol/dso.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A map that was found, and the addresses that it has. All zero has none. */
struct map_range {
	uint64_t start, size;
	const struct map *map;
};

/** The two maps that were found last, the newest first: mostly one of them has the next address. */
struct map_pair {
	struct map_range found[2];
};

struct map_set {
	struct map *root;
	struct map *code; /* of JIT compilers: has priority over the mappings */
	unsigned refs;
	uint64_t version;      /* changes with each change; unique for this content */
	uint64_t code_version; /* since which the same code is at the same addresses */
	struct map_pair found; /* they are in the trees */
};

/** True if @range contains @addr. */
static inline bool map_range_has(const struct map_range *range, uint64_t addr)
{
	return addr - range->start < range->size;
}

/** Returns the map of @pair that contains @addr; NULL if there is none. */
static inline const struct map *map_pair_find(const struct map_pair *pair, uint64_t addr)
{
	/* That it is one of the two can be predicted, but not which: so no branch for that. */
	const size_t which = !map_range_has(&pair->found[0], addr);
	const struct map_range *range = &pair->found[which];

	return map_range_has(range, addr) ? range->map : NULL;
}

/** Takes note in @pair that @map, which it does not have, was found. */
static inline void map_pair_put(struct map_pair *pair, const struct map *map)
{
	pair->found[1] = pair->found[0];
	pair->found[0] = (struct map_range){map->start, map->end - map->start, map};
}

/** The place in the dso of @map for address @addr. */
static inline uint64_t map_place(const struct map *map, uint64_t addr)
{
	return addr - map->start + map->pgoff;
}

/** Makes an empty set with one reference; NULL if memory is out. @version: see struct map_set. */
struct map_set *map_set_create(uint64_t version);

/** Adds a reference to @set, which it returns. */
struct map_set *map_set_share(struct map_set *set);

/** Drops a reference; the last one frees the set. NULL is accepted. */
void map_set_release(struct map_set *set);

static inline bool map_set_empty(const struct map_set *set)
{
	return !set->root;
}

/**
 * Maps [start, end) of @map to its dso in *@set, which is unshared first; mappings there are split
 * or removed. Copies start, end, pgoff, dso, is_code and is_own of @map. @version becomes the set's
 * version, and that of its code if there is code in the range before or after. O(log n) for @map
 * and for each map that it displaces. Returns false if memory is out; the set is then still
 * consistent.
 */
bool map_set_insert(struct map_set **set, const struct map *map, uint64_t version);

/** Removes all mappings in [start, end). Otherwise as map_set_insert(). */
bool map_set_remove(struct map_set **set, uint64_t start, uint64_t end, uint64_t version);

/** As map_set_insert() for code of a JIT compiler, which displaces only other such code. */
bool map_set_insert_code(struct map_set **set, const struct map *map, uint64_t version);

/**
 * Returns the map that contains @addr, or NULL. @set is not changed. *@alone: all of the map is
 * what it says; no code of a JIT compiler covers a part of it.
 */
const struct map *map_set_look(const struct map_set *set, uint64_t addr, bool *alone);

/** Returns the map that contains @addr, which is none of those found last, or NULL. */
const struct map *map_set_search(struct map_set *set, uint64_t addr);

/** As map_set_search(), but tries the last results first. */
static inline const struct map *map_set_find(struct map_set *set, uint64_t addr)
{
	const struct map *map = map_pair_find(&set->found, addr);

	return map ? map : map_set_search(set, addr);
}

#endif
