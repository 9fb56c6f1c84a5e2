/* Threads as rows of a run, one at a time. */
#ifndef READPERF_TESTS_SUPPORT_THREADROWS_H
#define READPERF_TESTS_SUPPORT_THREADROWS_H

#include "decode/results/answers.h"
#include "decode/results/processrows.h"

#include <stddef.h>

/* The rows, and how many were read. */
struct threadrows {
	const struct thread_stat *list;
	size_t nr, read;
};

static inline int threadrows_start(void *arg, struct error *err)
{
	struct threadrows *rows = arg;

	(void)err;
	rows->read = 0;
	return 0;
}

static inline int threadrows_next(void *arg, void *row, struct error *err)
{
	struct threadrows *rows = arg;

	(void)err;
	if (rows->read == rows->nr)
		return 0;
	*(struct thread_stat *)row = rows->list[rows->read++];
	return 1;
}

static inline struct row_source threadrows_source(struct threadrows *rows)
{
	return (struct row_source){rows, threadrows_start, threadrows_next};
}

#endif
