/*
 * Units that an assembler made: its functions have no position in the source, but they are all in
 * the unit's own file.
 *
 * GNU's assembler gives functions by name and address alone, LLVM's only labels. If another one
 * gave positions, they would not be used: whether a unit is read or not, its functions have one
 * answer. Which file it was
 * is also in the header of the unit's line program (from version 5 on), and .debug_line is a
 * quarter of .debug_info. In a C library memmove() and the like are in the second half of it.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_ASSEMBLED_H
#define READPERF_DECODE_SYMBOL_DWARF_ASSEMBLED_H

#include "decode/symbol/dwarf/debugtypes.h"
#include "decode/symbol/dwarf/linefiles.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>

/** True if a unit made from the source file @name was assembled: it ends in ".s" or ".S". */
bool assembled_is_from(const char *name);

/**
 * Sets *@path to that of the file of the unit with the line header @table, kept in @strings, if it
 * was assembled and the header tells; else to NULL. Returns -1 if memory is out, else 0.
 */
int assembled_path(const struct line_files *table, struct intern *strings, const char **path);

/**
 * Sets the file names of the last ones of the *@nr @places, sorted by unit, and *@nr to how many
 * come before them: those whose units were assembled and have no place that DWARF may have to name.
 * The line program of such a unit is the one in @sections that starts where the range of a place
 * does; sections->line may be the start of the section. Returns -1 if memory is out, else 0.
 */
int assembled_find(const struct line_sections *sections, struct intern *strings,
		   struct debug_place *places, size_t *nr);

#endif
