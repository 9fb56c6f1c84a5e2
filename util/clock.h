/* The monotonic clock, and file times. */
#ifndef READPERF_UTIL_CLOCK_H
#define READPERF_UTIL_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_SECOND UINT64_C(1000000000)
#define NS_PER_MS     UINT64_C(1000000)

/** Returns ns of CLOCK_MONOTONIC. */
static inline uint64_t clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

/** Returns @time in ns since 1970, limited to the range of int64_t. */
static inline int64_t clock_since_1970(const struct timespec *time)
{
	int64_t ns;

	if (__builtin_mul_overflow((int64_t)time->tv_sec, (int64_t)NS_PER_SECOND, &ns) ||
	    __builtin_add_overflow(ns, (int64_t)time->tv_nsec, &ns))
		return time->tv_sec < 0 ? INT64_MIN : INT64_MAX;
	return ns;
}

#endif
