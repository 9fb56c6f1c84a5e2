/*
 * Ctrl-C and its like: SIGINT, SIGTERM and SIGHUP are blocked while the job runs, and asked for
 * where nothing is half done. What was ignored when the program was started (nohup) stays ignored.
 *
 * A stream ends in its own good time: Ctrl-C in a pipeline reaches the recorder, too, which then
 * sends its rest and closes the pipe. So the first signal leaves it ten seconds for that, which is
 * long enough on a machine that is busy; who does not want to wait sends another signal.
 */
#ifndef READPERF_MAIN_INTERRUPT_H
#define READPERF_MAIN_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct interrupt {
	sigset_t signals; /* that end a run */
	int fd;		  /* readable while one of them waits; -1 without any */
	int last;	  /* signal that came last; 0: none has come */
	unsigned nr;	  /* how many have come */
	bool holds_pipe;  /* SIGPIPE is held back */
	uint64_t since;	  /* when the first came, ns of clock_now() */
};

/** Blocks the signals; interrupt_stop() is due at the end. */
void interrupt_start(struct interrupt *interrupt);

/** Takes the signals that have come; returns how many there have been in all. */
unsigned interrupt_take(struct interrupt *interrupt);

/** When a stream must stop, ns of clock_now(): 0 at once, UINT64_MAX if no signal has come. */
uint64_t interrupt_deadline(const struct interrupt *interrupt);

/** From here on a signal ends the program at once; until interrupt_block(). */
void interrupt_unblock(const struct interrupt *interrupt);
void interrupt_block(const struct interrupt *interrupt);

/**
 * Holds back every signal but those of a fault in the program, until interrupt_unshield(): for the
 * moment in which tables have two names. Who held back what before is kept in @before.
 */
void interrupt_shield(sigset_t *before);
void interrupt_unshield(const sigset_t *before);

/**
 * Holds back SIGPIPE until interrupt_stop(): files that do not vanish by themselves can be removed
 * before it ends the program.
 */
void interrupt_hold_pipe(struct interrupt *interrupt);

/** Ends the program by the signal that came last, as the shell expects; returns if none has come.
 */
void interrupt_die(const struct interrupt *interrupt);

void interrupt_stop(struct interrupt *interrupt);

#endif
