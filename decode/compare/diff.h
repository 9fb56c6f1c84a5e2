/*
 * Public interface of decode/compare/: takes the profiles of two sides, returns what changed.
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
#include "decode/compare/profile/pathsums.h"
#include "util/error.h"

#include <stdbool.h>

struct diff_input {
	struct match_input match;
	/* If true, periods are compared if perf started the program in every run, else shares: the
	 * amount of recorded work then depends on the length of the recording, not on the program.
	 */
	bool measure_is_open;
	bool same_seconds;    /* the profiles are of the same seconds of each run: shares, too */
	enum measure measure; /* if measure_is_open is false */
	double run_deviation; /* as for verdict_judge() */
	bool gated;	      /* a gate uses the result */
	bool calls;	      /* the profiles are of calls, which is why match.children is set */
	/* The paths of all runs, whose profiles share their keys; NULL: not asked for. Then
	 * match.by_key must be set. */
	const struct pathsums *paths;
};

/**
 * Compares. The profiles must outlive the result, which diff_free() frees. Returns NULL with @err
 * filled if they cannot be compared or memory is out.
 */
struct diff *diff_make(const struct diff_input *input, struct error *err);

/**
 * A gate must not fire in more than 1 of 100 comparisons of a program with itself. So it requires a
 * q value (for totals, a p value) below this, where a verdict requires one below 0.05.
 */
#define DIFF_GATE_CHANCE 0.01

/**
 * The limits of a gate. It fires if a row reaches both and is VERDICT_MORE with a q value below
 * DIFF_GATE_CHANCE.
 */
struct diff_gate {
	double points; /* minimum of delta_percent */
	double ratio;  /* minimum of ratio */
};

bool diff_row_fails(const struct diff_row *row, const struct diff_gate *gate);

/** Whether the total of @event has grown by @percent or more, and not by chance. */
bool diff_total_fails(const struct diff_event *event, double percent);

/**
 * Writes the name common to all versions of the binary at @path to @to, which must have room for a
 * copy of @path.
 */
void diff_binary_name(char *to, const char *path);

/** Frees @diff; NULL is accepted. */
void diff_free(struct diff *diff);

#endif
