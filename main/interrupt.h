/*
 * Handling of SIGINT, SIGTERM and SIGHUP: they are blocked while the job runs and taken at points
 * where it can stop safely. A signal that was ignored when the program was started (nohup) stays
 * ignored.
 *
 * A stream is read to its end: Ctrl-C in a pipeline also reaches the recorder, which then writes
 * the rest of its data and closes the pipe. After the first signal it has ten seconds for that,
 * enough even on a busy machine; a second signal stops at once.
 *
 * Other signals that end a program, such as SIGQUIT, do so at once, except while there are files
 * that would be left behind: see interrupt_hold().
 */
#ifndef READPERF_MAIN_INTERRUPT_H
#define READPERF_MAIN_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct interrupt {
	sigset_t signals; /* the signals that end a run */
	int fd;		  /* readable while a signal is pending; -1 if unavailable */
	int last;	  /* the last signal; 0: none so far */
	unsigned nr;	  /* number of signals so far */
	bool holds_pipe;  /* SIGPIPE is blocked */
	bool holds;	  /* after interrupt_hold() */
	bool quits;	  /* one came that is held: no more is made, of a stream neither */
	uint64_t since;	  /* time of the first signal, ns of clock_now() */
};

/** Blocks the signals; call interrupt_stop() at the end. */
void interrupt_start(struct interrupt *interrupt);

/** Takes the pending signals; returns the number of signals so far. */
unsigned interrupt_take(struct interrupt *interrupt);

/** The time to stop a stream, ns of clock_now(); 0: at once, UINT64_MAX: no signal so far. */
uint64_t interrupt_deadline(const struct interrupt *interrupt);

/** Lets a signal end the program at once, until interrupt_block(). */
void interrupt_unblock(const struct interrupt *interrupt);
void interrupt_block(const struct interrupt *interrupt);

/**
 * Blocks all signals, except those of a program fault, until interrupt_unshield(): used while
 * tables are being put in place. Stores the previous mask in @before.
 */
void interrupt_shield(sigset_t *before);
void interrupt_unshield(const sigset_t *before);

/**
 * Blocks other signals that end a program, such as SIGQUIT, until interrupt_release() or
 * interrupt_stop(), so that they cannot end it before named temporary files are removed. They are
 * taken as the others are.
 */
void interrupt_hold(struct interrupt *interrupt);

/** Ends what interrupt_hold() began: those that have come and were not taken end the program. */
void interrupt_release(struct interrupt *interrupt);

/**
 * Blocks SIGPIPE until interrupt_release_pipe() or interrupt_stop(), so that it cannot end the
 * program before named temporary files are removed, or tables are in place. It is not taken.
 */
void interrupt_hold_pipe(struct interrupt *interrupt);

/** Lets SIGPIPE end the program again; one that came meanwhile does so at once. */
void interrupt_release_pipe(struct interrupt *interrupt);

/** Ends the program by the last signal, as shells expect; returns if there was none. */
void interrupt_die(const struct interrupt *interrupt);

void interrupt_stop(struct interrupt *interrupt);

#endif
