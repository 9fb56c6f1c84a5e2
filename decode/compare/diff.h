/*
 * The door of decode/compare/: profiles of two sides in, what changed out.
 *
 *	diff = diff_make(&input, &err);
 *	... diff->rows ...
 *	diff_free(diff);
 */
#ifndef READPERF_DECODE_COMPARE_DIFF_H
#define READPERF_DECODE_COMPARE_DIFF_H

#include "decode/compare/changes.h"
#include "decode/compare/judge/verdict.h"
#include "decode/compare/match/matched.h"
#include "util/error.h"

#include <stdbool.h>

struct diff_input {
	struct match_input match;
	/* What is compared. Left open, it is the period per run if perf started the program in
	 * every run, and otherwise shares, as how much work was recorded is not the program's. */
	bool measure_is_open;
	enum measure measure; /* unless that is open */
	double run_deviation; /* as verdict_judge() takes it */
	bool gated;	      /* a gate judges by it */
};

/**
 * Compares. The profiles must outlive what is returned. Returns NULL with @err filled if they
 * cannot be compared or memory is out.
 */
struct diff *diff_make(const struct diff_input *input, struct error *err);

/**
 * A gate is to fire in no more than 1 of 100 comparisons of a program with itself: so it asks for a
 * q value, of totals a p value, below this, where a verdict asks for 0.05.
 */
#define DIFF_GATE_CHANCE 0.01

/** When a change is one that a gate stops: all of it must hold, and the verdict be VERDICT_MORE
 * with a q value below DIFF_GATE_CHANCE. */
struct diff_gate {
	double points; /* delta_percent at least */
	double ratio;  /* at least */
};

bool diff_row_fails(const struct diff_row *row, const struct diff_gate *gate);

/** Whether the whole of @event takes more, by the data, and by @percent or more. */
bool diff_total_fails(const struct diff_event *event, double percent);

/** Writes what a binary is called in each of its versions to @to, which has room for @path. */
void diff_binary_name(char *to, const char *path);

/** Frees all; NULL is fine. */
void diff_free(struct diff *diff);

#endif
