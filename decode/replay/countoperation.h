/* Operations that a processor has sampled itself, in a replay: which of them count, and where. */
#ifndef READPERF_DECODE_REPLAY_COUNTOPERATION_H
#define READPERF_DECODE_REPLAY_COUNTOPERATION_H

#include "util/error.h"

struct replay;

/**
 * Decodes the operations of the hardware trace, and passes those that the filters choose to the
 * answers. Returns 0, or -1 with @err filled.
 */
int count_operations(struct replay *replay, struct error *err);

#endif
