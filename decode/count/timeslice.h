/*
 * The noise of functions, estimated from what each address counted in each slice of time.
 *
 * The length of a recording is not known in advance. Slices start short; when there are too many,
 * each two neighbours are joined, and later slices are twice as long. So there are 64 to 127 slices
 * at the end, whatever the duration, if it was long enough. A sample costs one comparison of its
 * time; the counts of addresses are stored when a slice ends. Memory grows at most with distinct
 * addresses times slices.
 */
#ifndef READPERF_DECODE_COUNT_TIMESLICE_H
#define READPERF_DECODE_COUNT_TIMESLICE_H

#include "decode/count/address.h"
#include "decode/count/addressrows.h"
#include "decode/results/functionrows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TIME_SLICES_MAX = 128,
	TIME_SLICE_FIRST_LENGTH = 1 << 20, /* ns: about 1 ms */
};

/** What an address counted in a slice. A float is precise enough: it is only summed and squared. */
struct time_slice_count {
	uint32_t number; /* address number */
	float period;
};

/** Only counts that are not 0, by ascending number. */
struct time_slice {
	struct time_slice_count *counts;
	size_t nr;
};

/** All zero except @most is empty. */
struct time_slices {
	struct time_slice list[TIME_SLICES_MAX];
	size_t nr;
	size_t nr_counts,
		/* @nr_counts: in all slices. @most: above it slices are joined early; 0: default.
		 */
		most;
	uint64_t length, end; /* of the current slice, ns */
	uint64_t nr_untimed;  /* samples without a time */
	bool begun;
	uint64_t *seen; /* by address number: its period when the last slice ended */
	size_t nr_seen, seen_room;
};

/** Ends the current slice, if any, and starts one at @time (ns). Returns false if memory is out. */
bool time_slices_end(struct time_slices *slices, struct address_table *addresses, uint64_t time);

/**
 * Call this before a sample is counted in @addresses. @time: ns. A time that goes back does not end
 * a slice; if samples have no time (@timed is false), each is taken to last equally long. Returns
 * false if memory is out.
 */
static inline bool time_slices_sample(struct time_slices *slices, struct address_table *addresses,
				      bool timed, uint64_t time)
{
	if (!timed)
		time = slices->nr_untimed++ * TIME_SLICE_FIRST_LENGTH;
	return (slices->begun && time < slices->end) || time_slices_end(slices, addresses, time);
}

/** Ends the current slice, so that slices have all counts. Returns false if memory is out. */
bool time_slices_finish(struct time_slices *slices, struct address_table *addresses);

/**
 * Sets the noise of the @nr_rows @rows; @of_addresses has the rows of each address.
 *
 * The variance of a row's part p of its event's period is estimated from the differences between
 * neighbouring slices of y - p * Y, where y and Y are the slice's period of the row and of the
 * event (von Neumann 1941). So slow changes over the recording, such as phases of a program, do not
 * count as noise. Slices in which the event counted nothing are left out; with fewer than 8 others
 * the noise stays unknown.
 *
 * Returns false if memory is out.
 */
bool time_slices_noise(const struct time_slices *slices, const struct address_rows *of_addresses,
		       struct function_stat *rows, size_t nr_rows, size_t nr_events);

void time_slices_free(struct time_slices *slices);

#endif
