/* Reports how the runs of a comparison differ besides their functions. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_RUNFACTS_H
#define READPERF_DECODE_COMPARE_REMARKS_RUNFACTS_H

#include "decode/compare/match/matched.h"
#include "decode/compare/remarks/remarklist.h"

/**
 * Adds the differences between the runs of @input, one line for each kind, whatever the number of
 * runs and events: programs and their inputs, hosts, kernels, CPUs, sampling, losses; which facts
 * tables do not have; which runs are incomplete or are there twice; and whether the runs were
 * recorded alternately.
 */
void runfacts_tell(struct remarks *remarks, const struct match_input *input,
		   const struct match *match);

#endif
