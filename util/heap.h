/* Where malloc() takes memory from. */
#ifndef READPERF_UTIL_HEAP_H
#define READPERF_UTIL_HEAP_H

#include <stddef.h>

/**
 * Has malloc() take the first 64 MB from large pages, for all threads if there are but a few
 * (@threads, at most). It is worth it where largemem_pages_are_slow(): small pages would be a
 * quarter of a short run. Only what is written takes room, in whole pages. For the start of a
 * program, of one thread yet. Nothing happens if there is not so much, or with another malloc()
 * than glibc's.
 */
void heap_use_large_pages(size_t threads);

#endif
