/*
 * Reads the running kernel's kallsyms in a thread of its own, while the records are read: the
 * kernel writes its text anew for each reader, which takes as long as reading a small recording.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_KALLSYMSAHEAD_H
#define READPERF_DECODE_SYMBOL_KERNEL_KALLSYMSAHEAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/** A text that is being read, or was. All zero is none. */
struct kallsyms_ahead {
	bool started;
	pthread_t thread;
	atomic_bool unwanted; /* the thread ends early */
	char *text;	      /* the thread's, until it has ended */
	size_t size;
};

/** Starts to read /proc/kallsyms, unless that was done already or no thread can be had. */
void kallsyms_ahead_start(struct kallsyms_ahead *ahead);

/**
 * Waits for the whole text and returns it, NUL-terminated, to be freed, and sets *@size to its
 * bytes. NULL if none was started, or it could not be read: the caller then reads the file itself.
 */
char *kallsyms_ahead_take(struct kallsyms_ahead *ahead, size_t *size);

/** Ends the thread and frees the text. */
void kallsyms_ahead_drop(struct kallsyms_ahead *ahead);

#endif
