/* Adjusts p values for the number of tests: among many functions, some seem to change by chance. */
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
 * Sets the q values of the @nr @tests. A q value is the lowest false discovery rate at which the
 * test counts as a discovery (Benjamini and Hochberg 1995). Tests that no data could have made
 * significant are not included in the number of tests and get a q value of 1 (Tarone 1990).
 *
 * Returns 0, or -1 with @err filled if memory is out.
 */
int adjust_tests(struct adjusted *tests, size_t nr, struct error *err);

#endif
