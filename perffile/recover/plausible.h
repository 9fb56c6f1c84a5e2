/*
 * Whether bytes are records: what is asked where a recording makes no sense, to find out where it
 * makes sense again.
 *
 * A record is checked by what it cannot have by chance: a type that is known with a size that is
 * its own, a body that decodes and fills it, a trailer whose id exists. One is little to go by, so
 * it takes a chain of them, each where the one before ends, or one that reaches the end of the
 * data.
 */
#ifndef READPERF_PERFFILE_RECOVER_PLAUSIBLE_H
#define READPERF_PERFFILE_RECOVER_PLAUSIBLE_H

#include "perffile/record/events.h"
#include "perffile/record/recordsize.h"
#include "util/span.h"

#include <stdbool.h>

/** What is known of the recording; both must outlive the plausible. */
struct plausibility {
	struct event_set *events;
	const struct record_sizes *sizes;
	bool swap;
};

enum record_chain {
	CHAIN_NONE,  /* these are no records */
	CHAIN_HOLDS, /* they are */
	CHAIN_MORE,  /* they are as far as the bytes go: more of them must be seen */
};

/** What is at the end of the bytes that are checked. */
enum plausible_end {
	END_OPEN,  /* more bytes */
	END_LOOSE, /* nothing more; the last record may be cut off */
	END_EXACT, /* the last record must end here */
};

/**
 * Whether records start at @s, strictly: three of which each is as it should be, or at least one
 * if that is all up to the end. Looks at 16 records at most.
 */
enum record_chain plausible_chain(const struct plausibility *plausible, struct span s,
				  enum plausible_end end);

/**
 * As plausible_chain(), but for bytes that a record's own size leads to: they may also be records
 * of which nothing is known, or nothing at all if the end is here.
 */
enum record_chain plausible_next(const struct plausibility *plausible, struct span s,
				 enum plausible_end end);

/**
 * Whether a record of @type, which has no name, and @size is likely to be one of a newer perf or
 * kernel, whose numbers follow those that are known, or of simpleperf, whose start at 32768.
 */
bool plausible_new_type(uint32_t type, uint16_t size);

#endif
