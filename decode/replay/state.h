/*
 * The state of a replay, and what all its steps need.
 */
#ifndef READPERF_DECODE_REPLAY_STATE_H
#define READPERF_DECODE_REPLAY_STATE_H

#include "decode/answer/aggregate.h"
#include "decode/answer/eventstat.h"
#include "decode/answer/funcstat.h"
#include "decode/count/address.h"
#include "decode/count/readcount.h"
#include "decode/count/timeslice.h"
#include "decode/count/recentcount.h"
#include "decode/process/addrspace.h"
#include "decode/process/jitcode.h"
#include "decode/process/process.h"
#include "decode/replay.h"
#include "decode/replay/symbolcache.h"
#include "decode/stack/stack.h"

struct replay {
	const struct perffile *file;
	struct replay_settings settings;
	bool filtered, windowed;
	bool looked_at; /* samples are, before they count: for a filter, or for slices of time */
	struct process_table processes;
	struct addrspaces spaces;
	struct jit_code jit;
	struct roots roots;
	struct address_table addresses;
	struct stacks stacks;
	struct readcount counters;
	struct symbolizer *symbolizer;
	struct symbol_cache known; /* of snapshots */
	bool has_snapshots;
	size_t nr_build_ids; /* that the recording had told when it was opened */
	struct funcstat functions;
	struct eventstat events;
	struct aggregates aggregates; /* for what else is to be answered */
	struct results results;
	struct time_slices slices;
	struct error failed;	   /* what stopped the replay, if it was not memory */
	struct recentcount window; /* if it is @windowed */
};

/** Fills @err with what made the work @what stop: memory, unless replay->failed tells. Returns -1.
 */
int replay_fail(const struct replay *replay, const char *what, struct error *err);

/** Tells the symbolizer what is known by now of the kernel. */
void replay_tell_kernel(struct replay *replay);

/** What aggregates may look at by now. */
struct aggregate_view replay_view(const struct replay *replay);

#endif
