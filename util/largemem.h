/*
 * Memory for megabytes. The first write to a small page costs several times what filling it does,
 * and it holds up other threads that ask for memory. So tables with random access are in large
 * pages, where the system has them. What is written from start to end is in small pages, which the
 * system gives in one go: in a virtual machine, the host may have to find and clear each large
 * page. Other hosts have to follow each page, small or large, which takes 10 us: there it is in
 * large pages, as far as it fills them.
 */
#ifndef READPERF_UTIL_LARGEMEM_H
#define READPERF_UTIL_LARGEMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a large page: of x86-64, and of arm64 with small pages of 4 KB. */
enum { LARGEMEM_PAGE = 2 << 20 };

/** Whether the first write to a small page takes long (more than 4 us). It tries four pages. */
bool largemem_pages_are_slow(void);

/**
 * As malloc(), for realloc() and free(), in large pages; it begins at a cache line. Only what is
 * written takes room, in whole pages.
 */
void *largemem_get(size_t bytes);

/**
 * As largemem_get(), where the first @written of the @bytes will all be written soon: their pages,
 * small ones or large ones, whichever come sooner, come in one go. More than 16 MB have large
 * pages, which come when they are written.
 */
void *largemem_get_all(size_t bytes, size_t written);

/** Has the pages of the first @written bytes of what largemem_get_all() returned come in one go: for
 * who does not need them in the thread that asks for the memory. */
void largemem_fill(void *memory, size_t written);

/** For random access to all of the @bytes: in large pages, less than one in small pages at once. */
static inline void *largemem_get_random(size_t bytes)
{
	return bytes < LARGEMEM_PAGE ? largemem_get_all(bytes, bytes) : largemem_get(bytes);
}

/**
 * `largemem_array(items, room, nr)`: room for @nr elements in the array @items, if it has none yet,
 * most of which will be written soon: largemem_get_all()'s. @items and @room as in array_grow()
 * (util/array.h), which may follow. False if memory is out.
 */
#define largemem_array(items, room, nr) largemem_room(&(items), &(room), (nr), sizeof(*(items)))

/* @items points to the caller's pointer of any type; hence memcpy() instead of a cast. */
static inline bool largemem_room(void *items, size_t *room, size_t nr, size_t size)
{
	void *block;

	if (*room || nr == 0)
		return true;
	block = nr <= SIZE_MAX / size ? largemem_get_all(nr * size, nr * size) : NULL;
	if (!block)
		return false;
	memcpy(items, &block, sizeof(block));
	*room = nr;
	return true;
}

/**
 * `largemem_grow(items, room, need)`: as array_grow() (util/array.h), but every block is
 * largemem_get_random()'s. Elements of a size that divides a cache line are in one line each.
 */
#define largemem_grow(items, room, need) \
	largemem_grow_room(&(items), &(room), (need), sizeof(*(items)))

/* Room for so many elements in place of @room, so that there is room for @need. */
static inline size_t largemem_next_room(size_t room, size_t need, size_t size)
{
	enum { MANY = 2 << 20, LEAST = 8, TIMES = 8 };
	size_t nr = room ? room * 2 : LEAST;

	/* Blocks are copied. Room that is not used is never touched. */
	if (nr * size >= MANY)
		nr = room * TIMES;
	return nr < need ? need : nr;
}

static inline bool largemem_grow_room(void *items, size_t *room, size_t need, size_t size)
{
	size_t nr;
	void *block, *old;

	if (need <= *room)
		return true;
	if (need > SIZE_MAX / 8 / size)
		return false;
	nr = largemem_next_room(*room, need, size);
	block = largemem_get_random(nr * size);
	if (!block) { /* not so many, then */
		nr = need + need / 2;
		block = largemem_get(nr * size);
	}
	if (!block)
		return false;
	memcpy(&old, items, sizeof(old));
	if (*room)
		memcpy(block, old, *room * size);
	free(old);
	memcpy(items, &block, sizeof(block));
	*room = nr;
	return true;
}

#endif
