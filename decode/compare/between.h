/* What a function shows between the runs of two sides. */
#ifndef READPERF_DECODE_COMPARE_BETWEEN_H
#define READPERF_DECODE_COMPARE_BETWEEN_H

#include "decode/compare/mixture.h"
#include "decode/compare/noise.h"
#include "decode/compare/verdict.h"

/**
 * What the function with @runs on the sides shows, whose noise within runs is @in_run times the
 * plain one; its kind is not set. Where no side has several runs with samples of it, it shows
 * nothing of how they differ, and the number of samples that a run is worth is the mean of the
 * sides. With @against_others a run's value is held against all other functions of the run, so that
 * what they have in common does not count.
 */
struct mixture_seen between_runs(enum measure measure, const struct side sides[2],
				 const struct run_share *const runs[2],
				 const struct factor in_run[2], bool against_others);

#endif
