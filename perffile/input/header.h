/*
 * The file header: magic, byte order, where the sections are.
 *
 * Layout from tools/perf/util/header.h (struct perf_file_header).
 */
#ifndef READPERF_PERFFILE_INPUT_HEADER_H
#define READPERF_PERFFILE_INPUT_HEADER_H

#include "perffile/format.h"
#include "perffile/input/section.h"
#include "perffile/input/source.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

struct header {
	bool swap;	    /* the recording is in the other byte order */
	bool pipe;	    /* records follow at once; everything else comes as records */
	uint64_t attr_size; /* bytes from one entry of @attrs to the next */
	struct section attrs, data, event_types;
	uint64_t bitmap[HEADER_FEATURE_BITS / 64]; /* which features there are */
	/* By feature number; size 0 if absent. Only sections inside the file are kept. */
	struct section features[HEADER_FEATURE_BITS];
	unsigned bent;		   /* fields that cannot be right and were put right: repair.h */
	unsigned missing_features; /* announced, but cut off or not in the file at all */
};

/** Reads the header at the start of @source as it stands there. Returns 0, or -1 with @err filled.
 */
int header_read(struct header *header, const struct source *source, struct error *err);

/** Whether the sections of a file can be what @header says. Returns 0, or -1 with @err filled. */
int header_check(const struct header *header, const struct source *source, struct error *err);

/** How many feature sections @header announces. */
unsigned header_nr_features(const struct header *header);

/**
 * Reads the table of feature sections at @offset. One that is cut off loses features, not records.
 * Returns 0, or -1 with @err filled.
 */
int header_read_features(struct header *header, uint64_t offset, struct source *source,
			 struct error *err);

#endif
