/*
 * Memory of zeros for tables that are read before they are written, as hash tables are.
 *
 * A page of calloc()'s memory that is read first is the system's shared page of zeros. When it is
 * written, the system maps another page and interrupts the other threads of the process.
 */
#ifndef READPERF_UTIL_ZEROED_H
#define READPERF_UTIL_ZEROED_H

#include "util/largemem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** As calloc(), for free(): @nr elements of @size bytes, which begin at a cache line. */
static inline void *zeroed_get(size_t nr, size_t size)
{
	void *memory = NULL;

	/* Not malloc(): compilers make calloc() of it and memset(). One byte more, so that no
	 * elements have a block, too. */
	if (size && nr < SIZE_MAX / size)
		memory = largemem_get_random(nr * size + 1);
	if (memory)
		memset(memory, 0, nr * size);
	return memory;
}

#endif
