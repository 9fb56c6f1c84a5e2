/* The overview on standard output, printed once or repeatedly while the recording is read. */
#ifndef READPERF_MAIN_SCREEN_H
#define READPERF_MAIN_SCREEN_H

#include "decode/results.h"
#include "report/report.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** When to colour shares. */
enum screen_color { SCREEN_COLOR_AUTO, SCREEN_COLOR_ALWAYS, SCREEN_COLOR_NEVER };

/** What the user wants to see on standard output. */
struct screen_settings {
	size_t top;	/* maximum number of rows for each event; 0: all */
	bool has_top;	/* @top was given */
	bool totals;	/* only the line of each event */
	bool has_width; /* @width was given */
	size_t width;	/* columns of a terminal; 0: rows are not truncated */
	enum screen_color color;
	/* in place of functions: who calls those that match, or what these call; NULL: not asked
	 * for */
	char *const *callers, *const *callees;
	const char *called; /* standard output in messages; NULL: as it is called */
};

/**
 * The format of standard output: the width of its terminal, or 100 columns if it is none. If the
 * user did not choose, colour is used on a terminal that supports it, unless NO_COLOR is set and
 * not empty.
 */
struct console_settings screen_console(const struct screen_settings *settings);

/** Adds what is shown, beside events and functions. */
void screen_add_needs(const struct screen_settings *settings, struct needs *needs);

/** All zero except @settings: nothing was shown so far. */
struct screen {
	struct screen_settings settings;
	uint64_t nr_updates; /* number of updates shown */
};

/** The current position in the recording. */
struct screen_mark {
	uint64_t time; /* of the last record that has a time, ns of the recording's clock */
	uint64_t nr_records;
	uint64_t span; /* ns from the first sample that passes --time to the last one; 0: none */
};

/**
 * Shows the @results so far. A terminal is redrawn and truncated to its height; other output gets
 * an empty line, a line with the position in the recording, and the overview. Returns 0, or -1 with
 * @err filled.
 */
int screen_update(struct screen *screen, const struct results *results,
		  const struct screen_mark *mark, struct error *err);

/** Shows the final results in full. Returns 0, or -1 with @err filled. */
int screen_finish(struct screen *screen, const struct results *results,
		  const struct screen_mark *mark, struct error *err);

#endif
