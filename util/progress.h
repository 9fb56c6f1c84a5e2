/*
 * One line on a terminal that says how far the work is, for work that takes long enough to wonder.
 *
 * Nothing is shown in the first half second, nothing at all where the stream is no terminal, and
 * nothing is left of the line when the work is done.
 */
#ifndef READPERF_UTIL_PROGRESS_H
#define READPERF_UTIL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** The stream is borrowed. Times are ns of the monotonic clock. */
struct progress {
	FILE *stream;  /* NULL: show nothing */
	uint64_t next; /* when to draw again */
	bool drawn;
};

/** Starts the clock. @stream may be NULL; one that is not a terminal shows nothing. */
void progress_start(struct progress *progress, FILE *stream);

/**
 * Shows "WHAT: 12 of 340 MiB, 3 %" for @done of @total bytes.
 * Looks at the clock and draws ten times a second at most: worth a call every 64K records.
 */
void progress_bytes(struct progress *progress, const char *what, uint64_t done, uint64_t total);

/** As progress_bytes() for a stream, whose end is not known: "reading: 1.2 MiB, 340 records". */
void progress_records(struct progress *progress, uint64_t bytes, uint64_t records);

/** As progress_bytes() for things that are counted: "WHAT: 12 of 340". */
void progress_count(struct progress *progress, const char *what, uint64_t done, uint64_t total);

/** As progress_bytes() for a wait of unknown length: "WHAT". */
void progress_text(struct progress *progress, const char *what);

/** Erases the line. Also before a message is printed; the next call draws it again. */
void progress_erase(struct progress *progress);

#endif
