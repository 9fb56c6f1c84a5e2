/* Counts samples: for the thread, the event, the address and the call path. */
#ifndef READPERF_DECODE_REPLAY_COUNTSAMPLE_H
#define READPERF_DECODE_REPLAY_COUNTSAMPLE_H

#include "decode/process/process.h"
#include "decode/replay.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

/** Counts the sample @rec. Returns 1, 0 if the filters leave it out, -1 with @err filled. */
int count_sample(struct replay *replay, const struct record *rec, struct error *err);

/**
 * Applies a CALLCHAIN_DEFERRED: adds the user part to the samples of its thread that wait for its
 * cookie, and counts them. Returns false if memory is out.
 */
bool count_sample_deferred(struct replay *replay, const struct record *rec);

/**
 * Retire hook of the process table; @arg is the replay. Counts the waiting samples of @thread with
 * the chains that they have, and calls the aggregates' hooks. Returns false on error.
 */
bool count_sample_retire(void *arg, struct process *process, struct thread *thread);

/** Release hook of the process table: frees the waiting samples of @thread. */
void count_sample_release(struct thread *thread);

/**
 * For the address table, @arg is the replay: counts a sample of @period at the address for the
 * tuple of keys. Returns false on error, with replay->failed filled.
 */
bool count_sample_split(void *arg, uint32_t address, uint32_t tuple, uint64_t period);

/**
 * Counts all waiting samples temporarily, with the chains that they have so far; replaces the
 * counts of the previous call. Returns false if memory is out.
 */
bool count_sample_waiting(struct replay *replay);

#endif
