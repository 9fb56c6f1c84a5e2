#include "main/interrupt.h"

#include <signal.h>

static sigset_t ending_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	return set;
}

void interrupt_block(void)
{
	sigset_t set = ending_signals();

	sigprocmask(SIG_BLOCK, &set, NULL);
}

/*
 * Ctrl-C in a pipeline ends the recorder, too, which then closes the pipe: what it has sent is the
 * recording, and gets its tables.
 */
bool interrupt_pending(bool stream)
{
	sigset_t ending = ending_signals(), pending;

	if (stream)
		sigdelset(&ending, SIGINT);
	sigpending(&pending);
	for (int sig = 1; sig < SIGRTMIN; sig++)
		if (sigismember(&ending, sig) == 1 && sigismember(&pending, sig) == 1)
			return true;
	return false;
}

void interrupt_die(void)
{
	sigset_t set = ending_signals();

	sigprocmask(SIG_UNBLOCK, &set, NULL);
}
