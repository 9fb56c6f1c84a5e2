/*
 * Tables of strings that entries elsewhere point into. An entry costs the same however long its
 * string is: many may point at one that is as long as the file.
 */
#ifndef READPERF_DECODE_SYMBOL_ELF_STRTAB_H
#define READPERF_DECODE_SYMBOL_ELF_STRTAB_H

#include "util/span.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** @bytes up to the last NUL: from each of them on there is a string. */
static inline struct span strtab_make(struct span bytes)
{
	const uint8_t *last = span_left(&bytes) ? memrchr(bytes.pos, 0, span_left(&bytes)) : NULL;

	bytes.end = last ? last + 1 : bytes.pos;
	return bytes;
}

/** The string at @offset of @table; NULL if that is not in it. */
static inline const char *strtab_at(const struct span *table, uint64_t offset)
{
	return offset < span_left(table) ? (const char *)table->pos + offset : NULL;
}

#endif
