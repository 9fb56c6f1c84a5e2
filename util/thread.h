/* Starts threads that work for others. */
#ifndef READPERF_UTIL_THREAD_H
#define READPERF_UTIL_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/** All signals but those of a thread's own faults: if these were blocked, the program would end. */
sigset_t thread_signals_but_faults(void);

/**
 * Starts @run(@arg) in a thread, for pthread_join(), on another core than this one if there is one.
 * It leaves all signals to the other threads but those of its own faults, such as SIGBUS, and has
 * a stack of 8 MB, whatever the limit: names that are demangled may be nested deep. For its
 * first moments it may have one core less, so it should neither count cores nor start threads then.
 * Returns false if there is no memory, or no room for another thread.
 */
bool thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

/** Initializes @lock, which is mostly held for a moment: a thread that waits for it spins before it
 * sleeps, if the C library can do that. */
void thread_init_brief_lock(pthread_mutex_t *lock);

#endif
