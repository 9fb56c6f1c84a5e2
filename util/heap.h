/* Where malloc() takes memory from. */
#ifndef READPERF_UTIL_HEAP_H
#define READPERF_UTIL_HEAP_H

#include <stddef.h>

/**
 * Has malloc() take the first 64 MB from large pages. A few threads (@threads is how many there
 * will be) share them; of more only the first has them. This pays where
 * largemem_pages_are_slow(): there small pages take a quarter of a short run. Only what is written
 * takes room, in whole pages. Call it at the start of a program, before there are other threads.
 * It does nothing if there is no room for 64 MB, or if malloc() is not glibc's.
 */
void heap_use_large_pages(size_t threads);

#endif
