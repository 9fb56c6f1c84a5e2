/* Starts threads that work for others. */
#ifndef READPERF_UTIL_THREAD_H
#define READPERF_UTIL_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/**
 * Starts @run(@arg) in a thread, for pthread_join(), on another core than this one if there is one.
 * It leaves all signals to the other threads but those that it raises itself, such as SIGBUS, and
 * has a stack of 8 MB, whatever the limit: names that are demangled may be nested deep. Returns
 * false if there is no memory, or no room for another thread.
 */
bool thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
