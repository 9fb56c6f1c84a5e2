/*
 * The values that are compared: what runs counted for an event and its functions, summed over the
 * runs of a side, and the difference that is found.
 */
#ifndef READPERF_DECODE_COMPARE_JUDGE_VALUES_H
#define READPERF_DECODE_COMPARE_JUDGE_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is compared; the unit of a change's values. */
enum measure {
	MEASURE_PERIOD, /* period in a run */
	MEASURE_RATE,	/* period per second of the run */
	MEASURE_SHARE,	/* of the event's period, in percent; differences in percentage points */
};

/** What one run saw of one function; all zero: nothing. */
struct run_share {
	uint64_t samples, period; /* of the function, of the run's totals */
	/* Variance of period / total period (a part of 1, not a percentage), as seen between blocks
	 * of time (decode/blocks.h); 0: not known. */
	double noise;
	double noise_df; /* degrees of freedom of @noise */
};

/** What one run saw of the event. */
struct run_total {
	uint64_t samples, period;
	double seconds; /* length of the run; 0: not known, which MEASURE_RATE forbids */
};

/** One run, or several of the same program. */
struct side {
	const struct run_total *runs;
	size_t nr_runs; /* 1 at least */
};

/** What all runs of a side saw of the event. */
struct side_total {
	double samples, period;
	double units; /* what values are per: value = period / units */
};

/** What all runs of a side saw of one function. */
struct side_sum {
	double samples, period;
};

/** An event, whose functions are all compared in the same way. */
struct compared_event {
	enum measure measure;
	struct side sides[2]; /* old, new */
	struct side_total totals[2];
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

/** In units of the measure, except for ratio and what follows it. */
struct change {
	double old_value, new_value; /* over all runs of a side; a period: of the mean run */
	double delta;		     /* new - old */
	double ci_low, ci_high;	     /* the 95 % interval of @delta */
	double ratio;		     /* new / old; INFINITY if old is 0 */
	double p_value, q_value;     /* q: after the adjustment for the number of functions */
	/* One run a side: the q value if runs had only the noise within them; else 1. */
	double within_q;
	enum verdict verdict;
};

/** A function, and its verdict. */
struct comparison {
	const struct run_share *old_runs, *new_runs; /* one for each run of the side; borrowed */
	bool kernel;				     /* code of the kernel, which varies more */
	struct change change;			     /* out */
};

/** How many units a value of @measure is per in @run: percents of its period, its seconds, one run.
 */
double values_units(enum measure measure, const struct run_total *run);

/** The event with two sides, whose runs are borrowed, and their totals. */
struct compared_event values_of_event(enum measure measure, const struct side *old_side,
				      const struct side *new_side);

/** Adds up the function with @runs, one for each run of @side. */
struct side_sum values_sum(const struct side *side, const struct run_share *runs);

/** The value of a function with @sum on the side with @total; 0 if that has no units. */
double values_mean(const struct side_sum *sum, const struct side_total *total);

#endif
