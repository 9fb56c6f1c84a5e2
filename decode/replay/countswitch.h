/* Records that tell when threads run and wait: what they count. */
#ifndef READPERF_DECODE_REPLAY_COUNTSWITCH_H
#define READPERF_DECODE_REPLAY_COUNTSWITCH_H

#include "perffile/record.h"

#include <stdbool.h>
#include <stdint.h>

struct replay;
struct switch_replay;

/**
 * Counts @rec, which was applied and, if it is a sample, counted. @chosen: it passes the filters;
 * @path: the call path of a sample, in the table paths.now, or WAIT_NO_PATH. Returns false if
 * memory is out.
 */
bool count_switch(struct replay *replay, const struct record *rec, bool chosen, uint32_t path);

void count_switch_free(struct switch_replay *switched);

#endif
