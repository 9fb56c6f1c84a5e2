/*
 * How much of what one function shows is noise within a run.
 *
 * All noise is told as a factor of the plain one, which is that of independent samples: 1 is plain,
 * 4 is twice the standard deviation, as of samples that come in bunches of four.
 */
#ifndef READPERF_DECODE_COMPARE_NOISE_H
#define READPERF_DECODE_COMPARE_NOISE_H

#include "decode/compare/verdict.h"
#include "util/error.h"

#include <stddef.h>

/** An estimate of a factor, and its degrees of freedom; INFINITY: it is known. */
struct factor {
	double value, df;
};

/** What is added up of one function over the runs of one side. */
struct side_sum {
	double samples, period;		/* of the function */
	double all_samples, all_period; /* of all of them */
	double units;			/* what values are per: value = period / units */
	size_t nr_runs;
};

/** Of what a value of @measure is one in @run: percents of the period, seconds, runs. */
double run_units(enum measure measure, const struct run_total *run);

/** The sums of the function with @runs, one for each run of @side. */
struct side_sum side_sum(enum measure measure, const struct side *side,
			 const struct run_share *runs);

/** Variance of a side's value if each run had but the noise within it, @factor times the plain one.
 */
double within_variance(enum measure measure, const struct side_sum *sum, double factor);

/** Sets *@typical to the typical factor of the @nr @functions, 0: not known of any. Returns 0, or
 * -1 with @err filled if memory is out. */
int in_run_typical(double *typical, const struct side sides[2], const struct comparison *functions,
		   size_t nr, struct error *err);

/** The factor of noise in a run, of the function with @runs on @side: its own, drawn towards the
 * @typical one as far as it says little itself. */
struct factor in_run_factor(double typical, const struct side *side, const struct run_share *runs);

#endif
