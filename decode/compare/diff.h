/*
 * The door of decode/compare/: profiles of two sides in, what changed out.
 *
 *	diff = diff_make(&input, &err);
 *	... diff->rows ...
 *	diff_free(diff);
 */
#ifndef READPERF_DECODE_COMPARE_DIFF_H
#define READPERF_DECODE_COMPARE_DIFF_H

#include "decode/compare/match.h"
#include "decode/compare/remarks.h"
#include "decode/compare/verdict.h"
#include "decode/results.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

struct diff_input {
	struct match_input match;
	enum measure measure;
	double run_deviation; /* as compare_functions() takes it */
};

/** A function with samples on a side; of an event that both sides have. */
struct diff_row {
	const char *event, *function, *filename, *binary;
	struct tally old_sum, new_sum;	 /* of all runs of a side; children if these are compared */
	double old_percent, new_percent; /* what that is of the side's period, 0 to 100 */
	double old_value, new_value;	 /* what is compared, in the unit of the measure */
	/* The difference and its 95 % interval: percentage points if shares are compared, else
	 * percents of the old side's whole period or rate. */
	double delta_percent, ci_low, ci_high;
	double ratio; /* new / old in what is compared; INFINITY if old is 0 */
	double p_value, q_value;
	enum verdict verdict;
	const struct run_share *shares; /* of each run */
	const struct run_total *totals; /* the event's, of each run */
};

/** An event that both sides have, and where its rows are. */
struct diff_event {
	const char *name;
	const struct diff_row *rows;
	size_t nr_rows;
	size_t nr_changed;     /* those of them that are not VERDICT_SAME */
	double same[2];	       /* sums of the values of the rows that are: old, new */
	struct tally total[2]; /* of all runs of a side */
};

struct diff {
	enum measure measure;
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

/**
 * Compares. The profiles must outlive what is returned. Returns NULL with @err filled if they
 * cannot be compared or memory is out.
 */
struct diff *diff_make(const struct diff_input *input, struct error *err);

/** When a change is one that a gate stops: all of it must hold, and the verdict be VERDICT_SLOWER.
 */
struct diff_gate {
	double points; /* delta_percent at least */
	double ratio;  /* at least */
};

bool diff_row_fails(const struct diff_row *row, const struct diff_gate *gate);

/** Frees all; NULL is fine. */
void diff_free(struct diff *diff);

#endif
