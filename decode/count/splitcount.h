/*
 * What addresses and call paths counted for each tuple of keys.
 *
 * It counts beside the tables of addresses and paths, by their numbers, so that everything else
 * that is made of these does not depend on the keys. Samples are only noted at first; when there
 * are many they are sorted and added up, which reads memory in its order. Memory grows with the
 * distinct pairs of tuple and address or path, of which there are at most SPLITCOUNT_MAX.
 */
#ifndef READPERF_DECODE_COUNT_SPLITCOUNT_H
#define READPERF_DECODE_COUNT_SPLITCOUNT_H

#include "decode/count/recentcount.h"
#include "decode/count/tally.h"
#include "util/keysort.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPLITCOUNT_MAX = 10000000 };

/** What an address or path counted for a tuple of keys. */
struct split_count {
	uint64_t pair; /* the tuple << 32 | the number of the address or path */
	struct tally tally;
};

/** The counts of one kind (enum recentcount_kind). All zero is empty. */
struct split_counts {
	struct split_count *list; /* by pair; those noted are missing until splitcount_flush() */
	size_t nr, room;
	struct keyed *noted; /* pairs and periods of samples */
	size_t nr_noted, most_noted;
};

/** All zero is empty. */
struct splitcount {
	struct split_counts *kinds;
	size_t nr_kinds, room;
	size_t nr;	     /* pairs in all lists */
	size_t most;	     /* pairs; 0: SPLITCOUNT_MAX */
	bool full;	     /* there would have been more than @most pairs */
	struct keyed *spare; /* for sorting */
	size_t spare_room;
};

/**
 * Counts a sample of @period for @number of @kind and the tuple of keys @tuple. Returns false if
 * memory is out, or if there are too many pairs: then counts->full.
 */
bool splitcount_add(struct splitcount *counts, uint32_t tuple, uint32_t kind, uint32_t number,
		    uint64_t period);

/** Sets @counts, which are empty, to those of the window. Returns false if memory is out. */
bool splitcount_of_window(struct splitcount *counts, const struct recentcount *window);

/** Completes all lists; call it before reading them. Returns as splitcount_add(). */
bool splitcount_flush(struct splitcount *counts);

/** Forgets all counts of RECENT_WAITING. */
void splitcount_forget_waiting(struct splitcount *counts);

void splitcount_free(struct splitcount *counts);

#endif
