/*
 * How much of what one function shows is noise.
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

/** What all functions of an event together say of noise. */
struct typical_noise {
	double in_run;	/* factor of the noise between blocks of time; 0: not known of any function
			 */
	double spread;	/* square of the relative deviation between runs that comes on top */
	double runs_df; /* degrees of freedom of what was seen between runs; 0: one run a side */
};

/** What is added up of one function over the runs of one side. */
struct side_sum {
	double samples, period;		/* of the function */
	double all_samples, all_period; /* of all of them */
	double units;			/* what values are per: value = period / units */
	size_t nr_runs;
};

/** The sums of the function with @runs, one for each run of @side. */
struct side_sum side_sum(enum measure measure, const struct side *side,
			 const struct run_share *runs);

/** What the @nr @functions say together. Returns 0, or -1 with @err filled if memory is out. */
int typical_noise(struct typical_noise *typical, enum measure measure, const struct side sides[2],
		  const struct comparison *functions, size_t nr, struct error *err);

/** The factor of noise in a run, of the function with @runs on @side: its own, drawn towards the
 * typical one as far as it says little itself. */
struct factor in_run_factor(const struct typical_noise *typical, const struct side *side,
			    const struct run_share *runs);

/** The factor by which noise between runs is more than that in each, drawn likewise; with one run a
 * side it is assumed. @in_run: the factors of both sides. */
struct factor between_factor(const struct typical_noise *typical, enum measure measure,
			     const struct side sides[2], const struct run_share *const runs[2],
			     const struct factor in_run[2]);

#endif
