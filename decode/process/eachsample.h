/* Whether samples tell of every occurrence of their event. */
#ifndef READPERF_DECODE_PROCESS_EACHSAMPLE_H
#define READPERF_DECODE_PROCESS_EACHSAMPLE_H

#include "perffile/format.h"
#include "perffile/record.h"

#include <stdbool.h>

/**
 * Whether the sample @rec is of one occurrence, and each other one has a sample of its own. With a
 * fixed period the kernel samples each, with the period 1, if samples have their period; perf wants
 * that (perf_swevent_event() in kernel/events/core.c, since 3.3). With a frequency it skips some.
 */
static inline bool eachsample_is(const struct record *rec)
{
	return !(rec->event->attr.flags & ATTR_FREQ) && rec->sample.period == 1;
}

#endif
