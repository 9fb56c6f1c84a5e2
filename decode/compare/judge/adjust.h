/* Adjustment of many tests: how many of the changes found are found by chance. */
#ifndef READPERF_DECODE_COMPARE_JUDGE_ADJUST_H
#define READPERF_DECODE_COMPARE_JUDGE_ADJUST_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

/** A test and its result. */
struct adjusted {
	double p_value;
	double q_value; /* out */
	bool can_show;	/* the data could have given a p value below 0.05 */
};

/**
 * Sets the q values of the @nr @tests: a test's is the least rate of false discoveries at which it
 * counts as one (Benjamini and Hochberg 1995). Tests that could not have shown anything, whatever
 * had come, are none of the many, and have a q value of 1 (Tarone 1990).
 *
 * Returns 0, or -1 with @err filled if memory is out.
 */
int adjust_tests(struct adjusted *tests, size_t nr, struct error *err);

#endif
