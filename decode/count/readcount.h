/*
 * Converts counter values in samples (PERF_SAMPLE_READ) to periods: the increase since the previous
 * value.
 *
 * Counter values only grow. perf keeps the previous values by counter (tools/perf/util/session.c:
 * deliver_sample_value); for inherited counters, each thread has a table of its own.
 */
#ifndef READPERF_DECODE_COUNT_READCOUNT_H
#define READPERF_DECODE_COUNT_READCOUNT_H

#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct counter;

/** All zero is an empty table. */
struct readcount {
	struct counter *counters;
	size_t room;
	struct index index;
};

/**
 * Sets *@delta to the increase of counter @id to @value; the first value counts in full. Returns
 * false if memory is out.
 */
bool readcount_delta(struct readcount *counts, uint64_t id, uint64_t value, uint64_t *delta);

void readcount_free(struct readcount *counts);

#endif
