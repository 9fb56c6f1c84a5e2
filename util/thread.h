/* Starts threads that work for others. */
#ifndef READPERF_UTIL_THREAD_H
#define READPERF_UTIL_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/**
 * Starts @run(@arg) in a thread, for pthread_join(). It leaves all signals to the other threads.
 * Returns false if there is no memory, or no room for another thread.
 */
bool thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
