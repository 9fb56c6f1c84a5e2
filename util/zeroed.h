/*
 * Memory of zeros for tables that are read before they are written, as hash tables are.
 *
 * Of calloc()'s memory a page that is read first is one that all share; when it is written the
 * system makes another one, and interrupts all threads of the process to tell them.
 */
#ifndef READPERF_UTIL_ZEROED_H
#define READPERF_UTIL_ZEROED_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** As calloc(), for free(): @nr elements of @size bytes, which begin at a cache line. */
static inline void *zeroed_get(size_t nr, size_t size)
{
	enum { CACHE_LINE = 64 };
	void *memory = NULL;

	/* Not malloc(), which compilers join with memset() to calloc(). One more: some of none. */
	if (size && nr <= (SIZE_MAX - CACHE_LINE) / size &&
	    posix_memalign(&memory, CACHE_LINE, nr * size + 1) == 0)
		memset(memory, 0, nr * size);
	return memory;
}

#endif
