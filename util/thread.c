#include "util/thread.h"

#include <sched.h>
#include <signal.h>
#include <stddef.h>

enum { STACK = 8 << 20 };

sigset_t thread_signals_but_faults(void)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&set, faults[i]);
	return set;
}

/*
 * Moves @thread, which is new and waits to run, to another core than this one, if there is one. On
 * a virtual machine Linux often leaves it here for 1 to 10 ms while the other core is idle. If it
 * has ended already, both calls are for the calling thread, which has its cores back after the
 * second.
 */
static void move_away(pthread_t thread)
{
	const int cpu = sched_getcpu();
	cpu_set_t all, others;

	/* It fails where there are more than 1024 processors. */
	if (cpu < 0 || pthread_getaffinity_np(pthread_self(), sizeof(all), &all) != 0)
		return;
	others = all;
	CPU_CLR((size_t)cpu, &others);
	if (CPU_COUNT(&others) == 0)
		return;
	pthread_setaffinity_np(thread, sizeof(others), &others);
	pthread_setaffinity_np(thread, sizeof(all), &all);
}

bool thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	const sigset_t blocked = thread_signals_but_faults();
	pthread_attr_t attr;
	sigset_t before;
	int rc;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	rc = pthread_create(thread, &attr, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	if (rc == 0)
		move_away(*thread);
	return rc == 0;
}

void thread_init_brief_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t kind;

	pthread_mutexattr_init(&kind);
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
	pthread_mutex_init(lock, &kind);
	pthread_mutexattr_destroy(&kind);
}
