/*
 * Counter values that samples carry (PERF_SAMPLE_READ) become periods: what was counted since the
 * value before.
 *
 * The values only grow. perf keeps them by counter (tools/perf/util/session.c:
 * deliver_sample_value); each thread has a table of its own for those that are inherited.
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
 * Sets *@delta to how much counter @id grew to reach @value; the first value counts wholly. Returns
 * false if memory is out.
 */
bool readcount_delta(struct readcount *counts, uint64_t id, uint64_t value, uint64_t *delta);

void readcount_free(struct readcount *counts);

#endif
