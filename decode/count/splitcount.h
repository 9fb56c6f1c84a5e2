/*
 * What addresses and call paths counted for each tuple of keys.
 *
 * It counts beside the tables of addresses and paths, by their numbers, so that everything else
 * that is made of these does not depend on the keys. Memory grows with the distinct pairs of tuple
 * and address or path, of which there are at most SPLITCOUNT_MAX.
 */
#ifndef READPERF_DECODE_COUNT_SPLITCOUNT_H
#define READPERF_DECODE_COUNT_SPLITCOUNT_H

#include "decode/count/tally.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPLITCOUNT_MAX = 10000000 };

/** What @number of @kind (enum recentcount_kind) counted for the tuple of keys @tuple. */
struct split_count {
	uint32_t tuple, kind, number;
	struct tally tally;
};

/** All zero is empty. */
struct splitcount {
	struct split_count *list;
	size_t room;
	struct index index;
	size_t most; /* pairs; 0: SPLITCOUNT_MAX */
};

/** Whether there may be no more pairs. */
static inline bool splitcount_full(const struct splitcount *counts)
{
	return counts->index.nr >= (counts->most ? counts->most : SPLITCOUNT_MAX);
}

/**
 * Counts a sample of @period. Returns false if memory is out, or if the pair would be new and
 * splitcount_full().
 */
bool splitcount_add(struct splitcount *counts, uint32_t tuple, uint32_t kind, uint32_t number,
		    uint64_t period);

/** Sets all counts of RECENT_WAITING to 0. */
void splitcount_forget_waiting(struct splitcount *counts);

void splitcount_free(struct splitcount *counts);

#endif
