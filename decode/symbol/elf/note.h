/* Finding the build id in ELF notes. */
#ifndef READPERF_DECODE_SYMBOL_ELF_NOTE_H
#define READPERF_DECODE_SYMBOL_ELF_NOTE_H

#include "decode/symbol/dso.h"
#include "util/span.h"

/**
 * Looks for an NT_GNU_BUILD_ID note in @notes, whose parts are padded to @align (4 or 8) bytes.
 *
 * @return the number of bytes written to @id, cut to DSO_BUILD_ID_MAX as in perf; 0 if there is no
 * such note.
 */
size_t note_build_id(struct span notes, uint64_t align, uint8_t id[DSO_BUILD_ID_MAX]);

#endif
