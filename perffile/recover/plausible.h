/*
 * Tests whether bytes are records, used after damage to find where records continue.
 *
 * A record is tested for what damaged bytes rarely have: a known type with a possible size, a body
 * that decodes and fills the record, a trailer with a known id. One record is weak evidence, so
 * several are needed, each starting where the one before ends, or one that reaches the end of the
 * data.
 */
#ifndef READPERF_PERFFILE_RECOVER_PLAUSIBLE_H
#define READPERF_PERFFILE_RECOVER_PLAUSIBLE_H

#include "perffile/record/events.h"
#include "perffile/record/recordsize.h"
#include "util/span.h"

#include <stdbool.h>

/** What is known of the recording; @finder and @sizes are borrowed. */
struct plausibility {
	struct event_finder *finder;
	const struct record_sizes *sizes;
	bool swap;
};

enum record_chain {
	CHAIN_NONE,  /* these are not records */
	CHAIN_HOLDS, /* they are */
	CHAIN_MORE,  /* they are so far; more bytes are needed */
};

/** What follows the bytes that are tested. */
enum plausible_end {
	END_OPEN,  /* more bytes */
	END_LOOSE, /* nothing more; the last record may be cut off */
	END_EXACT, /* the last record must end here */
};

/**
 * Whether records start at @s, strictly: three certain ones among the first 16, or at least one if
 * the data ends before.
 */
enum record_chain plausible_chain(const struct plausibility *plausible, struct span s,
				  enum plausible_end end);

/**
 * Like plausible_chain(), but for bytes that the size of a record leads to: records of unknown
 * types, or the end of the data, are accepted too.
 */
enum record_chain plausible_next(const struct plausibility *plausible, struct span s,
				 enum plausible_end end);

/**
 * Whether a record of @type, which has no name, and @size bytes is likely to be one of a newer perf
 * or kernel, whose types follow the known ones, or of simpleperf, whose types start at 32768.
 */
bool plausible_new_type(uint32_t type, uint16_t size);

#endif
