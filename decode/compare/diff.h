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
	/* If the measure is open, periods are compared if perf started the program in every run,
	 * else shares: how much work was recorded says nothing about the program then. */
	bool measure_is_open;
	enum measure measure; /* if it is not open */
	double run_deviation; /* as verdict_judge() takes it */
	bool gated;	      /* a gate judges by it */
};

/**
 * Compares. The profiles must outlive what is returned. Returns NULL with @err filled if they
 * cannot be compared or memory is out.
 */
struct diff *diff_make(const struct diff_input *input, struct error *err);

/**
 * A gate must not fire in more than 1 of 100 comparisons of a program with itself. So it asks for
 * a q value (of totals a p value) below this, where a verdict asks for 0.05.
 */
#define DIFF_GATE_CHANCE 0.01

/** What makes a gate fire: all of it, and VERDICT_MORE with a q value below DIFF_GATE_CHANCE. */
struct diff_gate {
	double points; /* delta_percent at least */
	double ratio;  /* at least */
};

bool diff_row_fails(const struct diff_row *row, const struct diff_gate *gate);

/** Whether the whole of @event has grown by @percent or more, and not by chance. */
bool diff_total_fails(const struct diff_event *event, double percent);

/** Writes the name that all versions of the binary at @path have in common to @to, which has room
 * for @path. */
void diff_binary_name(char *to, const char *path);

/** Frees all; NULL is fine. */
void diff_free(struct diff *diff);

#endif
