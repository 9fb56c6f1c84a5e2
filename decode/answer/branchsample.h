/* SAMPLE -> BRANCHES: reads the branch stack of a sample and counts what it tells. */
#ifndef READPERF_DECODE_ANSWER_BRANCHSAMPLE_H
#define READPERF_DECODE_ANSWER_BRANCHSAMPLE_H

#include "decode/answer/aggregate.h"
#include "decode/count/branchcount.h"
#include "decode/process/addrspace.h"
#include "decode/results/branchrows.h"

#include <stdbool.h>

/** Where branches are counted, and what was left out. */
struct branch_sink {
	struct branch_count count;
	struct branch_totals totals;
};

/**
 * Counts the branches of @sample for its event. The stacks of call-stack mode are calls that have
 * not returned, no history: they are left out. Returns false if memory is out.
 */
bool branch_sample_count(struct branch_sink *sink, const struct addrspaces *spaces,
			 const struct counted_sample *sample);

#endif
