#include "tests/support/suite.h"

#include <signal.h>
#include <time.h>

#ifdef __SANITIZE_ADDRESS__
/* Seconds that all checks of a program may take together: Check's own limit needs processes. */
enum { TIME_LIMIT = 900 };

/* SIGALRM is Check's: it kills the whole process group, and so the runner of all tests. */
static void limit_time(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGXCPU};
	const struct itimerspec limit = {.it_value = {.tv_sec = TIME_LIMIT}};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
		timer_settime(timer, 0, &limit, NULL);
}
#endif

static int run(Suite *suite, enum fork_status processes)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_set_fork_status(runner, processes);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

int suite_run(Suite *suite)
{
#ifdef __SANITIZE_ADDRESS__
	limit_time();
	return run(suite, CK_NOFORK);
#else
	return suite_run_apart(suite);
#endif
}

int suite_run_apart(Suite *suite)
{
	return run(suite, CK_FORK_GETENV);
}
