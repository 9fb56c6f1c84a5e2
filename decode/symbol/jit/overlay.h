/* Overlapping code: an address belongs to the last piece added that covers it. */
#ifndef READPERF_DECODE_SYMBOL_JIT_OVERLAY_H
#define READPERF_DECODE_SYMBOL_JIT_OVERLAY_H

#include "decode/symbol/elf/symtab.h"

#include <stddef.h>
#include <stdint.h>

/** Code in [start, end). */
struct overlay_code {
	uint64_t start, end;
	const char *name;
	uint32_t number; /* order of overlay_add(), from 0 */
};

/** All zero is empty. */
struct overlay {
	struct overlay_code *list;
	size_t nr, room;
};

/** Adds code of @size bytes, cut at UINT64_MAX; @name is borrowed. -1 if memory is out. */
int overlay_add(struct overlay *overlay, uint64_t start, uint64_t size, const char *name);

/** Fills and builds the empty @table with the visible parts. O(n log n). -1 if memory is out. */
int overlay_build(struct overlay *overlay, struct symtab *table);

/** Frees the list; the names are the caller's. */
void overlay_free(struct overlay *overlay);

#endif
