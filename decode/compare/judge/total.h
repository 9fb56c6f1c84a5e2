/* Compares the total of an event on two sides: the change of a run, and whether it is noise. */
#ifndef READPERF_DECODE_COMPARE_JUDGE_TOTAL_H
#define READPERF_DECODE_COMPARE_JUDGE_TOTAL_H

#include "decode/compare/judge/values.h"

#include <stdbool.h>

struct total_change {
	bool per_second;	     /* values are rates, not periods per run */
	double old_value, new_value; /* the mean of a side's runs, or over all its seconds */
	double percent;		     /* the change in percent; INFINITY if the old side has none */
	double low, high;	     /* the 95 % interval of @percent; infinite if unknown */
	double p_value;
	/* With one run a side there is no verdict; this is how far two runs of the same program
	 * differ in 95 of 100 cases, in percent. 0 if there are more runs. */
	double expected;
	enum verdict verdict; /* VERDICT_UNSURE if it cannot be decided */
};

/**
 * Compares the event's periods per run of two sides, or per second if @measure is MEASURE_RATE. For
 * MEASURE_SHARE, whose total is always 100 %, it compares the periods per run.
 *
 * The test is Student's t test of the logarithms of the runs' values, with a common variance for
 * both sides. @run_deviation is as for verdict_judge() and is used only with one run a side.
 */
struct total_change total_compare(enum measure measure, double run_deviation,
				  const struct side *old_side, const struct side *new_side);

#endif
