/*
 * A progress line on a terminal, for long-running work.
 *
 * It appears after half a second, only if the stream is a terminal, and is erased when the work is
 * done.
 */
#ifndef READPERF_UTIL_PROGRESS_H
#define READPERF_UTIL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** Times are ns of CLOCK_MONOTONIC. */
struct progress {
	FILE *stream;  /* borrowed; NULL: show nothing */
	uint64_t next; /* time of the next drawing */
	bool drawn;
};

/** Starts the clock. Nothing is shown if @stream is NULL or not a terminal. */
void progress_start(struct progress *progress, FILE *stream);

/**
 * Shows "WHAT: 12 of 340 MiB, 3 %" for @done of @total bytes. Each call reads the clock; it draws
 * ten times a second at most. Call it about every 64K records.
 */
void progress_bytes(struct progress *progress, const char *what, uint64_t done, uint64_t total);

/** As progress_bytes() for a stream of unknown size: "reading: 1.2 MiB, 340 records". */
void progress_records(struct progress *progress, uint64_t bytes, uint64_t records);

/** As progress_bytes() for a count: "WHAT: 12 of 340". */
void progress_count(struct progress *progress, const char *what, uint64_t done, uint64_t total);

/** As progress_bytes() for a wait of unknown length: "WHAT". */
void progress_text(struct progress *progress, const char *what);

/** Erases the line, also to print a message; the next call draws it again. */
void progress_erase(struct progress *progress);

#endif
