/*
 * What all functions of a run have in common: the machine, not the program.
 *
 * On a busy machine every function of a run takes more or less than in another run, by the same
 * ratio. That hides real changes in what looks like noise of each function, and lets chance pass
 * for a change of all of them at once. Where the runs show such a ratio, a function is held against
 * all others of its run, and what has changed by the ratio that most have changed by is not called
 * a change.
 */
#ifndef READPERF_DECODE_COMPARE_JUDGE_MACHINE_H
#define READPERF_DECODE_COMPARE_JUDGE_MACHINE_H

#include "decode/compare/judge/values.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

/** A function in the order of ratios. */
struct machine_rank;

struct machine {
	/* Functions change together from run to run, and what they have in common between the sides
	 * may be the machine's. */
	bool explains;
	struct machine_rank *ranks; /* by ratio */
	size_t *rank_of;	    /* by number of the function */
	size_t nr;
};

/**
 * Finds out whether the @nr @functions of @event, whose sums by side are @sums, change together.
 * Shares have nothing in common: they do not. Returns 0, or -1 with @err filled if memory is out;
 * machine_free() is due in both cases.
 */
int machine_make(struct machine *machine, const struct compared_event *event,
		 const struct comparison *functions, const struct side_sum (*sums)[2], size_t nr,
		 struct error *err);

/**
 * The ratio new / old of most functions but the one with @number, by their period, if that may be
 * the machine's; otherwise 1.
 */
double machine_ratio(const struct machine *machine, size_t number);

void machine_free(struct machine *machine);

#endif
