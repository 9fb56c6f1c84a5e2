/*
 * Writes bytes to a file by a thread of its own, one piece at a time, while the caller makes the
 * next one.
 */
#ifndef READPERF_UTIL_BEHIND_H
#define READPERF_UTIL_BEHIND_H

#include <stddef.h>

struct behind;

/** Starts a thread that writes to @fd, which is borrowed. NULL if memory or threads are out. */
struct behind *behind_start(int fd);

/**
 * Has the @len bytes at @bytes written, which must stay as they are until behind_settle(). All
 * before must be settled.
 */
void behind_write(struct behind *behind, const char *bytes, size_t len);

/** Waits until all is written. Returns 0, or the errno of the write that failed. */
int behind_settle(struct behind *behind);

/** Settles, ends the thread and frees @behind. NULL is fine. */
void behind_stop(struct behind *behind);

/**
 * Writes all @len bytes at @bytes to @fd at once. If @fd takes no more for now it waits, also for
 * one that is non-blocking. Returns 0, or the errno.
 */
int behind_write_now(int fd, const char *bytes, size_t len);

#endif
