#include "util/largemem.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
	PAGE_BYTES = 2 << 20, /* of x86-64, and of arm64 with small pages of 4 KB */
	CACHE_LINE = 64,
};

void *largemem_get(size_t bytes)
{
	const size_t whole = bytes / PAGE_BYTES * PAGE_BYTES;
	void *memory = NULL;

	if (posix_memalign(&memory, whole ? PAGE_BYTES : CACHE_LINE, bytes) != 0)
		return NULL;
	if (whole)
		(void)madvise(memory, whole, MADV_HUGEPAGE); /* else it has small pages */
	return memory;
}
