/*
 * Estimates how much of a function's value is noise within a run.
 *
 * Noise is a factor of the plain noise of independent samples, as a variance: 1 is plain; 4 is
 * twice the standard deviation, as of samples that come in groups of four.
 */
#ifndef READPERF_DECODE_COMPARE_JUDGE_NOISE_H
#define READPERF_DECODE_COMPARE_JUDGE_NOISE_H

#include "decode/compare/judge/values.h"
#include "util/error.h"

#include <stddef.h>

/** An estimate of a factor, and its degrees of freedom, INFINITY if it is known exactly. */
struct noise_factor {
	double value, df;
};

/**
 * The variance of the value of the function with @sum on the side with @total, with only the noise
 * within runs: @factor times the plain variance.
 */
double noise_variance(enum measure measure, const struct side_sum *sum,
		      const struct side_total *total, double factor);

/**
 * Sets *@typical to the typical factor of the @nr @functions; 0: unknown. Returns 0, or -1 with
 * @err filled if memory is out.
 */
int noise_typical(double *typical, const struct side sides[2], const struct comparison *functions,
		  size_t nr, struct error *err);

/**
 * The factor of noise within the runs of @side for the function with @runs: the mean of its own
 * factor and the @typical one, weighted by their degrees of freedom.
 */
struct noise_factor noise_in_run(double typical, const struct side *side,
				 const struct run_share *runs);

#endif
