/* Operations that a processor has sampled itself, in a replay: which of them count, and where. */
#ifndef READPERF_DECODE_REPLAY_COUNTOPERATION_H
#define READPERF_DECODE_REPLAY_COUNTOPERATION_H

#include "decode/trace/tracestate.h"
#include "util/error.h"

struct replay;

/**
 * Decodes the operations of the hardware trace with @sources, and passes those that the filters
 * choose to the answers. Returns 0, or -1 with @err filled.
 */
int count_operations(struct replay *replay, const struct trace_sources *sources, struct error *err);

#endif
