/*
 * The copy of the running kernel's symbols that perf keeps beside its binaries: perf record writes
 * one for each kernel that it meets first, at the place where the kernel was at that boot.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_KERNELCOPY_H
#define READPERF_DECODE_SYMBOL_KERNEL_KERNELCOPY_H

#include "decode/symbol/dso.h"
#include "decode/symbol/kernel/kallsyms.h"
#include "decode/symbol/symbolsettings.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** A copy that was read. All zero is none. */
struct kernelcopy {
	char *path; /* NULL: none */
	struct kallsyms kallsyms;
	uint64_t start, end; /* the kernel's own code, [start, end) */
};

/**
 * Sets @path to the copy for the build id of @dso, with the kernel where @dso says that it was
 * recorded. Returns false if there is none.
 */
bool kernelcopy_find(char path[PATH_MAX], const struct dso *dso,
		     const struct symbol_settings *settings);

/**
 * Reads the copy that kernelcopy_find() finds into @copy, which stays all zero if there is none or
 * it does not tell where the kernel's code ends. Returns 0, or -1 if memory is out.
 */
int kernelcopy_read(struct kernelcopy *copy, const struct dso *dso,
		    const struct symbol_settings *settings);

void kernelcopy_free(struct kernelcopy *copy);

/** A copy that a thread of its own reads, while the records are read. All zero is none. */
struct kernelcopy_ahead {
	bool started;
	pthread_t thread;
	atomic_bool ended; /* the thread has */
	char path[PATH_MAX];
	struct kernelcopy copy; /* the thread's, until it has ended */
	int rc;			/* of reading it */
	/* Without a thread of its own: */
	pthread_mutex_t lock; /* held while it is read */
	bool is_offered;      /* it can be read, and nobody has begun */
};

void kernelcopy_ahead_init(struct kernelcopy_ahead *ahead);
void kernelcopy_ahead_deinit(struct kernelcopy_ahead *ahead);

/** Starts to read the copy at @path, unless that was done already or no thread can be had. */
void kernelcopy_ahead_start(struct kernelcopy_ahead *ahead, const char *path);

/** Leaves the copy at @path to kernelcopy_ahead_read(). */
void kernelcopy_ahead_offer(struct kernelcopy_ahead *ahead, const char *path);

/** Reads what was offered, in the calling thread, unless it was taken before. */
void kernelcopy_ahead_read(struct kernelcopy_ahead *ahead);

/** Whether the thread is at work. */
bool kernelcopy_ahead_is_busy(struct kernelcopy_ahead *ahead);

/**
 * Waits until the copy was read and moves it to @copy, which stays as it is if none was started, or
 * nobody has begun with what was offered.
 * Returns as kernelcopy_read().
 */
int kernelcopy_ahead_take(struct kernelcopy_ahead *ahead, struct kernelcopy *copy);

#endif
