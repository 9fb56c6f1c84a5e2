/* Growing of plain arrays, with every product checked. */
#ifndef READPERF_UTIL_ARRAY_H
#define READPERF_UTIL_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/**
 * Makes room for @need elements of @size bytes in the heap block @items, which has room for *@room.
 *
 * @return the block, perhaps moved, with *@room raised (at least by half); NULL if memory is out,
 * and then @items is as it was.
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
 * `array_grow(items, room, need)`: true if the array @items now has room for @need elements.
 * @items and @room are lvalues: a heap pointer (or NULL) and its size_t capacity in elements.
 */
#define array_grow(items, room, need) array_grow_bytes(&(items), &(room), (need), sizeof(*(items)))

/* @items points at the caller's pointer, of whatever type: hence memcpy and not a cast. */
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
