/*
 * The DWARF of one binary: its functions, what was inlined into them, where they are defined in
 * the source, and the source lines of addresses.
 *
 * Reads only the units of addresses that are looked up, each once, and does not use libdw. libdw
 * gives the same answers (tests/unit/test_libdw.c compares them), but it walks a unit from its
 * start for each answer and does not guard against hostile files: it reads past a section for the
 * end of a string, reads shared abbreviations anew for each unit, and 0.188 aborts when asked for
 * the file of a function in a split unit. Measured with 2360 addresses of a C++ program of 175 MB,
 * relative to the time that readperf takes from reading the recording to writing the tables:
 *
 *	libdw, asked address by address (dwarf_addrdie, dwarf_getscopes):    200 times as long
 *	libdw, walking each sampled unit once, functions and their source:   4.3 times
 *	the same with inlined functions and lines:                           2.7 times
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_DEBUGINFO_H
#define READPERF_DECODE_SYMBOL_DWARF_DEBUGINFO_H

#include "decode/symbol/dwarf/debugtypes.h"
#include "decode/symbol/dwarf/split.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most levels of inlining that are followed; compilers produce far fewer. */
enum { DEBUGINFO_MAX_INLINED = 128 };

struct debuginfo;

/** True if @file has DWARF, which may be unreadable. */
bool debuginfo_exists(const struct elffile *file);

/** Returns the size in bytes of the units in the DWARF of @file, unpacked; 0 if there are none. */
uint64_t debuginfo_size(const struct elffile *file);

/**
 * Unpacks what is packed of the DWARF in @file and will be read in any case: all if @all, or else
 * what debuginfo_open_part() reads for any address.
 */
void debuginfo_unpack(const struct elffile *file, bool all);

/**
 * Opens the DWARF of files->main. All that @files refers to must stay valid until
 * debuginfo_close(). @strings keeps the strings, those of the functions included. Reads inlined
 * functions only if @wants_inlined. Returns NULL if there is no DWARF, or with *@nomem set if
 * memory is out.
 */
struct debuginfo *debuginfo_open(const struct debug_files *files, struct intern *strings,
				 bool wants_inlined, bool *nomem);

/** True if @file may tell debuginfo_open_part() which units have which addresses. */
bool debuginfo_has_part(const struct elffile *file);

/**
 * As debuginfo_open() without inlined functions, for the @nr @places only, which it fills and
 * sorts: reads no more than their units need, if .debug_aranges tells which these are. Once
 * debuginfo_is_short(), what was just found may be wrong, and debuginfo_open() is needed. Returns
 * NULL also if there is no such part.
 */
struct debuginfo *debuginfo_open_part(const struct debug_files *files, struct intern *strings,
				      struct debug_place *places, size_t nr, bool *nomem);

/** True if debuginfo_open_part() has opened it. */
bool debuginfo_is_part(const struct debuginfo *info);

/** True if debuginfo_open_part() was not enough for what was looked up. */
bool debuginfo_is_short(const struct debuginfo *info);

/**
 * Finds the innermost function, inlined ones not counted, that covers the virtual @address; cheap
 * for a series of ascending addresses. Sets *@function to it, valid until debuginfo_close(), or to
 * NULL if there is none. In a unit that an assembler made (see assembled.h) it has the unit's file,
 * no line, and no name if none is known. Returns -1 if memory is out, else 0.
 */
int debuginfo_find(struct debuginfo *info, uint64_t address,
		   const struct debug_function **function);

/**
 * Finds the functions inlined at @address into @function, which debuginfo_find() found there. Sets
 * @chain to *@nr of them, the innermost first, valid as long as @function. Returns -1 if memory is
 * out, else 0.
 */
int debuginfo_find_inlined(struct debuginfo *info, uint64_t address,
			   const struct debug_function *function,
			   const struct debug_function *chain[DEBUGINFO_MAX_INLINED], size_t *nr);

/**
 * Finds the source line of the virtual @address. *@found: whether there is one. Line tables are
 * read only for this. Returns -1 if memory is out, else 0.
 */
int debuginfo_find_line(struct debuginfo *info, uint64_t address, struct source_line *line,
			bool *found);

/** True if a .dwo file was written or truncated while it was read: results may be wrong. */
bool debuginfo_has_changed(const struct debuginfo *info);

void debuginfo_close(struct debuginfo *info);

#endif
