/* What goes in and out at the door, debuginfo.h: where DWARF is, and what it says of a place. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_DEBUGTYPES_H
#define READPERF_DECODE_SYMBOL_DWARF_DEBUGTYPES_H

#include "decode/symbol/elf/elffile.h"

#include <stdint.h>

struct split_tally;

/** Where the DWARF of a binary is; all but `main` may be NULL. */
struct debug_files {
	const struct elffile *main;
	const struct elffile *alternate; /* that main refers to */
	const struct elffile *package;	 /* of the split units of main */
	const char *root; /* directory that stands for the root for .dwo files; NULL: the root */
	struct split_tally *tally; /* counts the split units that are looked for */
};

/** A function, or an inlined copy of one. */
struct debug_function {
	uint64_t start;	      /* lowest address of the part that was looked up; 0 for a copy */
	const char *name;     /* linkage name, else the plain one; "" if it has none */
	const char *filename; /* absolute if DWARF says from where; "" if unknown */
	uint32_t line;	      /* 0 if unknown */
	uint32_t call_line;   /* of a copy, in its caller; 0 if unknown */
};

/** A statement's place in the source. */
struct source_line {
	const char *filename; /* absolute if DWARF says from where; "" if unknown */
	uint32_t line;	      /* 0: the compiler says that the code belongs to no line */
};

#endif
