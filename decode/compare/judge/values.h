/*
 * The values that are compared: what runs counted for an event and its functions, summed over the
 * runs of a side, and the resulting difference.
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

/** The words for them, in their order. */
#define MEASURE_WORDS "period|rate|share"

/** What one run counted for one function; all zero: nothing. */
struct run_share {
	uint64_t samples, period; /* part of the run's totals */
	/* Variance of period / total period (as a fraction, not a percentage), estimated from
	 * slices of time (decode/count/timeslice.h); 0: unknown. */
	double noise;
	double noise_df; /* degrees of freedom of @noise */
};

/** What one run counted for the event. */
struct run_total {
	uint64_t samples, period;
	double seconds; /* length of the run; 0: unknown, which MEASURE_RATE does not allow */
};

/** One run, or several runs of the same program. */
struct side {
	const struct run_total *runs;
	size_t nr_runs; /* at least 1 */
};

/** What all runs of a side counted for the event. */
struct side_total {
	double samples, period;
	double units; /* divisor of the values: value = period / units */
};

/** What all runs of a side counted for one function. */
struct side_sum {
	double samples, period;
};

/** An event; all its functions are compared in the same way. */
struct compared_event {
	enum measure measure;
	struct side sides[2]; /* old, new */
	struct side_total totals[2];
};

enum verdict {
	VERDICT_SAME,	/* no change is shown, and one that matters is unlikely */
	VERDICT_UNSURE, /* no change is shown, but one that matters cannot be excluded */
	VERDICT_MORE,	/* slower, higher or larger, depending on the measure */
	VERDICT_LESS,	/* faster, lower or smaller */
	VERDICT_NEW,	/* as VERDICT_MORE, but the old side has no samples of it */
	VERDICT_GONE,	/* as VERDICT_LESS, but the new side has no samples of it */
};

/** Whether @verdict means that something has changed. */
static inline bool verdict_is_change(enum verdict verdict)
{
	return verdict > VERDICT_UNSURE;
}

/** In units of the measure, except ratio and the members after it. */
struct change {
	/* over all runs of a side; for periods, the mean of the runs */
	double old_value, new_value;
	double delta;		 /* new - old */
	double ci_low, ci_high;	 /* the 95 % interval of @delta */
	double ratio;		 /* new / old; INFINITY if old is 0 */
	double p_value, q_value; /* q_value is adjusted for the number of functions */
	/* With one run a side: the q value if there were only noise within runs; else 1. */
	double within_q;
	enum verdict verdict;
};

/** A function and its verdict. */
struct comparison {
	const struct run_share *old_runs, *new_runs; /* one for each run of the side; borrowed */
	bool kernel;				     /* it is kernel code, which varies more */
	struct change change;			     /* out */
};

/** The divisor of values of @measure in @run: a hundredth of its period, its seconds, or 1. */
double values_units(enum measure measure, const struct run_total *run);

/** Makes the event with two sides, whose runs are borrowed, and its totals. */
struct compared_event values_of_event(enum measure measure, const struct side *old_side,
				      const struct side *new_side);

/** Sums the function's @runs, one for each run of @side. */
struct side_sum values_sum(const struct side *side, const struct run_share *runs);

/** The value of the function with @sum on the side with @total; 0 if @total has no units. */
double values_mean(const struct side_sum *sum, const struct side_total *total);

#endif
