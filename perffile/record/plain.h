/*
 * Samples in bulk: those that have only fields of one word and perhaps a call chain, as most do,
 * without a record for each.
 */
#ifndef READPERF_PERFFILE_RECORD_PLAIN_H
#define READPERF_PERFFILE_RECORD_PLAIN_H

#include "perffile/record.h"
#include "perffile/record/events.h"
#include "perffile/record/raw.h"

#include <stdbool.h>
#include <stdint.h>

/** Where plain samples are put, and which of them. */
struct plain_taker {
	struct event_finder *finder;
	bool swap;	 /* the bytes are in the other byte order */
	bool past_cache; /* samples are for another thread, see util/pastcache.h; not if @swap */
	struct plain_sample *samples;
	size_t nr, room;
	/* If not NULL, samples are packed into it, and @nr and @room are of @runs. Not if @swap,
	 * nor with call chains. */
	struct packed_sample *packed;
	size_t nr_packed, packed_room;
	struct packed_run *runs;
	size_t seen_packed, seen_runs; /* for plain_packs_well() */
	unsigned nr_skips;	       /* so many turns without packing are left */
	/* Of samples (or runs) from number @from on: as in struct plain_samples. */
	size_t from;
	uint64_t first, last, gap_end;
};

/**
 * Takes the plain samples that @stretch, which is sorted, begins with, and adds them to those of
 * @taker as long as there is room. It ends before any other record, before one that is damaged or
 * cut, and before one that is late; it takes none if there are some of another gap from taker->from
 * on. Returns whether one of them has a call chain, whose words stay in the bytes of @stretch. With
 * past_cache, call pastcache_end() before another thread is told of them.
 */
bool plain_take(struct raw_stretch *stretch, struct plain_taker *taker);

/**
 * Whether samples should be packed in the next turn, a batch or a call: not for a while if runs
 * were short, as on a machine with many CPUs and threads.
 */
bool plain_packs_well(struct plain_taker *taker);

/** Takes note of @nr_runs with @nr_packed samples, which a turn with packing had. */
void plain_note_runs(struct plain_taker *taker, size_t nr_packed, size_t nr_runs);

/** The records of @run, of no block and no gap. */
struct raw_stretch plain_records(const struct packed_run *run);

#endif
