/* Running the checks of a unit test. */
#ifndef READPERF_TESTS_SUPPORT_SUITE_H
#define READPERF_TESTS_SUPPORT_SUITE_H

#include <check.h>

/**
 * Runs @suite, which is freed, and prints what came of it, as much as CK_VERBOSITY says. Returns
 * the exit status of the program: 0 if all checks passed.
 */
int suite_run(Suite *suite);

#endif
