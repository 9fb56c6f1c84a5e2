/* The addresses that a DWARF entry covers. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_EXTENT_H
#define READPERF_DECODE_SYMBOL_DWARF_EXTENT_H

#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/elf/ranges.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Adds the addresses of @die to @ranges as @item. Sets *@any to whether it has some. *@left limits
 * the number of ranges read and is lowered by it. Returns -1 if memory is out, else 0.
 */
int extent_add(const struct die *die, struct ranges *ranges, uint32_t item, size_t *left,
	       bool *any);

#endif
