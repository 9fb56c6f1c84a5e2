/*
 * Threads that decode pieces of a trace ahead of the one that counts them, which helps when it
 * would have to wait. Memory is bounded by the logs of a few pieces.
 */
#ifndef READPERF_DECODE_TRACE_TRACEAHEAD_H
#define READPERF_DECODE_TRACE_TRACEAHEAD_H

#include "decode/trace/tracepiece.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { TRACEAHEAD_THREADS_MAX = 64 };

struct traceahead;

/** What a thread decodes with. */
struct trace_helper {
	struct traceahead *ahead;
	struct tracekit kit;
	struct tracereader reader;
	pthread_t thread;
};

struct traceahead {
	const struct trace_setup *setup;
	/* The first one is of the thread that counts. */
	struct trace_helper helpers[TRACEAHEAD_THREADS_MAX];
	size_t nr_helpers; /* 0: nothing is decoded ahead */
	size_t nr_threads; /* that were started */
	pthread_mutex_t lock;
	pthread_cond_t changed; /* guarded by it, as all that follows, and what the pieces become */
	struct tracepiece **order; /* by time */
	size_t nr, next;
	struct tracelog spare[4 * TRACEAHEAD_THREADS_MAX];
	size_t nr_spare;
	size_t nr_logs; /* in use */
	bool over;
};

/**
 * Starts with up to @nr_threads, the caller included; nothing is begun yet. @code is borrowed, as
 * @setup is. Returns false if memory is out; traceahead_free() even then.
 */
bool traceahead_init(struct traceahead *ahead, const struct trace_setup *setup, size_t nr_threads,
		     struct tracecode *code);

/** Begins with @pieces, until traceahead_end(). Returns false if memory is out. */
bool traceahead_begin(struct traceahead *ahead, struct tracepieces *pieces);

/**
 * Waits until @piece has its log; false: the caller is to decode it. All pieces of a buffer are to
 * be asked for in order.
 */
bool traceahead_get(struct traceahead *ahead, struct tracepiece *piece);

/** The log of @piece has been read. */
void traceahead_release(struct traceahead *ahead, struct tracepiece *piece);

/** Stops all threads. */
void traceahead_end(struct traceahead *ahead);

void traceahead_free(struct traceahead *ahead);

#endif
