/* A finished comparison: what changed, and what is known beside it. */
#ifndef READPERF_DECODE_COMPARE_CHANGES_H
#define READPERF_DECODE_COMPARE_CHANGES_H

#include "decode/compare/judge/total.h"
#include "decode/compare/judge/values.h"
#include "decode/compare/match/matched.h"
#include "decode/compare/remarks/remarklist.h"
#include "decode/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A function with samples on a side; of an event that both sides have. */
struct diff_row {
	const char *event, *function, *filename, *binary;
	uint32_t line;			 /* in the source file; 0: not known */
	bool kernel;			 /* its code is the kernel's */
	enum measure measure;		 /* what is compared */
	bool is_time;			 /* the event's periods are ns */
	struct tally old_sum, new_sum;	 /* of all runs of a side; children if these are compared */
	double old_percent, new_percent; /* what that is of the side's period, 0 to 100 */
	/* What is compared, in the unit of the measure; the difference, and its 95 % interval. */
	double old_value, new_value, delta, low, high;
	/* The same difference and interval: percentage points if shares are compared, else
	 * percents of the old side's whole period or rate. */
	double delta_percent, ci_low, ci_high;
	double ratio; /* new / old in what is compared; INFINITY if old is 0 */
	double p_value, q_value;
	double within_q; /* as struct change has it */
	enum verdict verdict;
	const struct matched_function *matched;
	const struct run_share *shares; /* of each run */
	const struct run_total *totals; /* the event's, of each run */
};

/** An event that both sides have, and where its rows are. */
struct diff_event {
	const char *name;
	const struct diff_row *rows;
	size_t nr_rows;
	size_t nr_changed;	    /* those of them that have changed */
	size_t nr_unsure;	    /* those of them that are VERDICT_UNSURE */
	size_t nr_within;	    /* those that have not, but would if runs did not differ */
	double unsure[2];	    /* sums of their values: old, new */
	double same[2];		    /* the same of those that are VERDICT_SAME */
	struct tally total[2];	    /* of all runs of a side */
	bool is_time;		    /* its periods are ns */
	struct total_change change; /* of the whole */
};

struct diff {
	enum measure measure;
	bool measure_was_open;
	bool children;	       /* compared with what they called: values overlap */
	double run_deviation;  /* that was expected */
	struct diff_row *rows; /* by event, the largest changes first, then by name */
	size_t nr_rows;
	struct diff_event *events;
	size_t nr_events;
	const struct profile *runs; /* borrowed: those of the old side first */
	size_t nr_runs, nr_old;
	struct remarks remarks;
	struct match match;
};

#endif
