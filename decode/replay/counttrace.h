/* Hardware traces in a replay: what is noted of each record, and what of the trace counts. */
#ifndef READPERF_DECODE_REPLAY_COUNTTRACE_H
#define READPERF_DECODE_REPLAY_COUNTTRACE_H

#include "perffile/record.h"
#include "util/error.h"

struct replay;

/** Prepares for the traces of a recording, if an answer needs them. */
void count_trace_start(struct replay *replay);

/** Takes note of @rec, which was applied. Returns 0, or -1 with @err filled. */
int count_trace(struct replay *replay, const struct record *rec, struct error *err);

/**
 * Decodes the trace, with the symbols of the replay and its filters. Returns 0, or -1 with @err
 * filled.
 */
int count_trace_decode(struct replay *replay, struct error *err);

#endif
