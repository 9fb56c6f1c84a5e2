/*
 * Loads the binaries that samples come to first, in a thread of its own, while the records are
 * read: their symbols, and their DWARF unpacked.
 */
#ifndef READPERF_DECODE_SYMBOL_LOADAHEAD_H
#define READPERF_DECODE_SYMBOL_LOADAHEAD_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Few have most of the samples, and what is loaded ahead stays in memory for longer. */
enum { LOAD_AHEAD_MAX = 8 };

struct load_ahead_item {
	struct binary *binary;
	const struct dso *dso;
	struct dso expected; /* as it was when it was added: the thread reads this one */
};

struct load_ahead {
	struct load_context *context; /* borrowed */
	pthread_t thread;
	bool started;
	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t changed;
	bool over; /* no more is loaded */
	size_t nr, nr_taken;
	struct load_ahead_item items[LOAD_AHEAD_MAX];
};

/** Starts without a thread, for load_ahead_deinit(). */
void load_ahead_init(struct load_ahead *ahead, struct load_context *context);

/** Whether load_ahead_add() would load a binary for @dso. */
bool load_ahead_takes(const struct load_ahead *ahead, const struct dso *dso);

/**
 * Has the empty @binary loaded for @dso, which may change meanwhile; both are borrowed. Nothing but
 * the thread may use @binary until load_ahead_end().
 */
void load_ahead_add(struct load_ahead *ahead, struct binary *binary, const struct dso *dso);

/**
 * Waits for the binary that is being loaded. The others are loaded, or still empty; so are those
 * whose dso has changed. Nothing may be added from now on.
 */
void load_ahead_end(struct load_ahead *ahead);

void load_ahead_deinit(struct load_ahead *ahead);

#endif
