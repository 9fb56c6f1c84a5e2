/* A number of samples and the sum of their periods. */
#ifndef READPERF_DECODE_COUNT_TALLY_H
#define READPERF_DECODE_COUNT_TALLY_H

#include <stdint.h>

/** Samples and the sum of their periods, in the event's own unit. */
struct tally {
	uint64_t samples, period;
};

/** Adds @samples with a sum of periods @period to @tally; sums are limited to 2^64 - 1. */
static inline void tally_add(struct tally *tally, uint64_t samples, uint64_t period)
{
	if (__builtin_add_overflow(tally->samples, samples, &tally->samples))
		tally->samples = UINT64_MAX;
	if (__builtin_add_overflow(tally->period, period, &tally->period))
		tally->period = UINT64_MAX;
}

#endif
