/*
 * Where a sample counts: its thread, its event, its address, its call path.
 */
#ifndef READPERF_DECODE_REPLAY_COUNTSAMPLE_H
#define READPERF_DECODE_REPLAY_COUNTSAMPLE_H

#include "decode/process/process.h"
#include "decode/replay.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>

/** Counts the sample @rec. Returns 1, 0 if the filters leave it out, -1 with @err filled. */
int count_sample(struct replay *replay, const struct record *rec, struct error *err);

/**
 * CALLCHAIN_DEFERRED: the user part of the samples of this thread that wait for this cookie. False
 * if memory is out.
 */
bool count_sample_deferred(struct replay *replay, const struct record *rec);

/**
 * The hook of the process table, with the replay for @arg: nothing more can come of the samples of
 * @thread. False if that failed.
 */
bool count_sample_retire(void *arg, struct process *process, struct thread *thread);

/** The other hook: frees the samples of @thread that still wait. */
void count_sample_release(struct thread *thread);

/** What still waits has its call path as far as it is known, until more of it comes. */
bool count_sample_waiting(struct replay *replay);

#endif
