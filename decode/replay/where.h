/*
 * Comparisons of fields of tracepoints that samples must pass: --where='prev_state==2 and
 * sched_switch.prev_comm!="make"'.
 */
#ifndef READPERF_DECODE_REPLAY_WHERE_H
#define READPERF_DECODE_REPLAY_WHERE_H

#include "decode/process/process.h"
#include "decode/replay/samplefield.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct where_comparison;

/** All must be true. All zero has none. */
struct where {
	struct where_comparison *list;
	size_t nr, room;
};

/**
 * Adds the comparisons of @text, which are joined by "and": a field (samplefield.h), one of == != <
 * <= > >=, and a number (decimal or 0x..., with a - before it) or a text in quotes, which may be
 * the word of a value. Returns 0, or -1 with @err filled.
 */
int where_add(struct where *where, const char *text, struct error *err);

void where_free(struct where *where);

/** The comparisons for a recording. All zero but @where has not looked for the fields. */
struct where_tests {
	const struct where *where; /* borrowed */
	struct where_test *list;   /* one for each comparison */
	size_t nr_events;	   /* events when the fields were looked for */
};

/**
 * Returns 1 if the sample @rec of @file, of @process, passes, 0 if not, also if it lacks a field;
 * -1 with @err filled if memory is out, or the recording has no such field at all.
 */
int where_passes(struct where_tests *tests, const struct perffile *file, const struct record *rec,
		 const struct process *process, struct error *err);

void where_tests_free(struct where_tests *tests);

#endif
