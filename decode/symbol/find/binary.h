/*
 * What was found out about one dso: its symbols, its DWARF, and the answers given so far.
 *
 * The answers (struct symbol) live until binary_free(), everything else until binary_unload().
 */
#ifndef READPERF_DECODE_SYMBOL_FIND_BINARY_H
#define READPERF_DECODE_SYMBOL_FIND_BINARY_H

#include "decode/symbol/answer.h"
#include "decode/symbol/dwarf/debuginfo.h"
#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/elf/symtab.h"
#include "decode/symbol/file/file.h"
#include "decode/symbol/origin.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>

/** A table of symbols with the names that were asked for, as they are shown. */
struct named_symtab {
	struct symtab table;
	const char **shown; /* by range; NULL until asked for */
	size_t cursor;
};

/** Where a symbol is defined; the filename lies in the binary's file, NULL if unknown. */
struct jit_source {
	const char *filename;
	uint32_t line;
};

/** A name as the binary has it and as it is shown. */
struct shown_name {
	const char *name, *shown;
};

/** All zero is a binary that was not loaded. */
struct binary {
	bool is_loaded;
	enum reason reason; /* why nothing can be looked up, or REASON_NONE */

	bool wants_lines;    /* set before it is loaded: source lines will be asked for */
	struct binary *like; /* set before it is loaded: one that is, perhaps of the same files */
	struct binary *same; /* that one if it is: places are looked up in it; or NULL */

	/* Set by the file that loads it; each may be NULL. */
	struct elffile *runtime;     /* the file that ran: places count its bytes */
	struct elffile *debug;	     /* its separate debug file */
	struct elffile *alternate;   /* holds DWARF that theirs refers to, or NULL */
	struct elffile *package;     /* holds their split units, or NULL */
	const char *root;	     /* that paths in DWARF are seen in; NULL: the system's */
	bool debug_is_partial;	     /* its symbols are those that runtime has not */
	struct symbol_origin origin; /* its strings are in `strings`; they outlive the files */
	uint64_t shift;		     /* without runtime: added to a place to get the address */

	char *text;		/* that the symbols' names lie in, if it is no ELF file; or NULL */
	bool as_written;	/* names are shown as they are */
	struct file_bytes file; /* the same, of a file that lies in memory */
	struct jit_source *sources; /* of the symbols of a jitdump, by their order; or NULL */
	uint64_t jit_state;	    /* DSO_JIT: mapsymbols_state() before it was loaded */

	struct named_symtab symbols, stubs; /* stubs: of the procedure linkage table */
	bool tried_debuginfo;
	struct debuginfo *debuginfo;
	struct split_tally splits; /* of all that was looked up */

	struct intern strings;
	struct symbol **answers;
	size_t nr_answers, answers_room;
	struct index by_content;  /* of answers */
	struct shown_name *names; /* of DWARF, as far as they were asked for */
	size_t names_room;
	struct index by_name; /* of names, by their place in strings */
};

/** Fills the symbols from the ELF files that are set. Returns -1 if memory is out. */
int binary_read_elf(struct binary *binary);

/** Marks the binary as loaded: REASON_NONE, or why its addresses have no names. */
void binary_set_reason(struct binary *binary, enum reason reason);

/**
 * Opens the DWARF of the file that ran or else of its debug file, once; with the functions that
 * were inlined if @inlined. Leaves binary->debuginfo NULL if there is none. Returns -1 if memory is
 * out.
 */
int binary_open_debuginfo(struct binary *binary, bool inlined);

/** Whether one of its files was written or cut while it was read: what was found may be wrong. */
bool binary_has_changed(const struct binary *binary);

/** Closes the files and drops the index; answers stay. May be loaded again. */
void binary_unload(struct binary *binary);

void binary_free(struct binary *binary);

#endif
