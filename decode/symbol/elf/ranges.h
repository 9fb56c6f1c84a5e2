/*
 * Address ranges that may nest and overlap, made into an index that answers "which one is it?".
 *
 * Of all the ranges that hold an address the answer is the one that starts last, that is, the
 * innermost one; of those with the same start the shortest, then the one with the greatest item.
 */
#ifndef READPERF_DECODE_SYMBOL_ELF_RANGES_H
#define READPERF_DECODE_SYMBOL_ELF_RANGES_H

#include <stddef.h>
#include <stdint.h>

/** Addresses [start, end) that belong to @item, whatever the caller numbers by it. */
struct range {
	uint64_t start, end;
	uint32_t item;
};

/** All zero is an empty set. After ranges_build() the ranges are ascending and disjoint. */
struct ranges {
	struct range *list;
	size_t nr, room;
};

/** Adds [@start, @end); an empty one is left out. Returns -1 if memory is out. */
int ranges_add(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t item);

/** Turns what was added into the index; nothing is added afterwards. -1 if memory is out. */
int ranges_build(struct ranges *ranges);

/**
 * The range that holds @address, or NULL. *@cursor, 0 at first, remembers the place: a series of
 * ascending addresses costs one walk over the index, any other series a binary search each.
 */
const struct range *ranges_find(const struct ranges *ranges, uint64_t address, size_t *cursor);

void ranges_free(struct ranges *ranges);

#endif
