/* Growing heap arrays, with overflow checks. */
#ifndef READPERF_UTIL_ARRAY_H
#define READPERF_UTIL_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/**
 * Makes room for @need elements of @size bytes in the heap block @items, which has room for *@room
 * elements.
 *
 * @return the block, possibly moved, with *@room raised (at least by half) if it was too small;
 * NULL if memory is out, with @items unchanged.
 */
static inline void *array_reserve(void *items, size_t *room, size_t need, size_t size)
{
	size_t want = *room + *room / 2 + 8;
	void *grown;

	if (need <= *room)
		return items;
	if (want < need)
		want = need;
	if (want > SIZE_MAX / size)
		return NULL;
	grown = realloc(items, want * size);
	if (grown)
		*room = want;
	return grown;
}

/**
 * `array_grow(items, room, need)`: makes room for @need elements in the array @items. @items and
 * @room are lvalues: a heap pointer (or NULL) and its size_t capacity in elements. False, with
 * nothing changed, if memory is out.
 */
#define array_grow(items, room, need) array_grow_bytes(&(items), &(room), (need), sizeof(*(items)))

/* @items points to the caller's pointer of any type; hence memcpy() instead of a cast. */
static inline bool array_grow_bytes(void *items, size_t *room, size_t need, size_t size)
{
	void *block;

	if (need <= *room)
		return true;
	memcpy(&block, items, sizeof(block));
	block = array_reserve(block, room, need, size);
	if (!block)
		return false;
	memcpy(items, &block, sizeof(block));
	return true;
}

#endif
