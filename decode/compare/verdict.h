/*
 * Change or noise: what two sides saw of the functions of one event, judged.
 *
 * A side is one run or several of the same program. readperf-diff(1) says in words how it is done,
 * docs/diff-method.md in formulas.
 */
#ifndef READPERF_DECODE_COMPARE_VERDICT_H
#define READPERF_DECODE_COMPARE_VERDICT_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is compared; the unit of a change's values. */
enum measure {
	MEASURE_PERIOD, /* period in a run */
	MEASURE_RATE,	/* period per second of the run */
	MEASURE_SHARE,	/* of the event's period, in percent; differences in percentage points */
};

/** The relative deviation between runs that is expected of functions in user space, of 1. */
#define DEFAULT_RUN_DEVIATION 0.03

/**
 * A change matters from 1 % of the whole and a tenth of the function on: a function whose interval
 * has such a change in it, though none is shown, is VERDICT_UNSURE. Of a total 5 % matter.
 */
#define VERDICT_MATTERS_WHOLE	 0.01
#define VERDICT_MATTERS_FUNCTION 0.1
#define VERDICT_MATTERS_TOTAL	 0.05

/** What one run saw of one function; all zero: nothing. */
struct run_share {
	uint64_t samples, period; /* of the function, of the run's totals */
	/* Variance of period / total period as seen between blocks of time (decode/blocks.h); 0:
	 * not known. It is a variance of a part of 1, not of a percentage. */
	double noise;
	double noise_df; /* degrees of freedom of @noise */
};

/** What one run saw of the event. */
struct run_total {
	uint64_t samples, period;
	double seconds; /* how long the run was; 0: not known, which MEASURE_RATE does not take */
};

struct side {
	const struct run_total *runs;
	size_t nr_runs; /* 1 at least */
};

enum verdict {
	VERDICT_SAME,	/* no change that the data can show, and none that matters is likely */
	VERDICT_UNSURE, /* none is shown, but one that matters cannot be excluded */
	VERDICT_MORE,	/* slower, higher, larger: as the measure has it */
	VERDICT_LESS,	/* faster, lower, smaller */
	VERDICT_NEW,	/* as VERDICT_MORE, but the old side has no sample of it */
	VERDICT_GONE,	/* as VERDICT_LESS, but the new side has none */
};

/** Whether a verdict says that something has changed. */
static inline bool verdict_is_change(enum verdict verdict)
{
	return verdict > VERDICT_UNSURE;
}

/** In the units of the measure, but for ratio, p_value and what follows. */
struct change {
	double old_value, new_value; /* of all runs of a side together; a period: of the mean run */
	double delta;		     /* new - old */
	double ci_low, ci_high;	     /* the 95 % interval of @delta */
	double ratio;		     /* new / old; INFINITY if old is 0 */
	double p_value, q_value;     /* q: after the adjustment for the number of functions */
	/* One run a side: the q value if runs did not differ but for the noise within them; else 1.
	 */
	double within_q;
	enum verdict verdict;
};

/** A function, and what is thought of it. */
struct comparison {
	const struct run_share *old_runs, *new_runs; /* one for each run of the side; borrowed */
	bool kernel;				     /* code of the kernel, which differs more */
	struct change change;			     /* out */
};

/**
 * Judges the @nr @functions of one event: fills the change of each. The functions are judged
 * together, as each tells of the noise of the others and as the more there are, the more chance
 * finds among them; so all of an event belong in one call.
 *
 * @run_deviation, of 1, is how much the value of a function in user space is expected to deviate
 * from run to run beside the noise within each, ten times as much in the kernel. Where there is but
 * one run a side it is all that is known of that.
 *
 * Returns 0, or -1 with @err filled if memory is out.
 */
int compare_functions(enum measure measure, double run_deviation, const struct side *old_side,
		      const struct side *new_side, struct comparison *functions, size_t nr,
		      struct error *err);

/** "same", "unsure", "new", "gone"; "slower" and "faster" of periods, "higher" and "lower" of
 * rates, "larger" and "smaller" of shares. */
const char *verdict_name(enum verdict verdict, enum measure measure);

#endif
