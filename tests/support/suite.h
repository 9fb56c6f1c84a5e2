/* Running the checks of a unit test, and what its assertions cost. */
#ifndef READPERF_TESTS_SUPPORT_SUITE_H
#define READPERF_TESTS_SUPPORT_SUITE_H

#include <check.h>
#include <stdatomic.h>

/* In each source file the first SUITE_MARKS assertions that hold are noted, then one in
 * SUITE_MARK_EVERY. */
enum { SUITE_MARKS = 1000, SUITE_MARK_EVERY = 256 };

/*
 * Replaces Check's own function, which notes the place of each assertion that holds: if the test
 * dies, Check tells the last one. Each note is a system call, which took half the time of tests
 * with loops. A test that dies late may have passed up to 255 assertions since the place that is
 * told.
 */
static inline void suite_mark_point(const char *file, int line)
{
	static atomic_uint passed;
	const unsigned nr = atomic_fetch_add_explicit(&passed, 1, memory_order_relaxed);

	if (nr < SUITE_MARKS || nr % SUITE_MARK_EVERY == 0)
		_mark_point(file, line);
}
#define _mark_point suite_mark_point

/**
 * Runs @suite, which is freed, and prints what came of it, as much as CK_VERBOSITY says. Returns
 * the exit status of the program: 0 if all checks passed. Each check has a process of its own.
 * With gcc's address sanitizer all share one: it looks for leaks when a process ends, which takes
 * longer than most checks.
 */
int suite_run(Suite *suite);

/** As suite_run(), but each check always has its own process: for checks that kill or confine it.
 */
int suite_run_apart(Suite *suite);

#endif
