/*
 * Topdown level 1 on cores before Ice Lake, by the events of the kernel that perf stat --topdown
 * counts: topdown-total-slots, -slots-issued, -slots-retired, -fetch-bubbles, -recovery-bubbles.
 *
 * The kernel gives some of them a scale, which says how many slots an event is: with hyperthreads
 * half as many, since both threads count. perf writes it into an EVENT_UPDATE record.
 */
#ifndef READPERF_DECODE_ANSWER_TOPDOWN_H
#define READPERF_DECODE_ANSWER_TOPDOWN_H

#include "decode/answer/counterset.h"
#include "decode/answer/metricevents.h"
#include "decode/answer/metricrows.h"
#include "util/intern.h"

#include <stdbool.h>

/**
 * Adds the rows of the shares of each topdown-total-slots: of the whole run if @set has counts,
 * else of each function of @rows. Made texts go to @strings. Returns false if memory is out.
 */
bool topdown_add_rows(struct metric_rows *rows, const struct metric_events *events,
		      const struct counterset *set, struct intern *strings);

#endif
