#include "util/largemem.h"

#include "util/clock.h"

#include <stdlib.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* in glibc's headers since 2.35 */
#endif

enum {
	SMALL_BYTES = 4096,
	POPULATED_MIN = 64 << 10,	   /* less is not worth a call */
	POPULATED_MAX = 16 << 20,	   /* a file may announce more than it has */
	LARGE_MIN = LARGEMEM_PAGE / 4 * 3, /* less is not worth a large page */
	NR_TRIES = 4,
	SLOW_NS = 4000, /* 250 to 1,500 are usual; 10,000 if the host has to follow each page */
	CACHE_LINE = 64,
};

void *largemem_get(size_t bytes)
{
	const size_t whole = bytes / LARGEMEM_PAGE * LARGEMEM_PAGE;
	void *memory = NULL;

	if (posix_memalign(&memory, whole ? LARGEMEM_PAGE : CACHE_LINE, bytes) != 0)
		return NULL;
	if (whole)
		(void)madvise(memory, whole, MADV_HUGEPAGE); /* else it has small pages */
	return memory;
}

/* Has the system give the pages in @memory. Before Linux 5.14 they come when they are written. */
static void populate(uint8_t *memory, size_t bytes)
{
	const size_t before = -(uintptr_t)memory % SMALL_BYTES;

	if (bytes >= POPULATED_MIN)
		(void)madvise(memory + before, (bytes - before) / SMALL_BYTES * SMALL_BYTES,
			      MADV_POPULATE_WRITE);
}

void largemem_fill(void *memory, size_t written)
{
	if (written <= POPULATED_MAX)
		populate(memory, written);
}

/*
 * Whether the first write to a small page takes long: to each of a few, at @fresh. They are quick
 * if they were used before.
 */
static bool small_pages_are_slow(volatile uint8_t *fresh)
{
	uint64_t least = UINT64_MAX; /* ns */

	for (size_t i = 0; i < NR_TRIES; i++) {
		const uint64_t start = clock_now();
		uint64_t ns;

		fresh[i * SMALL_BYTES] = 0;
		ns = clock_now() - start;
		least = ns < least ? ns : least;
	}
	return least > SLOW_NS;
}

bool largemem_pages_are_slow(void)
{
	const size_t bytes = NR_TRIES * SMALL_BYTES;
	void *fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool are_slow;

	if (fresh == MAP_FAILED)
		return false;
	are_slow = small_pages_are_slow(fresh);
	(void)munmap(fresh, bytes);
	return are_slow;
}

/* As largemem_get_all(), for LARGE_MIN bytes or more. */
static void *get_cheaper(size_t bytes, size_t written)
{
	/* a large page may cost as much as all the small ones in its place, so it must be filled */
	const size_t large = (bytes + LARGEMEM_PAGE - LARGE_MIN) / LARGEMEM_PAGE * LARGEMEM_PAGE;
	const size_t all = large > bytes ? large : bytes;
	void *memory = NULL;

	if (posix_memalign(&memory, LARGEMEM_PAGE, all + NR_TRIES * SMALL_BYTES) != 0)
		return NULL;
	if (small_pages_are_slow((uint8_t *)memory + all))
		(void)madvise(memory, large, MADV_HUGEPAGE);
	populate(memory, written);
	return memory;
}

void *largemem_get_all(size_t bytes, size_t written)
{
	void *memory = NULL;

	if (bytes > POPULATED_MAX)
		return largemem_get(bytes);
	if (bytes >= LARGE_MIN)
		return get_cheaper(bytes, written);
	if (posix_memalign(&memory, CACHE_LINE, bytes) != 0)
		return NULL;
	populate(memory, written);
	return memory;
}
