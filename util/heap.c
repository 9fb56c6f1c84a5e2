#include "util/heap.h"

#include "util/clock.h"
#include "util/largemem.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef M_TOP_PAD

enum {
	HEAP_BYTES = 64 << 20,	 /* what a recording of a few million samples needs */
	BLOCK_BYTES = 120 << 10, /* less than M_MMAP_THRESHOLD; two are more than the heap has */
	TOP_PAD = 128 << 10,	 /* glibc's own */
	TRIM_THRESHOLD = 2 * HEAP_BYTES, /* malloc() gives the end back if more of it is free */
	THREADS_MAX = 4,		 /* more would often wait for each other in malloc() */
	TRY_BYTES = 64 << 10,
	CHEAP_NS = 32000, /* for TRY_BYTES; one by one, pages that are slow take 64,000 or more */
};

/* Enlarges the heap by HEAP_BYTES, if there is so much. */
static void enlarge(void)
{
	void *volatile blocks[2]; /* else the compiler leaves out what has no use */

	(void)mallopt(M_TRIM_THRESHOLD, TRIM_THRESHOLD); /* else the end goes with the blocks */
	(void)mallopt(M_TOP_PAD, HEAP_BYTES);
	for (size_t i = 0; i < 2; i++)
		blocks[i] = malloc(BLOCK_BYTES);
	for (size_t i = 0; i < 2; i++)
		free(blocks[i]);
	(void)mallopt(M_TOP_PAD, TOP_PAD);
}

/*
 * Has the small pages from @start to the first large one come in one go, if a try shows that this
 * is cheap: it is where each page fault takes long, but not where the host has to follow each page.
 */
static void get_small_pages(uint8_t *start)
{
	const size_t bytes = -(uintptr_t)start % LARGEMEM_PAGE;
	const uint64_t began = clock_now();

	if (bytes <= TRY_BYTES)
		return;
	largemem_fill(start, TRY_BYTES);
	if (clock_now() - began < CHEAP_NS)
		largemem_fill(start + TRY_BYTES, bytes - TRY_BYTES);
}

void heap_use_large_pages(size_t threads)
{
	uint8_t *start = sbrk(0), *end;

	enlarge();
	end = sbrk(0);
	if (end - start < HEAP_BYTES)
		return;
	(void)madvise(start, (size_t)(end - start), MADV_HUGEPAGE);
	get_small_pages(start);
	if (threads <= THREADS_MAX)
		(void)mallopt(M_ARENA_MAX, 1);
}

#else

void heap_use_large_pages(size_t threads)
{
	(void)threads;
}

#endif
