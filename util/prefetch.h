/*
 * Fetching memory into the cache before it is used.
 *
 * gcc assumes that a function which only prefetches has no effect, and leaves out its calls. The
 * empty asm statement counts as an effect, and costs nothing.
 */
#ifndef READPERF_UTIL_PREFETCH_H
#define READPERF_UTIL_PREFETCH_H

/** Fetches the cache line of @at, which may be any address, to be read soon. */
__attribute__((always_inline)) static inline void prefetch_read(const void *at)
{
	__builtin_prefetch(at);
	__asm__ volatile("" : : "r"(at));
}

/** The same, to be written soon. */
__attribute__((always_inline)) static inline void prefetch_write(const void *at)
{
	__builtin_prefetch(at, 1);
	__asm__ volatile("" : : "r"(at));
}

#endif
