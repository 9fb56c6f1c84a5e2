/*
 * How much of what one function shows is noise within a run.
 *
 * All noise is told as a factor of the plain one, which is that of independent samples: 1 is plain,
 * 4 is twice the standard deviation, as of samples that come in bunches of four.
 */
#ifndef READPERF_DECODE_COMPARE_JUDGE_NOISE_H
#define READPERF_DECODE_COMPARE_JUDGE_NOISE_H

#include "decode/compare/judge/values.h"
#include "util/error.h"

#include <stddef.h>

/** An estimate of a factor, and its degrees of freedom; INFINITY: it is known. */
struct noise_factor {
	double value, df;
};

/**
 * Variance of the value of the function with @sum if each run of the side with @total had but the
 * noise within it, @factor times the plain one.
 */
double noise_variance(enum measure measure, const struct side_sum *sum,
		      const struct side_total *total, double factor);

/** Sets *@typical to the typical factor of the @nr @functions; 0: none is known. Returns 0, or -1
 * with @err filled if memory is out. */
int noise_typical(double *typical, const struct side sides[2], const struct comparison *functions,
		  size_t nr, struct error *err);

/** The factor of noise within the runs of @side, for the function with @runs: its own, drawn
 * towards the @typical one as far as it says little itself. */
struct noise_factor noise_in_run(double typical, const struct side *side,
				 const struct run_share *runs);

#endif
