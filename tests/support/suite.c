#include "tests/support/suite.h"

#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
enum { LEAKS_ARE_LOOKED_FOR = 1 };
#else
enum { LEAKS_ARE_LOOKED_FOR = 0 };
#endif

/* Check's own time limit is for processes; what all checks of a program may take, in seconds. */
enum { TIME_LIMIT = 900 };

static int run(Suite *suite, enum fork_status processes)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_set_fork_status(runner, processes);
	if (processes == CK_NOFORK)
		alarm(TIME_LIMIT);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

int suite_run(Suite *suite)
{
	return run(suite, LEAKS_ARE_LOOKED_FOR ? CK_NOFORK : CK_FORK_GETENV);
}

int suite_run_apart(Suite *suite)
{
	return run(suite, CK_FORK);
}
