/* Sections of a file: their positions and their bytes. */
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
 * The most bytes loaded of a section: as many ids as an event may have, and far more than perf
 * writes into any other section. In a sparse file, a section may have terabytes.
 */
enum { SECTION_LOAD_MAX = EVENT_IDS_MAX * 8 };

/**
 * Loads the bytes of @section into memory, which the caller frees, and sets @span to read them. The
 * section is cut at the end of the file and at SECTION_LOAD_MAX. Returns NULL with @err filled if
 * it cannot be read.
 */
void *section_load(const struct section *section, struct source *source, bool swap,
		   struct span *span, struct error *err);

#endif
