/*
 * Records in which perf itself tells about the recording, acted on where they stand: events, names,
 * build ids and, in a pipe, everything that a file keeps in its header.
 */
#ifndef READPERF_PERFFILE_META_H
#define READPERF_PERFFILE_META_H

#include "perffile/feature/feature.h"
#include "perffile/order/reader.h"
#include "perffile/record/events.h"
#include "perffile/stream.h"
#include "util/error.h"

#include <stdbool.h>

/**
 * Acts on @raw, just given by @stream, if it is such a record. A damaged one tells nothing.
 * Returns 1, 0 if it is damaged, -1 with @err filled if memory is out or the stream cannot be read.
 */
int meta_apply(struct event_set *events, struct features *features, struct stream *stream,
	       const struct raw_record *raw, bool swap, struct error *err);

/**
 * ChromeOS' perf of the 3.x kernels wrote header features as records of the types 69 to 80, which
 * later got other meanings. A pipe that starts with one of 69 to 79 is of that kind: no other perf
 * starts so. True if @first, the first record of a pipe, says so.
 */
bool meta_is_old_pipe(const struct raw_record *first);

/** Turns a record of an old pipe into what it is now called; @feature is its number, or 0. */
unsigned meta_old_feature(struct raw_record *raw);

/** As meta_apply() for a record of an old pipe that is feature @number. */
int meta_apply_old(struct event_set *events, struct features *features,
		   const struct raw_record *raw, unsigned number, bool swap, struct error *err);

#endif
