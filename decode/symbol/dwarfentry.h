/*
 * What the entries (DIEs) of DWARF say of a function: its name, its addresses, and where its source
 * is.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARFENTRY_H
#define READPERF_DECODE_SYMBOL_DWARFENTRY_H

#include "decode/symbol/dwarfdata.h"
#include "decode/symbol/ranges.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/** Adds the address ranges of @die as @item; *@any tells if it has one. -1 if memory is out. */
int dwarf_entry_ranges(struct dwarf_data *data, Dwarf_Die *die, struct ranges *ranges,
		       uint32_t item, bool *any);

/**
 * The string that is attribute @name (DW_AT_) of @die or of what it refers to; NULL if there is
 * none.
 */
const char *dwarf_entry_string(const struct dwarf_data *data, const Dwarf_Die *die, unsigned name);

/**
 * Sets *@source to the source of the unit whose first entry is @cu, NULL if it has none; it lives
 * in @sources. Returns -1 if memory is out.
 */
int dwarf_entry_source(struct dwarf_data *data, const Dwarf_Die *cu, struct unit_sources *sources,
		       struct unit_source **source);

/**
 * Finds out how the function whose entry is @offset bytes into .debug_info is called and where it
 * stands, all of @out but its start. Returns -1 if memory is out.
 */
int dwarf_entry_function(struct dwarf_data *data, uint64_t offset, struct dwarf_function *out);

#endif
