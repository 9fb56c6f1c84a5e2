#include "tests/support/suite.h"

#include <signal.h>
#include <time.h>

#ifdef __SANITIZE_ADDRESS__
/* What all checks of a program may take, in seconds: Check's own limit is for processes. */
enum { TIME_LIMIT = 900 };

/* Not by an alarm: at that Check kills all processes of the group, those of other tests, too. */
static enum fork_status usual_processes(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGXCPU};
	const struct itimerspec limit = {.it_value = {.tv_sec = TIME_LIMIT}};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
		timer_settime(timer, 0, &limit, NULL);
	return CK_NOFORK;
}
#else
static enum fork_status usual_processes(void)
{
	return CK_FORK_GETENV;
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
	return run(suite, usual_processes());
}

int suite_run_apart(Suite *suite)
{
	return run(suite, CK_FORK);
}
