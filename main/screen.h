/* The overview on standard output: once, or again and again while the recording is read. */
#ifndef READPERF_MAIN_SCREEN_H
#define READPERF_MAIN_SCREEN_H

#include "decode/results.h"
#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/** All zero but for @top is one that has shown nothing. */
struct screen {
	size_t top;	     /* functions of each event; 0: all */
	uint64_t nr_updates; /* shown so far */
};

/** How far the recording is. */
struct screen_mark {
	uint64_t time; /* of the last record, ns of the recording's clock */
	uint64_t nr_records;
};

/**
 * Shows the @results so far. A terminal is drawn anew, cut to its height; elsewhere each overview
 * follows the one before it, behind an empty line and a line that says how far the recording is.
 * Returns 0, or -1 with @err filled.
 */
int screen_update(struct screen *screen, const struct results *results,
		  const struct screen_mark *mark, struct error *err);

/** Shows the results of the whole recording, all lines. Returns 0, or -1 with @err filled. */
int screen_finish(struct screen *screen, const struct results *results,
		  const struct screen_mark *mark, struct error *err);

#endif
