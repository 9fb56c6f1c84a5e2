/*
 * Memory for megabytes that are written once: in large pages, where the system has them. The first
 * write to a small page costs several times what filling it does, and it holds up other threads
 * that ask for memory.
 */
#ifndef READPERF_UTIL_LARGEMEM_H
#define READPERF_UTIL_LARGEMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** As malloc(), for realloc() and free(). Only what is written takes room, in whole pages. */
void *largemem_get(size_t bytes);

/**
 * `largemem_array(items, room, nr)`: room for @nr elements in the array @items, if it has none yet.
 * @items and @room as in array_grow() (util/array.h), which may follow. False if memory is out.
 */
#define largemem_array(items, room, nr) largemem_room(&(items), &(room), (nr), sizeof(*(items)))

/* @items points to the caller's pointer of any type; hence memcpy() instead of a cast. */
static inline bool largemem_room(void *items, size_t *room, size_t nr, size_t size)
{
	void *block;

	if (*room || nr == 0)
		return true;
	block = nr <= SIZE_MAX / size ? largemem_get(nr * size) : NULL;
	if (!block)
		return false;
	memcpy(items, &block, sizeof(block));
	*room = nr;
	return true;
}

#endif
