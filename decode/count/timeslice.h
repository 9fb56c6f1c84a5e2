/*
 * The noise of functions, estimated from what each address counted in each slice of time.
 *
 * Nobody knows ahead how long a recording is. Slices start short; when there are too many, each two
 * neighbours become one, and from then on slices are twice as long. So 64 to 127 of them are there
 * at the end, whatever the duration, if there was time for as many. A sample costs no more than a
 * look at the clock; what addresses have counted is noted when a slice ends. Memory grows with
 * distinct addresses times slices, at most.
 */
#ifndef READPERF_DECODE_COUNT_TIMESLICE_H
#define READPERF_DECODE_COUNT_TIMESLICE_H

#include "decode/count/address.h"
#include "decode/count/addressrows.h"
#include "decode/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TIME_SLICES_MAX = 128,
	TIME_SLICE_FIRST_LENGTH = 1 << 20, /* ns: about a millisecond */
};

/** What an address counted in a slice. A float is exact enough: it is summed up, and squared. */
struct time_slice_count {
	uint32_t number; /* of the address */
	float period;
};

/** Only what is not 0, by ascending number. */
struct time_slice {
	struct time_slice_count *counts;
	size_t nr;
};

/** All zero but for @most has not begun. */
struct time_slices {
	struct time_slice list[TIME_SLICES_MAX];
	size_t nr;
	size_t nr_counts,
		most;	      /* in all slices; @most: when slices are joined early, 0: a default */
	uint64_t length, end; /* of the current slice; ns */
	uint64_t nr_untimed;  /* samples without a time */
	bool begun;
	uint64_t *seen; /* by number of the address: its period when the last slice ended */
	size_t nr_seen, seen_room;
};

/** Ends the slices that are over at @time. Returns false if memory is out. */
bool time_slices_end(struct time_slices *slices, struct address_table *addresses, uint64_t time);

/**
 * To be called before a sample is counted in @addresses. Time that goes back does not end a slice;
 * if samples have none (@timed is false), all take equally long. Returns false if memory is out.
 */
static inline bool time_slices_sample(struct time_slices *slices, struct address_table *addresses,
				      bool timed, uint64_t time)
{
	if (!timed)
		time = slices->nr_untimed++ * TIME_SLICE_FIRST_LENGTH;
	return (slices->begun && time < slices->end) || time_slices_end(slices, addresses, time);
}

/** Ends the current slice, so that all that @addresses has is in slices. False: no memory. */
bool time_slices_finish(struct time_slices *slices, struct address_table *addresses);

/**
 * Sets the noise of the @nr_rows @rows: those that @of_addresses tells of.
 *
 * The variance of a row's part p of its event's period is estimated from the differences between
 * neighbouring slices of y - p * Y, y and Y being the slice's period of the row and of the event
 * (von Neumann 1941): what changes slowly over the recording, as the phases of a program, is no
 * noise. Slices in which the event counted nothing are left out; less than 8 others tell nothing.
 *
 * Returns false if memory is out.
 */
bool time_slices_noise(const struct time_slices *slices, const struct address_rows *of_addresses,
		       struct function_stat *rows, size_t nr_rows, size_t nr_events);

void time_slices_free(struct time_slices *slices);

#endif
