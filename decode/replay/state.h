/* The state of a replay, which all its steps share. */
#ifndef READPERF_DECODE_REPLAY_STATE_H
#define READPERF_DECODE_REPLAY_STATE_H

#include "decode/answer/aggregate.h"
#include "decode/answer/counterset.h"
#include "decode/answer/eventstat.h"
#include "decode/answer/funcstat.h"
#include "decode/answer/traceprofile.h"
#include "decode/count/address.h"
#include "decode/count/readcount.h"
#include "decode/count/timeslice.h"
#include "decode/count/recentcount.h"
#include "decode/count/samplelog.h"
#include "decode/process/addrspace.h"
#include "decode/process/dsoset.h"
#include "decode/process/jitcode.h"
#include "decode/process/process.h"
#include "decode/process/schedevent.h"
#include "decode/process/switches.h"
#include "decode/replay.h"
#include "decode/replay/gapsamples.h"
#include "decode/replay/samplesplit.h"
#include "decode/replay/symbolcache.h"
#include "decode/trace/hardwaretrace.h"
#include "decode/trace/cstrace.h"
#include "decode/trace/spetrace.h"
#include "decode/stack/stack.h"

/** What a replay knows of switches. */
struct switch_replay {
	bool wanted;	  /* some answer needs them; else nothing is counted */
	bool traced;	  /* a sample of sched_switch was seen: SWITCH records may repeat it */
	bool foreign;	  /* its tids are not those of the records, but of another namespace */
	bool waits;	  /* a record told of waits */
	uint64_t nr_some; /* samples of scheduler events that skip some occurrences */
	struct schedevents events;
	struct switches switches;
};

struct crew;

struct replay {
	const struct perffile *file;
	struct replay_settings settings;
	bool filtered, windowed;
	/* samples are examined before counting, for a filter or for slices of time */
	bool looked_at;
	bool split;	     /* samples are counted for keys, too: --per */
	bool numbered;	     /* the number of each sample's address is needed */
	bool kernel_sampled; /* a sample in the kernel has been seen */
	struct dso_set met;  /* dsos with samples */
	struct process_table processes;
	struct build_ids_present present; /* for the spaces */
	struct addrspaces spaces;
	struct jit_code jit;
	struct roots roots;
	struct address_table addresses;
	size_t nr_told; /* addresses that the symbolizer was told of */
	struct stacks stacks;
	struct readcount counters;
	struct counterset stat_counters; /* of perf stat record */
	struct symbolizer *symbolizer;
	struct symbol_cache known; /* symbols of the last snapshot */
	bool has_snapshots;
	size_t nr_build_ids; /* build ids in the recording when it was opened */
	struct funcstat functions;
	struct eventstat events;
	struct aggregates aggregates; /* for the other answers */
	struct results results;
	struct time_slices slices;
	struct error failed; /* the error that stopped the replay, if it was not lack of memory */
	struct recentcount window;  /* used if @windowed */
	struct samplesplit by_keys; /* used if @split */
	struct where_tests where;
	struct sample_log log;
	struct switch_replay switched;
	struct hardware_trace tracing; /* noted if an answer needs it */
	struct traceprofile traced;    /* what was decoded of it */
	struct spetrace spe;	       /* the same, of Arm SPE */
	struct operation_outcome operations;
	struct cstrace cs;	 /* the same as @spe, of CoreSight */
	struct offcpu_gaps gaps; /* of @switched, for the results */
	uint32_t path;	   /* of the sample that was counted last, in stacks.paths.now; or none */
	struct crew *crew; /* counts samples; NULL: the replay alone does */
	struct gap_samples gap;
	struct deferred *held; /* the record is a sample that waits for its chain; or NULL */
};

/**
 * Fills @err with replay->failed, or if that is empty, with lack of memory for the work @what.
 * Returns -1.
 */
int replay_fail(const struct replay *replay, const char *what, struct error *err);

/** Takes note that a sample is in @dso, the first one there: its symbols will be needed. */
void replay_meet(struct replay *replay, const struct dso *dso);

/** Adds up what the crew has counted, if there is one. @helpers: as for address_take_others().
 * Returns false on error: replay_fail(). */
bool replay_settle(struct replay *replay, struct helpers *helpers);

/**
 * Tells the symbolizer of binaries that the crew has met. Call it before samples are left to it.
 * Returns false if the crew has failed: replay_fail().
 */
bool replay_heed_crew(struct replay *replay);

/** Waits until the crew does not use replay->stacks. Call it before samples are counted there.
 * Returns false on error: replay_fail(). */
bool replay_claim_stacks(struct replay *replay);

/**
 * Call this before a sample is counted, whose @time in ns is known if it is @timed: ends a slice of
 * time that is over. Returns false on error: replay_fail().
 */
bool replay_count_slice(struct replay *replay, bool timed, uint64_t time);

/** Counts the samples in replay->gap. Returns false on error: replay_fail(). */
bool replay_end_gap(struct replay *replay);

/** Tells the symbolizer which addresses are new. */
static inline void replay_tell_places(struct replay *replay)
{
	for (; replay->nr_told < address_count(&replay->addresses); replay->nr_told++) {
		const struct address *address = &replay->addresses.addresses[replay->nr_told];

		symbolizer_expect_place(replay->symbolizer, address->dso, address->place);
	}
}

/** Passes the current data on the kernel to the symbolizer. */
void replay_tell_kernel(struct replay *replay);

/** The current view for aggregates, without places. */
struct aggregate_view replay_view(const struct replay *replay);

#endif
