/*
 * When a step is told that moves the clock of an Intel PT trace: the clock of a packet of several
 * branches is that of the last of them, of which a decoder sees the first.
 */
#ifndef READPERF_DECODE_TRACE_PTLATE_H
#define READPERF_DECODE_TRACE_PTLATE_H

#include "decode/trace/ptclock.h"
#include "decode/trace/ptstep.h"
#include "decode/trace/ptquiet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptlate {
	const uint8_t *bytes; /* of the piece; borrowed */
	bool has_cycles;      /* they are to be counted */
	bool reads_ahead;     /* the decoder does: enum ptclock_ahead */
	bool has_next;
	unsigned branches; /* that come before: */
	struct ptstep late;
	struct ptstep next; /* the step behind one that was given, if it @has_next */
	struct ptclock clock;
};

/**
 * Whether a step is to be told now: *@step, or before it one that is late, which it becomes then.
 * @offset: the decoder has read the piece up to there.
 */
bool ptlate_put(struct ptlate *late, struct ptstep *step, size_t offset);

/** Whether late->late, if there is one, is due behind @block. */
static inline bool ptlate_ends(struct ptlate *late, const struct ptblock *block)
{
	return late->branches && ptquiet_is_told(block->flow) && --late->branches == 0;
}

/** Sets *@step to the step behind the one that was given. Returns false if there is none. */
bool ptlate_take_next(struct ptlate *late, struct ptstep *step);

#endif
