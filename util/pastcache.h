/*
 * Writes words past the cache: memory that this core writes and another one reads next. Where two
 * cores share no cache, a line that the other one has is waited for when it is written; the
 * processor's stores for such memory do not need it. Where they share one, that costs next to
 * nothing.
 */
#ifndef READPERF_UTIL_PASTCACHE_H
#define READPERF_UTIL_PASTCACHE_H

#include <stdint.h>

/* gcc's thread sanitizer knows ordinary stores only. */
#if defined(__x86_64__) && defined(__LP64__) && !defined(__SANITIZE_THREAD__)
#include <emmintrin.h>

enum { PASTCACHE_IS_THERE = 1 };

/** Writes @word to *@to. Whole lines of 64 bytes, in order, are fastest. */
static inline void pastcache_write(uint64_t *to, uint64_t word)
{
	_mm_stream_si64((long long *)to, (long long)word);
}

/** Lets what was written be seen before what this thread writes next: call it before it tells. */
static inline void pastcache_end(void)
{
	_mm_sfence();
}

#else

enum { PASTCACHE_IS_THERE = 0 }; /* these are ordinary stores */

static inline void pastcache_write(uint64_t *to, uint64_t word)
{
	*to = word;
}

static inline void pastcache_end(void)
{
}

#endif

#endif
