/* The clock of a hardware counter: its counts as ns of the recording's clock, by TIME_CONV. */
#ifndef READPERF_DECODE_PROCESS_COUNTERCLOCK_H
#define READPERF_DECODE_PROCESS_COUNTERCLOCK_H

#include "perffile/record.h"

#include <stdbool.h>
#include <stdint.h>

/** Whether @conv tells how to convert. */
static inline bool counter_clock_is_known(const struct record_time_conv *conv)
{
	return conv->mult && conv->shift < 64;
}

/**
 * Converts @count to ns; the clock must be known. As tsc_to_perf_time() in tools/perf/util/tsc.c.
 */
static inline uint64_t counter_clock_ns(const struct record_time_conv *conv, uint64_t count)
{
	uint64_t whole, rest;

	if (conv->is_short)
		count = conv->cycles + ((count - conv->cycles) & conv->mask);
	whole = count >> conv->shift;
	rest = count & ((UINT64_C(1) << conv->shift) - 1);
	return conv->zero + whole * conv->mult + ((rest * conv->mult) >> conv->shift);
}

#endif
