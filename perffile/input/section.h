/* Sections of a file: where they are, and their bytes. */
#ifndef READPERF_PERFFILE_INPUT_SECTION_H
#define READPERF_PERFFILE_INPUT_SECTION_H

#include "perffile/format.h"
#include "perffile/input/source.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

/** Bytes [offset, offset + size) of the file. */
struct section {
	uint64_t offset, size;
};

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
