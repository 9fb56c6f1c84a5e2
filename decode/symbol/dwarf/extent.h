/* Which addresses an entry of DWARF says that it covers. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_EXTENT_H
#define READPERF_DECODE_SYMBOL_DWARF_EXTENT_H

#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/elf/ranges.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Adds the addresses of @die to @ranges as @item; *@any tells if it has some. *@left bounds their
 * number and is lowered by it. Returns -1 if memory is out.
 */
int extent_add(const struct die *die, struct ranges *ranges, uint32_t item, size_t *left,
	       bool *any);

#endif
