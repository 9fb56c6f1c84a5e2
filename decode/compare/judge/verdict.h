/*
 * Judges the functions of one event on two sides: change or noise.
 *
 * A side is one run or several of the same program. readperf-diff(1) describes the method in words,
 * docs/diff-method.md in formulas.
 */
#ifndef READPERF_DECODE_COMPARE_JUDGE_VERDICT_H
#define READPERF_DECODE_COMPARE_JUDGE_VERDICT_H

#include "decode/compare/judge/values.h"
#include "util/error.h"

#include <stddef.h>

/** The relative deviation between runs (0.03 is 3 %) that is expected of user space functions. */
#define DEFAULT_RUN_DEVIATION 0.03

/**
 * A change matters if it is at least 1 % of the total and a tenth of the function. A function that
 * shows no change, but whose interval includes one that matters, is VERDICT_UNSURE. A change of a
 * total matters from 5 % on.
 */
#define VERDICT_MATTERS_WHOLE	 0.01
#define VERDICT_MATTERS_FUNCTION 0.1
#define VERDICT_MATTERS_TOTAL	 0.05

/**
 * Judges the @nr @functions of one event and sets their changes. Pass all functions of an event in
 * one call: each adds to the estimate of the noise of the others, and the q values depend on the
 * number of functions.
 *
 * @run_deviation (0.03 is 3 %) is how much a user space function is expected to vary from run to
 * run besides the noise within each; for the kernel it is ten times that. With one run a side it is
 * the only estimate of that variation.
 *
 * Returns 0, or -1 with @err filled if memory is out.
 */
int verdict_judge(enum measure measure, double run_deviation, const struct side *old_side,
		  const struct side *new_side, struct comparison *functions, size_t nr,
		  struct error *err);

/**
 * The word for @verdict: "same", "unsure", "new", "gone"; for periods "slower" and "faster", for
 * rates "higher" and "lower", for shares "larger" and "smaller".
 */
const char *verdict_name(enum verdict verdict, enum measure measure);

#endif
