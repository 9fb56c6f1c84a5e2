/*
 * Change or noise: judges what two sides saw of the functions of one event.
 *
 * A side is one run or several of the same program. readperf-diff(1) describes the method in words,
 * docs/diff-method.md in formulas.
 */
#ifndef READPERF_DECODE_COMPARE_JUDGE_VERDICT_H
#define READPERF_DECODE_COMPARE_JUDGE_VERDICT_H

#include "decode/compare/judge/values.h"
#include "util/error.h"

#include <stddef.h>

/** The relative deviation between runs, of 1, that is expected of functions in user space. */
#define DEFAULT_RUN_DEVIATION 0.03

/**
 * A change matters if it is at least 1 % of the whole and a tenth of the function. A function that
 * shows no change, but whose interval includes one that matters, is VERDICT_UNSURE. Of a total 5 %
 * matter.
 */
#define VERDICT_MATTERS_WHOLE	 0.01
#define VERDICT_MATTERS_FUNCTION 0.1
#define VERDICT_MATTERS_TOTAL	 0.05

/**
 * Judges the @nr @functions of one event and fills their changes. All functions of an event belong
 * in one call: each tells something of the noise of the others, and the more there are, the more
 * changes chance finds among them.
 *
 * @run_deviation, of 1, is how much a function in user space is expected to vary from run to run
 * besides the noise within each; in the kernel it is ten times that. With one run a side, nothing
 * else is known of that.
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
