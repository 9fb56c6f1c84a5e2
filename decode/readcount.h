/*
 * Counter values that samples carry (PERF_SAMPLE_READ) become periods: what was counted since the
 * value before.
 *
 * The values only grow. perf keeps them by counter (tools/perf/util/session.c:
 * deliver_sample_value), and by counter and thread where the counter is inherited, for each thread
 * then has its own.
 */
#ifndef READPERF_DECODE_READCOUNT_H
#define READPERF_DECODE_READCOUNT_H

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
 * Sets *@delta to how much counter @id of thread @tid (0: of all) grew to reach @value; the first
 * value counts wholly. Returns false if memory is out.
 */
bool readcount_delta(struct readcount *counts, uint64_t id, uint32_t tid, uint64_t value,
		     uint64_t *delta);

void readcount_free(struct readcount *counts);

#endif
