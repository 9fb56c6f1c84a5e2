/* The overview on standard output: once, or again and again while the recording is read. */
#ifndef READPERF_MAIN_SCREEN_H
#define READPERF_MAIN_SCREEN_H

#include "decode/results.h"
#include "report/report.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** When shares are coloured. */
enum screen_color { SCREEN_COLOR_AUTO, SCREEN_COLOR_ALWAYS, SCREEN_COLOR_NEVER };

/** What the user wants to see on standard output. */
struct screen_settings {
	size_t top;	/* rows of each event; 0: all */
	bool has_width; /* @width is given */
	size_t width;	/* columns of a terminal; 0: rows are not cut */
	enum screen_color color;
	bool callers, callees; /* in place of functions: who calls some, or what these call */
};

/**
 * How standard output is written to: as wide as its terminal, 100 columns where it is none; where
 * the user leaves that open, in colour on a terminal that can, unless NO_COLOR is set and not
 * empty.
 */
struct console_settings screen_console(const struct screen_settings *settings);

/** Adds what is shown, beside events and functions. */
void screen_add_needs(const struct screen_settings *settings, struct needs *needs);

/** All zero but for @settings is one that has shown nothing. */
struct screen {
	struct screen_settings settings;
	uint64_t nr_updates; /* shown so far */
};

/** How far the recording is. */
struct screen_mark {
	uint64_t time; /* of the last record that has one, ns of the recording's clock */
	uint64_t nr_records;
	uint64_t span; /* ns from the first sample that --time lets pass to the last; 0: none */
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
