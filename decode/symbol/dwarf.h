/*
 * One binary as its DWARF describes it: its functions, what was inlined into them, where they are
 * defined in the source, and the source lines of addresses.
 *
 * Only the units that addresses fall into are read, each once. The only files that talk to libdw
 * are this door's: dwarfdata, dwarfentry, dwarfunit, dwarfsplit.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_H
#define READPERF_DECODE_SYMBOL_DWARF_H

#include "decode/symbol/elf.h"
#include "decode/symbol/splittally.h"
#include "decode/symbol/unitsource.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stdint.h>

/* How deep inlined functions are followed; compilers stop long before. */
enum { DWARF_MAX_INLINED = 128 };

struct dwarf;

/** The strings are kept by whoever gave the table to dwarf_open(). */
struct dwarf_function {
	uint64_t start;	      /* lowest address of the part that was looked up */
	const char *name;     /* linkage name, else the plain one; "" if it has none */
	const char *filename; /* absolute if DWARF says from where; "" if unknown */
	uint32_t line;	      /* 0 if unknown */
};

/** Where the DWARF of a binary is; all but `main` may be NULL. */
struct dwarf_files {
	const struct elf_file *main;
	const struct elf_file *alternate; /* that main refers to */
	const struct elf_file *package;	  /* of the split units of main */
	const char *root; /* directory that stands for the root for .dwo files; NULL: the root */
	struct split_tally *tally; /* counts the split units that are looked for */
};

/**
 * Opens the DWARF of files->main; all that is in @files must live longer. Its strings are kept in
 * @strings. Inlined functions are only read if @wants_inlined. Returns NULL if there is none, or
 * with *@nomem set if memory is out.
 */
struct dwarf *dwarf_open(const struct dwarf_files *files, struct intern *strings,
			 bool wants_inlined, bool *nomem);

/**
 * Finds the innermost function (inlined ones do not count) that covers the virtual @address; cheap
 * for a series of ascending addresses. *@function is NULL if none does, else it lives until
 * dwarf_close(). Returns -1 if memory is out.
 */
int dwarf_find(struct dwarf *dwarf, uint64_t address, const struct dwarf_function **function);

/**
 * Finds the functions inlined at @address into @function, which dwarf_find() found there: *@nr of
 * them, the innermost first; their `start` is 0. They live as long as @function. -1: no memory.
 */
int dwarf_find_inlined(struct dwarf *dwarf, uint64_t address, const struct dwarf_function *function,
		       const struct dwarf_function *chain[DWARF_MAX_INLINED], size_t *nr);

/**
 * Finds the source line of the virtual @address; *@found tells if there is one. The line tables are
 * only read for this. Returns -1 if memory is out.
 */
int dwarf_find_line(struct dwarf *dwarf, uint64_t address, struct source_line *line, bool *found);

void dwarf_close(struct dwarf *dwarf);

#endif
