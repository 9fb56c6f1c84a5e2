/*
 * .debug_aranges: which units cover which addresses (DWARF 5, section 6.1.2).
 *
 * gcc writes it for all units with code, clang for none unless asked to. So an address that is not
 * in it may still belong to a unit; and where a linker has left one of several equal inline
 * functions, an address that is in it may belong to a unit that is not, too: another copy of the
 * same header is named then.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_ARANGES_H
#define READPERF_DECODE_SYMBOL_DWARF_ARANGES_H

#include "decode/symbol/dwarf/debugtypes.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Fills the @nr @places from @section and sorts them by their units. *@all: whether each is in a
 * unit, and the units are listed in their order; else @places are not to be used. Returns -1 if
 * memory is out, else 0.
 */
int aranges_find(struct span section, struct debug_place *places, size_t nr, bool *all);

#endif
