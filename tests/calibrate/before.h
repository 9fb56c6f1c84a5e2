/* The method before, kept to be measured beside. */
#ifndef READPERF_TESTS_CALIBRATE_BEFORE_H
#define READPERF_TESTS_CALIBRATE_BEFORE_H

#include "decode/compare/judge/verdict.h"

/** As verdict_judge(), with a deviation between runs of 2 %. */
int before_compare(enum measure measure, const struct side *old_side, const struct side *new_side,
		   struct comparison *functions, size_t nr, struct error *err);

#endif
