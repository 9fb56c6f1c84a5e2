/*
 * An index of address ranges, which may nest and overlap: it finds the range of an address.
 *
 * Of all ranges that hold an address the one that starts last wins, that is, the innermost one; of
 * those with the same start the shortest, then the one with the greatest item.
 */
#ifndef READPERF_DECODE_SYMBOL_ELF_RANGES_H
#define READPERF_DECODE_SYMBOL_ELF_RANGES_H

#include <stddef.h>
#include <stdint.h>

/** Addresses [start, end) of @item, a number that the caller chooses. */
struct range {
	uint64_t start, end;
	uint32_t item;
};

/** All zero is an empty set. After ranges_build() the ranges are ascending and disjoint. */
struct ranges {
	struct range *list;
	size_t nr, room;
};

/** Adds [@start, @end); ignores an empty range. Returns -1 if memory is out, else 0. */
int ranges_add(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t item);

/** Builds the index; nothing may be added afterwards. Returns -1 if memory is out, else 0. */
int ranges_build(struct ranges *ranges);

/**
 * Returns the range that holds @address, or NULL. *@cursor, 0 at first, stores the last place: a
 * series of ascending addresses costs one walk over the index, any other series a binary search for
 * each address.
 */
const struct range *ranges_find(const struct ranges *ranges, uint64_t address, size_t *cursor);

/**
 * After ranges_find() for @address with this @cursor: the first address after it for which there
 * may be another answer; UINT64_MAX if there is none.
 */
uint64_t ranges_same_end(const struct ranges *ranges, uint64_t address, size_t cursor);

void ranges_free(struct ranges *ranges);

#endif
