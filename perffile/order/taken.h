/*
 * How far the records of a run may be taken.
 *
 * Samples are not in the cache any more when they are taken; where all of a run have one size, the
 * end is searched, so that only some of them are looked at.
 */
#ifndef READPERF_PERFFILE_ORDER_TAKEN_H
#define READPERF_PERFFILE_ORDER_TAKEN_H

#include "perffile/order/run.h"
#include "perffile/record/events.h"
#include "perffile/record/raw.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * What is left of a run when the records that may be taken are: none, or those from one on that may
 * not.
 */
struct taken {
	struct event_finder *finder; /* borrowed; its events give the position of a record's time */
	bool swap;
	uint64_t bound; /* ns: records from then on may not be taken, but for the first */
	const uint8_t *bytes, *end;
	uint64_t nr;   /* records that were taken */
	uint64_t time; /* ns, of the first one left */
	uint64_t last; /* ns, of the last one taken */
};

/** Returns the time in ns by which the record at @bytes, which is whole, is sorted. */
static inline uint64_t taken_time(struct event_finder *finder, bool swap, const uint8_t *bytes)
{
	struct raw_stretch one = {.bytes = bytes};
	const struct raw_record raw = raw_take(&one, swap);
	const struct span body = raw_body(&raw, swap);

	return events_time(finder, raw.type, &body);
}

/** Sets @taken to the records of @run, which is warm, none of them taken. */
void taken_begin(struct taken *taken, const struct run *run);

/** Moves @taken, of @run, over the records that may be taken. */
void taken_fill(struct taken *taken, const struct run *run);

#endif
