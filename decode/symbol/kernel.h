/*
 * The running kernel's symbols, or those of a given kallsyms file, for all dsos that need them.
 *
 * They are read once, by whichever thread needs them first.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_H
#define READPERF_DECODE_SYMBOL_KERNEL_H

#include "decode/symbol/dso.h"
#include "decode/symbol/kallsyms.h"
#include "decode/symbol/symbol.h"

#include <pthread.h>
#include <stdbool.h>

struct kernel {
	pthread_mutex_t lock; /* guards what follows */
	bool is_loaded;
	enum reason reason; /* why there is no kallsyms */
	struct kallsyms kallsyms;

	/* The recording's kernel, for its modules; set before any thread starts. NULL: unknown. */
	const struct dso *recorded;
};

/** Prepares @kernel; kernel_deinit() ends it. Nothing is read yet. */
void kernel_init(struct kernel *kernel);
void kernel_deinit(struct kernel *kernel);

#endif
