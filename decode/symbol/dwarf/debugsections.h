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
	/* Bytes of the whole sections, of which info, abbrevs and line may be the start. */
	size_t info_size, abbrevs_size, line_size;
};

/** Finds the sections of @file. Returns false if it has no .debug_info, or if it is is_bloated. */
bool debug_sections_open(struct debug_sections *sections, const struct elffile *file);

/** True if @file has a .debug_info; debug_sections_open() may still fail. */
bool debug_sections_exist(const struct elffile *file);

/** Returns the bytes of .debug_info, unpacked; 0 if there is none. */
uint64_t debug_sections_size(const struct elffile *file);

/** The same for .debug_line. */
uint64_t debug_sections_line_size(const struct elffile *file);

/** True if .debug_info is packed, and was not unpacked whole. */
bool debug_sections_are_packed(const struct elffile *file);

/**
 * As debug_sections_open() with only the first @info_size bytes of .debug_info, and nothing of
 * .debug_abbrev and .debug_line: for these use debug_sections_start(). False also if one of
 * these is in GNU's old compressed format.
 */
bool debug_sections_open_part(struct debug_sections *sections, const struct elffile *file,
			      uint64_t info_size);

/** Returns the first @size bytes of section .debug_@name of @file, all if it has fewer. */
struct span debug_sections_start(const struct elffile *file, const char *name, uint64_t size);

/** As debug_sections_open() for a file of split units: .debug_info.dwo and so on. */
void debug_sections_open_split(struct debug_sections *sections, const struct elffile *file);

#endif
