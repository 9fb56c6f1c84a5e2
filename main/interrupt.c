#include "main/interrupt.h"

#include "util/clock.h"
#include "util/thread.h"

#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const uint64_t GRACE_NS = 10 * NS_PER_SECOND;

static void add_unless_ignored(sigset_t *set, int sig)
{
	struct sigaction action;

	if (sigaction(sig, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
		sigaddset(set, sig);
}

void interrupt_start(struct interrupt *interrupt)
{
	*interrupt = (struct interrupt){0};
	sigemptyset(&interrupt->signals);
	add_unless_ignored(&interrupt->signals, SIGINT);
	add_unless_ignored(&interrupt->signals, SIGTERM);
	add_unless_ignored(&interrupt->signals, SIGHUP);
	interrupt->fd = signalfd(-1, &interrupt->signals, SFD_CLOEXEC);
	/* without signalfd nothing ends the wait for data: let signals end the program */
	if (interrupt->fd < 0)
		sigemptyset(&interrupt->signals);
	interrupt_block(interrupt);
}

unsigned interrupt_take(struct interrupt *interrupt)
{
	const struct timespec at_once = {0};
	int sig;

	while ((sig = sigtimedwait(&interrupt->signals, NULL, &at_once)) > 0) {
		if (interrupt->nr++ == 0)
			interrupt->since = clock_now();
		interrupt->last = sig;
		interrupt->quits |= sig != SIGINT && sig != SIGTERM && sig != SIGHUP;
	}
	return interrupt->nr;
}

uint64_t interrupt_deadline(const struct interrupt *interrupt)
{
	if (interrupt->nr == 0)
		return UINT64_MAX;
	return interrupt->nr == 1 ? interrupt->since + GRACE_NS : 0;
}

void interrupt_unblock(const struct interrupt *interrupt)
{
	sigprocmask(SIG_UNBLOCK, &interrupt->signals, NULL);
}

void interrupt_block(const struct interrupt *interrupt)
{
	sigprocmask(SIG_BLOCK, &interrupt->signals, NULL);
}

void interrupt_shield(sigset_t *before)
{
	const sigset_t blocked = thread_signals_but_faults();

	sigprocmask(SIG_BLOCK, &blocked, before);
}

void interrupt_unshield(const sigset_t *before)
{
	sigprocmask(SIG_SETMASK, before, NULL);
}

/* Those that interrupt_hold() adds: as the program has no use for them, they mean its end. */
static sigset_t held_signals(void)
{
	static const int held[] = {SIGQUIT, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++)
		add_unless_ignored(&set, held[i]);
	return set;
}

/* Those in interrupt->signals are announced by its descriptor. */
static void announce(const struct interrupt *interrupt)
{
	if (interrupt->fd >= 0)
		(void)signalfd(interrupt->fd, &interrupt->signals, 0);
}

void interrupt_hold(struct interrupt *interrupt)
{
	const sigset_t held = held_signals();

	interrupt->holds = true;
	sigorset(&interrupt->signals, &interrupt->signals, &held);
	announce(interrupt);
	interrupt_block(interrupt);
}

void interrupt_release(struct interrupt *interrupt)
{
	const sigset_t held = held_signals();

	if (!interrupt->holds)
		return;
	interrupt->holds = false;
	for (int sig = 1; sig < NSIG; sig++)
		if (sigismember(&held, sig) == 1)
			sigdelset(&interrupt->signals, sig);
	announce(interrupt);
	sigprocmask(SIG_UNBLOCK, &held, NULL);
}

/* @how: as for sigprocmask(). */
static void change_pipe(int how)
{
	sigset_t pipe;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigprocmask(how, &pipe, NULL);
}

void interrupt_hold_pipe(struct interrupt *interrupt)
{
	change_pipe(SIG_BLOCK);
	interrupt->holds_pipe = true;
}

void interrupt_release_pipe(struct interrupt *interrupt)
{
	if (interrupt->holds_pipe)
		change_pipe(SIG_UNBLOCK);
	interrupt->holds_pipe = false;
}

void interrupt_die(const struct interrupt *interrupt)
{
	interrupt_unblock(interrupt);
	if (interrupt->last)
		raise(interrupt->last);
}

void interrupt_stop(struct interrupt *interrupt)
{
	interrupt_unblock(interrupt);
	interrupt_release(interrupt);
	interrupt_release_pipe(interrupt);
	if (interrupt->fd >= 0)
		close(interrupt->fd);
	interrupt->fd = -1;
}
