/* The first step of matching: finds which events of several runs are the same. */
#ifndef READPERF_DECODE_COMPARE_MATCH_MATCHEVENTS_H
#define READPERF_DECODE_COMPARE_MATCH_MATCHEVENTS_H

#include "decode/compare/match/matcher.h"

/**
 * Finds the events of the match and sums what each run counted for them. Returns 0, or -1 with the
 * matcher's err filled.
 */
int matchevents_find(struct matcher *m);

#endif
