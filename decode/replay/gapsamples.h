/*
 * Samples of one gap (see struct plain_samples) that are counted in the order of time, when all are
 * here.
 */
#ifndef READPERF_DECODE_REPLAY_GAPSAMPLES_H
#define READPERF_DECODE_REPLAY_GAPSAMPLES_H

#include "perffile/record.h"

#include <stdbool.h>
#include <stddef.h>

struct gap_records;

enum { GAP_SAMPLES_BYTES_MAX = 32 << 20 };

/** All zero is empty. */
struct gap_samples {
	struct plain_sample *list;
	size_t nr, room;
	uint64_t end;		     /* gap_end of all, or of those that came last */
	struct gap_records *records; /* of those that have call chains */
	size_t bytes;		     /* of all */
	bool swap;		     /* as in struct plain_samples */
};

/** Adds the @nr @samples, and what their records have of call chains. False if memory is out. */
bool gap_samples_hold(struct gap_samples *gap, const struct plain_sample *samples, size_t nr,
		      bool swap);

/**
 * Whether there are so many that they are to be counted before all are here. No machine has so many
 * in a gap; then, those that come later are counted after them.
 */
static inline bool gap_samples_full(const struct gap_samples *gap)
{
	return gap->bytes > GAP_SAMPLES_BYTES_MAX;
}

/** Sorts them by time, those of one time by their place in the recording. */
void gap_samples_sort(struct gap_samples *gap);

/** Empties it. */
void gap_samples_clear(struct gap_samples *gap);

void gap_samples_free(struct gap_samples *gap);

#endif
