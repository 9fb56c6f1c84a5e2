#include "util/largemem.h"

#include <stdlib.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* in glibc's headers since 2.35 */
#endif

enum {
	SMALL_BYTES = 4096,
	POPULATED_MIN = 64 << 10, /* less is not worth a call */
	POPULATED_MAX = 16 << 20, /* a file may announce more than it has */
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

void *largemem_get_all(size_t bytes, size_t written)
{
	void *memory = NULL;

	if (bytes > POPULATED_MAX)
		return largemem_get(bytes);
	if (posix_memalign(&memory, CACHE_LINE, bytes) != 0)
		return NULL;
	populate(memory, written);
	return memory;
}
