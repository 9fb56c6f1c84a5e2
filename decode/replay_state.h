/*
 * What the files of the replay share: its state, and the steps of one that another calls.
 */
#ifndef READPERF_DECODE_REPLAY_STATE_H
#define READPERF_DECODE_REPLAY_STATE_H

#include "decode/address.h"
#include "decode/addrspace.h"
#include "decode/aggregate.h"
#include "decode/blocks.h"
#include "decode/eventstat.h"
#include "decode/funcstat.h"
#include "decode/jit.h"
#include "decode/known.h"
#include "decode/process.h"
#include "decode/readcount.h"
#include "decode/replay.h"
#include "decode/stack.h"
#include "decode/window.h"

struct replay {
	const struct perffile *file;
	struct replay_settings settings;
	bool filtered, windowed;
	bool looked_at; /* samples are, before they count: for a filter, or for blocks of time */
	struct process_table processes;
	struct addrspaces spaces;
	struct jit jit;
	struct roots roots;
	struct address_table addresses;
	struct stacks stacks;
	struct readcount counters;
	struct symbolizer *symbolizer;
	struct known_symbols known; /* of snapshots */
	bool has_snapshots;
	size_t nr_build_ids; /* that the recording had told when it was opened */
	struct funcstat functions;
	struct eventstat events;
	struct aggregates aggregates; /* for what else is to be answered */
	struct results results;
	struct blocks blocks;
	struct error failed;  /* what stopped the replay, if it was not memory */
	struct window window; /* if it is @windowed */
};

/** Fills @err with what made the work @what stop: memory, unless replay->failed tells. Returns -1.
 */
int replay_fail(const struct replay *replay, const char *what, struct error *err);

/** Tells the symbolizer what is known by now of the kernel. */
void replay_tell_kernel(struct replay *replay);

/** What aggregates may look at by now. */
struct aggregate_view replay_view(const struct replay *replay);

/** Counts the sample @rec. Returns 1, 0 if the filters leave it out, -1 with @err filled. */
int replay_sample(struct replay *replay, const struct record *rec, struct error *err);

/**
 * CALLCHAIN_DEFERRED: the user part of the samples of this thread that wait for this cookie. False
 * if memory is out.
 */
bool replay_deferred(struct replay *replay, const struct record *rec);

/**
 * Before a thread (NULL: none) or a process is forgotten: nothing more can come of its samples. The
 * process_table calls it with the replay for @arg. False if that failed.
 */
bool replay_retire(void *arg, struct process *process, struct thread *thread);

/** What still waits has its call path as far as it is known, until more of it comes. */
bool replay_count_waiting(struct replay *replay);

#endif
