/*
 * Reads and parses the running kernel's kallsyms in a thread of its own, while the records are
 * read: the kernel writes its text anew for each reader, which takes as long as reading a small
 * recording.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_KALLSYMSAHEAD_H
#define READPERF_DECODE_SYMBOL_KERNEL_KALLSYMSAHEAD_H

#include "decode/symbol/kernel/kallsyms.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/** A list that is being read, or was. All zero is none. */
struct kallsyms_ahead {
	bool started;
	pthread_t thread;
	atomic_bool ended;    /* the thread has */
	atomic_bool unwanted; /* the thread ends early */
	/* The thread's, until it has ended: */
	int rc;			  /* 1: it was read; 0: it could not be; -1: memory was out */
	struct kallsyms kallsyms; /* if it was read */
};

/** Starts to read /proc/kallsyms, unless that was done already or no thread can be had. */
void kallsyms_ahead_start(struct kallsyms_ahead *ahead);

/** Whether the thread is at work. */
bool kallsyms_ahead_is_busy(struct kallsyms_ahead *ahead);

/**
 * Waits until all is read, and moves it to @kallsyms. Returns 1; 0 if none was started, or it could
 * not be read: the caller then reads the file itself; -1 if memory is out.
 */
int kallsyms_ahead_take(struct kallsyms_ahead *ahead, struct kallsyms *kallsyms);

/** Ends the thread and frees what it has read. */
void kallsyms_ahead_drop(struct kallsyms_ahead *ahead);

#endif
