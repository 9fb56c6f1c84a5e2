/* Latencies as a histogram of 4 parts per octave: numbers of its buckets, and their values. */
#ifndef READPERF_DECODE_COUNT_LATENCY_H
#define READPERF_DECODE_COUNT_LATENCY_H

#include <stdint.h>

enum { LATENCY_BUCKETS = 252 };

/** The bucket of @value; below 8 each value has its own. */
static inline unsigned latency_bucket(uint64_t value)
{
	unsigned octave;

	if (value < 8)
		return (unsigned)value;
	octave = 63 - (unsigned)__builtin_clzll(value);
	return (octave - 1) * 4 + (unsigned)(value >> (octave - 2) & 3);
}

/** The middle of @bucket, rounded down: at most an eighth away from what is in it. */
static inline uint64_t latency_value(unsigned bucket)
{
	unsigned shift;

	if (bucket < 8)
		return bucket;
	shift = bucket / 4 - 1;
	return ((uint64_t)(4 + bucket % 4) << shift) + ((UINT64_C(1) << shift) - 1) / 2;
}

#endif
