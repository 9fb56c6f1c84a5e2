/*
 * The file header: magic, byte order, where the sections are.
 *
 * Layout from tools/perf/util/header.h (struct perf_file_header).
 */
#ifndef READPERF_PERFFILE_HEADER_H
#define READPERF_PERFFILE_HEADER_H

#include "perffile/format.h"
#include "perffile/source.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

/** Bytes [offset, offset + size) of the file. */
struct section {
	uint64_t offset, size;
};

struct header {
	bool swap;	    /* the recording is in the other byte order */
	bool pipe;	    /* records follow at once; everything else comes as records */
	uint64_t attr_size; /* bytes from one entry of @attrs to the next */
	struct section attrs, data, event_types;
	/* By feature number; size 0 if absent. Only sections inside the file are kept. */
	struct section features[HEADER_FEATURE_BITS];
	unsigned bent;		   /* fields that cannot be right and were put right: repair.h */
	unsigned missing_features; /* announced, but cut off or not in the file at all */
};

/**
 * Reads and checks the header of @source. A stream that is not in the pipe format is made a file
 * first, because its sections are read out of order. Returns 0, or -1 with @err filled.
 */
int header_read(struct header *header, struct source *source, struct error *err);

/**
 * What is loaded of a section at most: as many ids as an event may have, and far more than perf
 * writes into any other section. A file may say that a section fills terabytes, which a hole
 * does.
 */
enum { SECTION_LOAD_MAX = EVENT_IDS_MAX * 8 };

/**
 * The bytes of @section in a heap block that the caller frees, with @span set to read them. The
 * section is cut at the end of the file and at SECTION_LOAD_MAX. Returns NULL with @err filled if
 * it cannot be read.
 */
void *section_load(const struct section *section, struct source *source, bool swap,
		   struct span *span, struct error *err);

#endif
