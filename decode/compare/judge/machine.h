/*
 * The effect of the machine: what all functions of a run have in common.
 *
 * On a busy machine every function takes longer than in another run, by the same ratio. Such a
 * ratio hides real changes, because each function seems noisy, and it can make all functions seem
 * to change at once. Where runs show it, a function is compared with all others of its run, and a
 * change by the ratio of most functions is not reported as a change.
 */
#ifndef READPERF_DECODE_COMPARE_JUDGE_MACHINE_H
#define READPERF_DECODE_COMPARE_JUDGE_MACHINE_H

#include "decode/compare/judge/values.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

/** A function in the order of ratios. */
struct machine_rank;

struct machine_effect {
	/* Functions vary together from run to run: the machine may cause the common change. */
	bool explains;
	struct machine_rank *ranks; /* by ratio */
	size_t *rank_of;	    /* rank by number of the function */
	size_t nr;
};

/**
 * Finds out whether the @nr @functions of @event vary together; @sums are their sums by side.
 * Shares never vary together. Returns 0, or -1 with @err filled if memory is out; call
 * machine_free() in both cases.
 */
int machine_make(struct machine_effect *machine, const struct compared_event *event,
		 const struct comparison *functions, const struct side_sum (*sums)[2], size_t nr,
		 struct error *err);

/**
 * The ratio new / old of most functions, by period and without function @number, if the machine may
 * be its cause; otherwise 1.
 */
double machine_ratio(const struct machine_effect *machine, size_t number);

void machine_free(struct machine_effect *machine);

#endif
