/* Measures how a function varies between the runs of two sides. */
#ifndef READPERF_DECODE_COMPARE_JUDGE_BETWEEN_H
#define READPERF_DECODE_COMPARE_JUDGE_BETWEEN_H

#include "decode/compare/judge/mixture.h"
#include "decode/compare/judge/noise.h"
#include "decode/compare/judge/values.h"

#include <stdbool.h>

/**
 * Measures how the function with @runs and @sums varies between the runs of @event's sides, as a
 * factor of its noise within runs, which is @in_run times the plain noise. Does not set the
 * result's kind. If no side has several runs with samples of it, df is 0 and counts is the mean of
 * the sides. With @against_others, a function is compared with all other functions of its run, so
 * that what they have in common cancels out.
 */
struct mixture_seen between_runs(const struct compared_event *event,
				 const struct run_share *const runs[2],
				 const struct side_sum sums[2], const struct noise_factor in_run[2],
				 bool against_others);

#endif
