/* The sections of a file that hold its DWARF. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_DEBUGSECTIONS_H
#define READPERF_DECODE_SYMBOL_DWARF_DEBUGSECTIONS_H

#include "decode/symbol/elf/elffile.h"
#include "util/span.h"

#include <stdbool.h>

/** .debug_info and so on, uncompressed, valid as long as the file. Missing sections are empty. */
struct debug_sections {
	struct span info, types, abbrevs;
	struct span str, line_str; /* from strtab_make() */
	struct span str_offsets, addresses, ranges, rnglists;
	struct span line;
};

/** Finds the sections of @file. Returns false if it has no .debug_info, or if it is is_bloated. */
bool debug_sections_open(struct debug_sections *sections, const struct elffile *file);

/** As debug_sections_open() for a file of split units: .debug_info.dwo and so on. */
void debug_sections_open_split(struct debug_sections *sections, const struct elffile *file);

#endif
