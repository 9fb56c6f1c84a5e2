/*
 * Ctrl-C and its like: blocked while the job runs, and asked for where nothing is half done.
 */
#ifndef READPERF_MAIN_INTERRUPT_H
#define READPERF_MAIN_INTERRUPT_H

#include <stdbool.h>

/** Blocks the signals that end a run: SIGINT, SIGTERM, SIGHUP. */
void interrupt_block(void);

/** Whether one of them has come; of a @stream SIGINT does not count. */
bool interrupt_pending(bool stream);

/** Ends the program by the signal that has come, as the shell expects; returns if none has. */
void interrupt_die(void);

#endif
