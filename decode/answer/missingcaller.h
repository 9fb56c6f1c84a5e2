/*
 * Samples whose immediate caller is missing from their recorded call chain.
 *
 * The kernel follows frame pointers. Where the innermost function has not set up its frame, or
 * never does, the frame pointer is still its caller's: so the chain goes on with the caller's
 * caller. The call frame information of the code tells where that is so.
 */
#ifndef READPERF_DECODE_ANSWER_MISSINGCALLER_H
#define READPERF_DECODE_ANSWER_MISSINGCALLER_H

#include "decode/answer/resolve.h"
#include "decode/count/address.h"
#include "decode/count/tally.h"
#include "decode/stack/pathstore.h"
#include "decode/symbol/dso.h"
#include "decode/symbol/unwindinfo.h"
#include "perffile/perffile.h"
#include "util/error.h"

/** What is counted; all borrowed. */
struct missing_caller_input {
	const struct perffile *file;
	const struct pathstore *paths;
	const struct address_table *addresses;
	const struct place_set *places; /* of all addresses, sorted */
	const struct dso_table *dsos;
	struct unwindinfo *info;
};

/** True if an event of @file has chains that the kernel made by frame pointers. */
bool missing_caller_is_possible(const struct perffile *file);

/** Adds the samples to @of_events, by event number. Returns 0, or -1 with @err filled. */
int missing_caller_count(const struct missing_caller_input *input, struct tally *of_events,
			 struct error *err);

#endif
