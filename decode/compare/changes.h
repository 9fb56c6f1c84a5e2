/* The result of a comparison: what changed, and remarks. */
#ifndef READPERF_DECODE_COMPARE_CHANGES_H
#define READPERF_DECODE_COMPARE_CHANGES_H

#include "decode/compare/judge/total.h"
#include "decode/compare/judge/values.h"
#include "decode/compare/match/matched.h"
#include "decode/compare/remarks/remarklist.h"
#include "decode/results/functionrows.h"
#include "decode/results/pathrows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A function that has samples on at least one side, under an event that both sides have. */
struct diff_row {
	const char *event, *function, *filename, *binary;
	uint32_t line;	      /* line in the source file; 0: unknown */
	bool kernel;	      /* it is kernel code */
	enum measure measure; /* what is compared */
	bool is_time;	      /* the event's periods are ns */
	/* sums over all runs of a side; of children if children are compared */
	struct tally old_sum, new_sum;
	double old_percent, new_percent; /* these sums in percent of the side's period, 0 to 100 */
	/* The compared values, in the unit of the measure; their difference and its 95 % interval.
	 */
	double old_value, new_value, delta, low, high;
	/* The same difference and interval in percentage points if shares are compared, else in
	 * percent of the old side's whole period or rate. */
	double delta_percent, ci_low, ci_high;
	double ratio; /* new / old of the values; INFINITY if old is 0 */
	double p_value, q_value;
	double within_q; /* as in struct change */
	enum verdict verdict;
	const struct matched_function *matched;
	const struct run_share *shares; /* one for each run */
	const struct run_total *totals; /* totals of the event, one for each run */
};

/** What the old and the new side counted on a path itself. */
struct path_sides {
	struct tally self[2];
};

/** The call paths of an event; those of both sides through the same functions are one. */
struct diff_paths {
	/* callers before callees, the larger ones first; self and total are of both sides together
	 */
	const struct path_stat *rows;
	const struct path_sides *sides; /* one for each row */
	size_t nr;
	/* What the paths are of: a function for each of the event's rows, in their order, then
	 * those that have no row, as they only call others. They have names and places, no sums;
	 * @reason is the name of those without a name. */
	const struct function_stat *functions;
	size_t nr_functions;
};

/** A ratio of two events in a function, on both sides. */
struct diff_ratio {
	const char *metric, *unit;
	const struct diff_row *above, *below; /* the function's rows of both events */
	uint64_t old_samples, new_samples;    /* of the rarer event of the side */
	bool has_old, has_new;		      /* there are enough samples for the values */
	double old_value, new_value;
	/* If there are both: new / old, and its 95 % interval. */
	double change, low, high;
	double p_value, q_value; /* 1 unless there are both */
	enum verdict verdict;
};

/** An event that both sides have, and its rows. */
struct diff_event {
	const char *name;
	const struct diff_row *rows;
	size_t nr_rows;
	size_t nr_changed; /* rows that changed */
	size_t nr_unsure;  /* rows that are VERDICT_UNSURE */
	/* rows that did not change, but would have if there were no variation between runs */
	size_t nr_within;
	double unsure[2];	    /* sums of the values of VERDICT_UNSURE rows: old, new */
	double same[2];		    /* the same for VERDICT_SAME rows */
	struct tally total[2];	    /* sums over all runs of a side */
	bool is_time;		    /* its periods are ns */
	struct total_change change; /* change of the event's total */
	struct diff_paths paths;    /* empty unless they were asked for */
};

struct diff {
	enum measure measure;
	bool measure_was_open;
	bool same_seconds;     /* from diff_input */
	bool children;	       /* functions include their callees: values overlap */
	bool calls;	       /* the rows are calls */
	double run_deviation;  /* the expected one, from diff_input */
	struct diff_row *rows; /* by event, the largest changes first, then by name */
	size_t nr_rows;
	struct diff_event *events;
	size_t nr_events;
	/* by metric, then the largest denominator of the old side */
	struct diff_ratio *ratios;
	size_t nr_ratios, ratios_room;
	const struct profile *runs; /* borrowed: those of the old side first */
	size_t nr_runs, nr_old;
	struct remarks remarks;
	struct match match;
	bool has_paths; /* those of the events are known */
	/* of all events; their paths point into these */
	struct path_stat *paths;
	struct path_sides *path_sides;
	struct function_stat *path_functions;
};

#endif
