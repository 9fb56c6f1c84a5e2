/*
 * Loads the binaries that samples come to first, in a thread of its own, while the records are
 * read: their symbols, and their DWARF, unpacked as far as the first places need it.
 */
#ifndef READPERF_DECODE_SYMBOL_LOADAHEAD_H
#define READPERF_DECODE_SYMBOL_LOADAHEAD_H

#include "decode/symbol/dso.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Few have most of the samples, and what is loaded ahead stays in memory for longer. */
enum { LOAD_AHEAD_MAX = 8 };

/* The first places of a binary, whose DWARF is unpacked ahead: later ones are mostly near them. */
enum { LOAD_AHEAD_PLACES = 256 };

struct load_ahead_item {
	struct binary *binary;
	const struct dso *dso;
	struct dso expected; /* as it was when it was added: the thread reads this one */
	unsigned wishes;     /* of places: enum place_wish */
	uint64_t places[LOAD_AHEAD_PLACES];
	size_t nr_places, nr_unpacked; /* of these so many were unpacked for */
	uint64_t debug_size;	       /* binary_debug_size(); the thread's */
	bool is_given;		       /* it was awaited; whose it is then has filled it since */
};

struct load_ahead {
	struct load_context *context; /* borrowed */
	uint64_t recording_size;      /* bytes; 0 if unknown; not changed while there is a thread */
	pthread_t thread;
	bool started;
	struct helpers *helpers;	    /* @context's; their lock guards what follows */
	bool over;			    /* no more is loaded */
	const struct load_ahead_item *busy; /* the thread works on it; NULL: on none */
	size_t nr, nr_taken;
	struct load_ahead_item items[LOAD_AHEAD_MAX];
};

/** Starts without a thread, for load_ahead_deinit(). */
void load_ahead_init(struct load_ahead *ahead, struct load_context *context);

/** Whether load_ahead_add() would load a binary for @dso. */
bool load_ahead_takes(const struct load_ahead *ahead, const struct dso *dso);

/**
 * Has the empty @binary loaded for @dso, which may change meanwhile; both are borrowed. @wishes: of
 * its places, enum place_wish. Nothing but the thread may use @binary until load_ahead_await() or
 * load_ahead_end().
 */
void load_ahead_add(struct load_ahead *ahead, struct binary *binary, const struct dso *dso,
		    unsigned wishes);

/**
 * Tells that @place of the dso with number @dso, if it was added, will be looked up: what its DWARF
 * needs is unpacked when the thread has time.
 */
void load_ahead_place(struct load_ahead *ahead, uint32_t dso, uint64_t place);

/**
 * Ends it without waiting: returns the dso whose DWARF is still being unpacked, or NULL: most of
 * the work for one whose symbols are being read is yet to come. Nothing may be added from now on,
 * and every binary needs load_ahead_await() before it is used.
 */
const struct dso *load_ahead_stop(struct load_ahead *ahead);

/**
 * After load_ahead_stop(): waits until @binary is not being loaded. It is loaded, or still empty;
 * so it is if its dso has changed, as far as is known when it is awaited first. Threads may call
 * it, each for binaries of its own; while they wait, they help to unpack it.
 */
void load_ahead_await(struct load_ahead *ahead, struct binary *binary);

/** As load_ahead_stop(), and waits for all binaries. */
void load_ahead_end(struct load_ahead *ahead);

/** Whether the thread has something to do. */
bool load_ahead_is_busy(struct load_ahead *ahead);

void load_ahead_deinit(struct load_ahead *ahead);

#endif
