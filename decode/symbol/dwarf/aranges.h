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

#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Units by their offsets in .debug_info, in bytes, ascending. All zero is an empty set. */
struct aranges_units {
	uint64_t *offsets;
	size_t nr;
	uint64_t end; /* where the next one that is listed begins; UINT64_MAX if none does */
};

/**
 * Finds the units that cover the @nr virtual @addresses in @section. *@all: whether each address is
 * covered, and the units are listed in their order; else @units is empty. Call aranges_free() in
 * any case. Returns -1 if memory is out, else 0.
 */
int aranges_find(struct span section, const uint64_t *addresses, size_t nr,
		 struct aranges_units *units, bool *all);

void aranges_free(struct aranges_units *units);

#endif
