/*
 * Handling of perf's own records that describe the recording: events, names, build ids and, in a
 * pipe, everything that a file has in its header. They take effect at their position in the file.
 */
#ifndef READPERF_PERFFILE_META_H
#define READPERF_PERFFILE_META_H

#include "perffile/feature/feature.h"
#include "perffile/order/reader.h"
#include "perffile/record/events.h"
#include "perffile/stream.h"
#include "util/error.h"

#include <stdbool.h>

/** Whether meta_apply() has anything to do for @raw. */
bool meta_has_effect(const struct raw_record *raw);

/**
 * Applies @raw, the last record from @stream, if it is such a record; a damaged one is ignored.
 * Returns 1, 0 if it is damaged, -1 with @err filled if memory is out or the stream cannot be read.
 */
int meta_apply(struct event_set *events, struct features *features, struct stream *stream,
	       const struct raw_record *raw, bool swap, struct error *err);

/**
 * Whether a pipe that starts with @first was written by ChromeOS' perf of the 3.x kernels. That
 * perf wrote header features as records of the types 69 to 80, which later got other meanings; no
 * other perf starts a pipe with a type from 69 to 79.
 */
bool meta_is_old_pipe(const struct raw_record *first);

/**
 * Gives a feature record of an old pipe its present type, HEADER_FEATURE. Returns the number of the
 * feature, or 0 if @raw is another record.
 */
unsigned meta_old_feature(struct raw_record *raw);

/** Like meta_apply(), for a record of an old pipe that holds feature @number. */
int meta_apply_old(struct event_set *events, struct features *features,
		   const struct raw_record *raw, unsigned number, bool swap, struct error *err);

#endif
