/* Types of the interface debuginfo.h: where the DWARF is, and what it says about an address. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_DEBUGTYPES_H
#define READPERF_DECODE_SYMBOL_DWARF_DEBUGTYPES_H

#include "decode/symbol/elf/elffile.h"

#include <stdbool.h>
#include <stdint.h>

struct split_tally;

/** An address that will be looked up. Who asks sets the first two members, aranges_find() the rest.
 */
struct debug_place {
	uint64_t address; /* virtual */
	bool is_named;	  /* its function has a name, so that DWARF is asked for the source alone */
	uint64_t start;	  /* of the range of addresses that covers it */
	/* Its unit's offset in .debug_info and that of the next one listed, or else UINT64_MAX. */
	uint64_t unit, end;
	const char *filename; /* see assembled.h; NULL if its unit has to be read */
};

/** The files with the DWARF of a binary; all but `main` may be NULL. */
struct debug_files {
	const struct elffile *main;
	const struct elffile *alternate; /* made by dwz(1); main refers to it */
	const struct elffile *package;	 /* .dwp with the split units of main */
	const char *root; /* directory used as the root for .dwo files; NULL: the system's */
	struct split_tally *tally; /* counts the split units looked for */
};

/** A function, or an inlined copy of one. */
struct debug_function {
	uint64_t start; /* start of the address range that was looked up; 0 for a copy */
	/* linkage name, else the plain one, in C++ with its scopes (scopedname.h); "" if it has
	 * none */
	const char *name;
	const char *filename; /* absolute if DWARF gives its directory; "" if unknown */
	uint32_t line;	      /* 0 if unknown */
	uint32_t call_line;   /* of a copy: line of the call in its caller; 0 if unknown */
};

/** A position in the source. */
struct source_line {
	const char *filename; /* absolute if DWARF gives its directory; "" if unknown */
	uint32_t line;	      /* 0: the compiler says that the code belongs to no line */
};

#endif
