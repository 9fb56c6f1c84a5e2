/*
 * One binary as its DWARF describes it: its functions, what was inlined into them, where they are
 * defined in the source, and the source lines of addresses.
 *
 * Only the units that addresses fall into are read, each once, by the reader of this folder. libdw
 * could tell the same, and is the oracle of tests/unit/test_libdw.c, but it walks a unit from its
 * start for each answer, and expects files that no stranger has made: it reads on behind a section
 * for the end of a string, reads shared abbreviations anew for each unit, and 0.188 aborts when
 * asked for the file of a function in a split unit. Measured with 2360 addresses of a C++ program
 * of 175 MB, against all that readperf does from reading the recording to writing the tables:
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

/* How deep inlined functions are followed; compilers stop long before. */
enum { DEBUGINFO_MAX_INLINED = 128 };

struct debuginfo;

/**
 * Opens the DWARF of files->main; all that is in @files must live longer. Its strings are kept in
 * @strings, also those of the functions. Inlined functions are only read if @wants_inlined. Returns
 * NULL if there is none, or with *@nomem set if memory is out.
 */
struct debuginfo *debuginfo_open(const struct debug_files *files, struct intern *strings,
				 bool wants_inlined, bool *nomem);

/**
 * Finds the innermost function (inlined ones do not count) that covers the virtual @address; cheap
 * for a series of ascending addresses. *@function is NULL if none does, else it lives until
 * debuginfo_close(). Returns -1 if memory is out.
 */
int debuginfo_find(struct debuginfo *info, uint64_t address,
		   const struct debug_function **function);

/**
 * Finds the functions inlined at @address into @function, which debuginfo_find() found there: *@nr
 * of them, the innermost first. They live as long as @function. -1: no memory.
 */
int debuginfo_find_inlined(struct debuginfo *info, uint64_t address,
			   const struct debug_function *function,
			   const struct debug_function *chain[DEBUGINFO_MAX_INLINED], size_t *nr);

/**
 * Finds the source line of the virtual @address; *@found tells if there is one. The line tables are
 * only read for this. Returns -1 if memory is out.
 */
int debuginfo_find_line(struct debuginfo *info, uint64_t address, struct source_line *line,
			bool *found);

/** Whether a .dwo file was written or cut while it was read: what was found may be wrong. */
bool debuginfo_has_changed(const struct debuginfo *info);

void debuginfo_close(struct debuginfo *info);

#endif
