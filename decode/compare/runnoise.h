/*
 * How much more runs differ than the noise within each tells.
 *
 * The variance between runs of a function is told as a factor of that which the noise within runs
 * makes; see decode/compare/noise.h. A relative deviation s of the function's value from run to run
 * makes the factor 1 + s^2 n, n being the number of independent samples that a run is worth.
 */
#ifndef READPERF_DECODE_COMPARE_RUNNOISE_H
#define READPERF_DECODE_COMPARE_RUNNOISE_H

#include "decode/compare/noise.h"
#include "decode/compare/verdict.h"

#include <stdbool.h>
#include <stddef.h>

/** What all functions of an event together say of how runs differ. */
struct run_noise {
	bool seen;	  /* there are several runs on a side; if not, @deviation is assumed */
	double deviation; /* the typical one, of 1 */
	double df;	  /* of the typical factor: the more, the more functions are alike */
};

/**
 * Estimates how runs differ from the @nr @functions, whose noise within runs is typically
 * @typical times the plain one. @expected is the deviation that is expected before anything is
 * seen.
 */
void run_noise_make(struct run_noise *noise, double expected, enum measure measure,
		    const struct side sides[2], const struct comparison *functions, size_t nr,
		    double typical);

/**
 * The factor of the function with @runs on the sides, whose factors of noise within runs are
 * @in_run, with @in_run_df degrees of freedom for its difference. The degrees of freedom of the
 * result are those of the noise as a whole.
 */
struct factor run_noise_factor(const struct run_noise *noise, enum measure measure,
			       const struct side sides[2], const struct run_share *const runs[2],
			       const struct factor in_run[2], double in_run_df);

#endif
