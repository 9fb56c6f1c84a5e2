/*
 * Looks up the places of many binaries, by several threads: each binary is opened, gives all
 * answers and is closed, one file after the other.
 */
#ifndef READPERF_DECODE_SYMBOL_RESOLVER_H
#define READPERF_DECODE_SYMBOL_RESOLVER_H

#include "decode/symbol/answer.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/find/loadcontext.h"
#include "decode/symbol/loadahead.h"

#include <stddef.h>

/** What it works with; all is borrowed. */
struct resolver {
	struct load_context *context;
	struct load_ahead *ahead; /* after load_ahead_stop() */
	const struct dso *last;	  /* what that returned */
	struct binary **binaries; /* by dso number: of all lists */
	/* Called with the number of finished lists, from any thread, one at a time; or NULL. */
	void (*tick)(void *arg, size_t done);
	void *tick_arg;
};

/** Returns how many threads can read binaries within the limit of open files. */
size_t resolver_most_threads(void);

/**
 * Sets the symbol of every place that has none yet in the @nr_lists lists, and its details if
 * wanted: see symbolizer_resolve(). Returns -1 if memory is out, else 0.
 */
int resolver_run(const struct resolver *resolver, struct place_list *lists, size_t nr_lists);

#endif
