/* A test on one core. */
#ifndef READPERF_TESTS_SUPPORT_ONECORE_H
#define READPERF_TESTS_SUPPORT_ONECORE_H

#include "tests/support/suite.h"

#include <sched.h>

/** Keeps this thread on the core that it runs on. Returns the cores for onecore_end(). */
static inline cpu_set_t onecore_take(void)
{
	cpu_set_t before, one;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	return before;
}

/** Ends what onecore_take() began, which returned @before. */
static inline void onecore_end(const cpu_set_t *before)
{
	ck_assert_int_eq(sched_setaffinity(0, sizeof(*before), before), 0);
}

#endif
