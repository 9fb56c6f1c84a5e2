/* What a function shows between the runs of two sides. */
#ifndef READPERF_DECODE_COMPARE_JUDGE_BETWEEN_H
#define READPERF_DECODE_COMPARE_JUDGE_BETWEEN_H

#include "decode/compare/judge/mixture.h"
#include "decode/compare/judge/noise.h"
#include "decode/compare/judge/values.h"

#include <stdbool.h>

/**
 * What the function with @runs and @sums on the sides of @event shows, whose noise within runs is
 * @in_run times the plain one; its kind is not set. Where no side has several runs with samples of
 * it, it shows nothing of how they differ, and the number of samples that a run is worth is the
 * mean of the sides. With @against_others a run's value is held against all other functions of the
 * run, so that what they have in common does not count.
 */
struct mixture_seen between_runs(const struct compared_event *event,
				 const struct run_share *const runs[2],
				 const struct side_sum sums[2], const struct noise_factor in_run[2],
				 bool against_others);

#endif
