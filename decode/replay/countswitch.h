/* Records that tell when threads run and wait: what they count. */
#ifndef READPERF_DECODE_REPLAY_COUNTSWITCH_H
#define READPERF_DECODE_REPLAY_COUNTSWITCH_H

#include "decode/process/schedevent.h"
#include "decode/process/switches.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stdint.h>

struct replay;

/** What a replay knows of switches. */
struct switch_replay {
	bool wanted;  /* some answer needs them; else nothing is counted */
	bool traced;  /* a sample of sched_switch was seen: SWITCH records may repeat it */
	bool foreign; /* its tids are not those of the records, but of another namespace */
	bool waits;   /* a record told of waits */
	struct schedevents events;
	struct switches switches;
};

/**
 * Counts @rec, which was applied and, if it is a sample, counted. @chosen: it passes the filters;
 * @path: the call path of a sample, in the table paths.now, or WAIT_NO_PATH. Returns false if
 * memory is out.
 */
bool count_switch(struct replay *replay, const struct record *rec, bool chosen, uint32_t path);

void count_switch_free(struct switch_replay *switched);

#endif
