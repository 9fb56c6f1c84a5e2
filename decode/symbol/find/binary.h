/*
 * What was found out about one dso: its symbols, its DWARF, and the answers given so far.
 *
 * The answers (struct symbol) live until binary_free(), everything else until binary_unload().
 */
#ifndef READPERF_DECODE_SYMBOL_FIND_BINARY_H
#define READPERF_DECODE_SYMBOL_FIND_BINARY_H

#include "decode/symbol/dwarf/debuginfo.h"
#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/elf/symtab.h"
#include "decode/symbol/file.h"
#include "decode/symbol/origin.h"
#include "decode/symbol/place.h"
#include "decode/symbol/symbolsettings.h"
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

/** What is asked about a place. */
struct lookup {
	const struct symbol_settings *settings;
	bool with_source;	     /* the symbol's file and line are wanted */
	struct place_detail *detail; /* is filled; NULL if it is not wanted */
};

/** All zero is a binary that was not loaded. */
struct binary {
	bool is_loaded;
	enum reason reason; /* why nothing can be looked up, or REASON_NONE */

	bool wants_lines;    /* set before it is loaded: source lines will be asked for */
	struct binary *like; /* set before it is loaded: one that is, perhaps of the same files */
	struct binary *same; /* that one if it is: places are looked up in it; or NULL */

	/* Set by the source that loads it; either may be NULL. */
	struct elf_file *runtime;    /* the file that ran: places count its bytes */
	struct elf_file *debug;	     /* its separate debug file */
	struct elf_file *alternate;  /* holds DWARF that theirs refers to, or NULL */
	struct elf_file *package;    /* holds their split units, or NULL */
	const char *root;	     /* that paths in DWARF are seen in; NULL: the system's */
	bool debug_is_partial;	     /* its symbols are those that runtime has not */
	struct symbol_origin origin; /* its strings are in `strings`; they outlive the files */
	uint64_t shift;		     /* without runtime: added to a place to get the address */

	char *text;		/* that the symbols' names lie in, if it is no ELF file; or NULL */
	bool as_written;	/* names are shown as they are */
	struct file_bytes file; /* the same, of a file that lies in memory */
	struct jit_source *sources; /* of the symbols of a jitdump, by their order; or NULL */
	uint64_t jit_state;	    /* DSO_JIT: source_jit_state() of before it was loaded */

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
 * The symbol at @place (see enum dso_kind); cheap for a series of ascending places. NULL if memory
 * is out.
 */
const struct symbol *binary_lookup(struct binary *binary, uint64_t place, const struct lookup *how);

/** Whether one of its files was written or cut while it was read: what was found may be wrong. */
bool binary_has_changed(const struct binary *binary);

/** The symbol that stands for not having one because of @reason; it lives forever. */
const struct symbol *binary_unknown(enum reason reason);

/** Closes the files and drops the index; answers stay. May be loaded again. */
void binary_unload(struct binary *binary);

void binary_free(struct binary *binary);

#endif
