/*
 * The file header: magic, byte order, positions of the sections.
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
	bool pipe;	    /* a pipe: records follow at once and carry everything else */
	uint64_t attr_size; /* bytes from one entry of @attrs to the next */
	struct section attrs, data, event_types;
	uint64_t bitmap[HEADER_FEATURE_BITS / 64]; /* the features present */
	/* By feature number; size 0 if absent. Only those that start inside the file are kept. */
	struct section features[HEADER_FEATURE_BITS];
	unsigned bent;		   /* wrong fields that were repaired: repair.h */
	unsigned missing_features; /* announced, but cut off or absent */
};

/**
 * Reads the header from the head of @source, without checking its sections. Returns 0, or -1 with
 * @err filled.
 */
int header_read(struct header *header, const struct source *source, struct error *err);

/** Checks that the file can have @header's sections. Returns 0, or -1 with @err filled. */
int header_check(const struct header *header, const struct source *source, struct error *err);

/** Returns how many feature sections @header announces. */
unsigned header_nr_features(const struct header *header);

/**
 * Reads the table of feature sections at file offset @offset. Sections that are absent or cut off
 * are no error but counted in missing_features. Returns 0, or -1 with @err filled.
 */
int header_read_features(struct header *header, uint64_t offset, struct source *source,
			 struct error *err);

/**
 * Whether a recording begins with @magic, its first 8 bytes as they are in memory here; of either
 * byte order, but not of the oldest format.
 */
bool header_is_magic(uint64_t magic);

/** As header_is_magic(), and of the oldest format, too. */
bool header_is_any_magic(uint64_t magic);

/** Returns the file offset at which the last of @header's sections ends. */
uint64_t header_end(const struct header *header);

#endif
