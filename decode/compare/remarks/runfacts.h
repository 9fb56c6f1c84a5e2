/* What tells the runs of a comparison apart besides their functions. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_RUNFACTS_H
#define READPERF_DECODE_COMPARE_REMARKS_RUNFACTS_H

#include "decode/compare/match/matched.h"
#include "decode/compare/remarks/remarklist.h"

/**
 * Adds what differs between the runs of @input, a line for each kind of difference, however many
 * runs and events there are: programs and their inputs, hosts, kernels, CPUs, sampling, losses;
 * what is not known of tables; and runs that were not recorded in turn.
 */
void runfacts_tell(struct remarks *remarks, const struct match_input *input,
		   const struct match *match);

#endif
