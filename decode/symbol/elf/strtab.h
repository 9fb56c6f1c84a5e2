/*
 * String tables. A lookup takes constant time: it does not search for the end of the string, since
 * many entries may refer to one string that is as long as the file.
 */
#ifndef READPERF_DECODE_SYMBOL_ELF_STRTAB_H
#define READPERF_DECODE_SYMBOL_ELF_STRTAB_H

#include "util/span.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Returns @bytes cut after the last NUL, so that each byte starts a terminated string. */
static inline struct span strtab_make(struct span bytes)
{
	const uint8_t *last = span_left(&bytes) ? memrchr(bytes.pos, 0, span_left(&bytes)) : NULL;

	bytes.end = last ? last + 1 : bytes.pos;
	return bytes;
}

/** Returns the string at @offset of @table, valid as long as the table's bytes; NULL if outside. */
static inline const char *strtab_at(const struct span *table, uint64_t offset)
{
	return offset < span_left(table) ? (const char *)table->pos + offset : NULL;
}

#endif
