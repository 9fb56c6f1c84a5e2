/* Verdicts of who knows how a program's runs differ: what no method can do better than. */
#ifndef READPERF_TESTS_CALIBRATE_ORACLE_H
#define READPERF_TESTS_CALIBRATE_ORACLE_H

#include "tests/calibrate/runs.h"

/**
 * As verdict_judge() by period; @all has every run of the program, unchanged, in the order of
 * @functions. A function's deviation between runs is taken from all of them, its noise within runs
 * from its samples, and its difference for normal.
 */
int oracle_compare(const struct runs *all, const struct side *old_side, const struct side *new_side,
		   struct comparison *functions, size_t nr, struct error *err);

#endif
