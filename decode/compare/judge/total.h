/* The whole of an event on two sides: how much more or less a run takes, and whether that is noise.
 */
#ifndef READPERF_DECODE_COMPARE_JUDGE_TOTAL_H
#define READPERF_DECODE_COMPARE_JUDGE_TOTAL_H

#include "decode/compare/judge/values.h"

#include <stdbool.h>

struct total_change {
	bool per_second;	     /* values are rates, not periods per run */
	double old_value, new_value; /* the mean of a side's runs, or of all its seconds */
	double percent;		     /* the change; INFINITY if the old side has nothing */
	double low, high; /* the 95 % interval of @percent; infinite if it is not known */
	double p_value;
	/* With one run a side nothing can be told; this is how far two runs of one program differ
	 * in 95 of 100 cases, in percent. 0 if there are more runs. */
	double expected;
	enum verdict verdict; /* VERDICT_UNSURE if it cannot be told */
};

/**
 * Compares the event's periods per run of two sides, or per second if @measure is MEASURE_RATE. For
 * shares, whose whole cannot change, it compares the periods per run.
 *
 * The test is Student's t test of the logarithms of the runs' values, with one variance for both
 * sides. @run_deviation, as in verdict_judge(), matters for one run a side.
 */
struct total_change total_compare(enum measure measure, double run_deviation,
				  const struct side *old_side, const struct side *new_side);

#endif
