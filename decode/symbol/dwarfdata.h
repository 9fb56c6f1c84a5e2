/*
 * The DWARF of a binary as a whole: libdw's view of it, its sections, and the bounds of what is
 * read.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARFDATA_H
#define READPERF_DECODE_SYMBOL_DWARFDATA_H

#include "decode/symbol/diescan.h"
#include "decode/symbol/dwarf.h"
#include "decode/symbol/unitsource.h"
#include "util/intern.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Dwarf; /* libdw's */

/** DWARF that was moved into a file of its own, because several binaries have it (dwz(1)). */
struct dwarf_alternate {
	struct Dwarf *dw;	 /* NULL: there is none */
	struct span info, types; /* .debug_info, .debug_types */
	struct unit_sources sources;
};

struct dwarf_data {
	struct Dwarf *dw;
	struct dwarf_files files;
	struct dwarf_alternate alternate;
	struct intern *strings; /* borrowed */
	bool wants_inlined;
	bool has_changed;		  /* a .dwo file, while it was read */
	struct span info, types, abbrevs; /* .debug_info, .debug_types, .debug_abbrev */
	struct unit_sources sources;
	/* How many ranges the file can hold, and how many bytes of abbreviations its units can
	   need, even if they share them: bounds what damage can cost. */
	size_t ranges_left, abbrevs_left;
	uint64_t split_left;		   /* the same for the bytes of split units */
	struct die_layouts layouts;	   /* of the unit that is being read */
	struct span addresses, old_ranges; /* .debug_addr, .debug_ranges */
};

/**
 * Fills @data, which is all zero, from @files, which must live longer, as for dwarf_open(). Returns
 * false if there is no DWARF that can be read, or if memory is out, which @nomem tells;
 * dwarf_data_close() is fine all the same.
 */
bool dwarf_data_open(struct dwarf_data *data, const struct dwarf_files *files,
		     struct intern *strings, bool wants_inlined, bool *nomem);

void dwarf_data_close(struct dwarf_data *data);

#endif
