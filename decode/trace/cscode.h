/* The bytes of code that a CoreSight trace leads through: those of the files that are mapped. */
#ifndef READPERF_DECODE_TRACE_CSCODE_H
#define READPERF_DECODE_TRACE_CSCODE_H

#include "decode/process/maps.h"
#include "decode/symbol/symbol.h"

#include <stddef.h>
#include <stdint.h>

/**
 * Reads up to @len bytes of code at @address of a process with @maps, from the file of its build id
 * alone. Returns how many; 0: it is not known.
 */
size_t cscode_read(struct symbolizer *symbolizer, const struct map_set *maps, uint64_t address,
		   uint8_t *to, size_t len);

#endif
