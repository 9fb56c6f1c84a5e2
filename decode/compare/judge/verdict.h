/*
 * Change or noise: what two sides saw of the functions of one event, judged.
 *
 * A side is one run or several of the same program. readperf-diff(1) says in words how it is done,
 * docs/diff-method.md in formulas.
 */
#ifndef READPERF_DECODE_COMPARE_JUDGE_VERDICT_H
#define READPERF_DECODE_COMPARE_JUDGE_VERDICT_H

#include "decode/compare/judge/values.h"
#include "util/error.h"

#include <stddef.h>

/** The relative deviation between runs that is expected of functions in user space, of 1. */
#define DEFAULT_RUN_DEVIATION 0.03

/**
 * A change matters from 1 % of the whole and a tenth of the function on: a function whose interval
 * has such a change in it, though none is shown, is VERDICT_UNSURE. Of a total 5 % matter.
 */
#define VERDICT_MATTERS_WHOLE	 0.01
#define VERDICT_MATTERS_FUNCTION 0.1
#define VERDICT_MATTERS_TOTAL	 0.05

/**
 * Judges the @nr @functions of one event: fills the change of each. The functions are judged
 * together, as each tells of the noise of the others and as the more there are, the more chance
 * finds among them; so all of an event belong in one call.
 *
 * @run_deviation, of 1, is how much the value of a function in user space is expected to deviate
 * from run to run beside the noise within each, ten times as much in the kernel. Where there is but
 * one run a side it is all that is known of that.
 *
 * Returns 0, or -1 with @err filled if memory is out.
 */
int verdict_judge(enum measure measure, double run_deviation, const struct side *old_side,
		  const struct side *new_side, struct comparison *functions, size_t nr,
		  struct error *err);

/** "same", "unsure", "new", "gone"; "slower" and "faster" of periods, "higher" and "lower" of
 * rates, "larger" and "smaller" of shares. */
const char *verdict_name(enum verdict verdict, enum measure measure);

#endif
