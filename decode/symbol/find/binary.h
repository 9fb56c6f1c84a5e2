/*
 * The loaded data of one dso: its symbols, its DWARF, and the answers given so far.
 *
 * The answers (struct symbol) are valid until binary_free(), everything else until binary_unload().
 */
#ifndef READPERF_DECODE_SYMBOL_FIND_BINARY_H
#define READPERF_DECODE_SYMBOL_FIND_BINARY_H

#include "decode/symbol/answer.h"
#include "decode/symbol/dwarf/debuginfo.h"
#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/elf/symtab.h"
#include "decode/symbol/file/file.h"
#include "decode/symbol/go/gotable.h"
#include "decode/symbol/origin.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>

/** A symbol table with the printed names of the symbols looked up so far. */
struct named_symtab {
	struct symtab table;
	const char **shown; /* by index of the range; NULL until first looked up */
	size_t cursor;
};

/** Where a symbol is defined. The filename is in the binary's mapped file; NULL if unknown. */
struct jit_source {
	const char *filename;
	uint32_t line;
};

/** A name in the binary and its printed form. */
struct shown_name {
	const char *name, *shown;
};

/** All zero means not loaded. */
struct binary {
	bool is_loaded;
	enum reason reason; /* why lookups are impossible, or REASON_NONE */

	bool wants_lines; /* set before loading: source lines will be looked up */
	bool wants_code;  /* the same of instructions */
	/* set before loading: all that will be looked up before unloading; NULL: anything */
	const struct place_list *expected;
	struct binary *like; /* set before loading: may have the same files; or NULL */
	struct binary *same; /* `like` if its files are the same: look up places in it; or NULL */

	/* Set by the loader; each may be NULL. */
	struct elffile *runtime;     /* the file that ran; places are offsets in it */
	struct elffile *debug;	     /* separate debug file */
	struct elffile *alternate;   /* holds DWARF that runtime's or debug's refers to */
	struct elffile *package;     /* holds the split units of runtime's or debug's DWARF */
	const char *root;	     /* root directory for paths in DWARF; NULL: the system's */
	bool debug_is_partial;	     /* debug has only the symbols that runtime lacks */
	struct symbol_origin origin; /* strings are in `strings` and remain valid after unloading */
	uint64_t shift;		     /* if runtime is NULL: place + shift is the address */

	char *text;		/* text with the symbols' names, if not from ELF; owned, or NULL */
	bool as_written;	/* names are not demangled */
	struct file_bytes file; /* mapped file with the symbols' names, if not from ELF */
	uint16_t file_machine;	/* EM_ of the code in `file`; 0 if it has none */
	struct jit_source *sources; /* of a jitdump's symbols, by symtab_entry.order; or NULL */
	uint64_t jit_state;	    /* DSO_JIT: mapsymbols_state() from before loading */

	struct named_symtab symbols, stubs; /* stubs: procedure linkage table */
	struct gotable go;	 /* of runtime; without functions if it is no Go program */
	struct golines go_lines; /* where lines were looked for last */
	struct cfi *cfi;	 /* of runtime; NULL until it is asked */
	bool tried_debuginfo;
	struct debuginfo *debuginfo;
	struct split_tally splits; /* counted over all lookups */

	struct intern strings;
	struct code **codes; /* of functions with many samples; valid as the answers are */
	size_t nr_codes, codes_room;
	struct symbol **answers;
	size_t nr_answers, answers_room;
	struct index by_content;  /* index of answers */
	struct shown_name *names; /* from DWARF, those looked up so far */
	size_t names_room;
	struct index by_name; /* index of names, by the address of the string */
};

/** Reads symbols and stubs from the ELF files; runtime must be set. -1 if memory is out. */
int binary_read_elf(struct binary *binary);

/** Marks the binary as loaded. @reason says why its addresses have no names, or is REASON_NONE. */
void binary_set_reason(struct binary *binary, enum reason reason);

/**
 * Opens the DWARF of the file that ran or else of its debug file, unless that was tried before;
 * with inlined functions if @inlined. Leaves binary->debuginfo NULL if there is no DWARF. Returns
 * -1 if memory is out.
 */
int binary_open_debuginfo(struct binary *binary, bool inlined);

/**
 * Sets *@is_one to whether no function without a symbol can begin after @one, up to @other. None
 * can if one FDE covers both. Nor can one if no FDE covers either or begins between them, and local
 * functions have symbols: only an assembler makes such code, as the dynamic linker's _start, and
 * its functions have symbols, too. False if there is no file that ran. Returns -1 if memory is out,
 * else 0.
 */
int binary_is_one_function(struct binary *binary, uint64_t one, uint64_t other, bool *is_one);

/** The same for *@is_signal, as cfi_is_signal() sets it. */
int binary_is_signal(struct binary *binary, uint64_t address, bool *is_signal);

/** True if binary_open_debug_part() may open something. */
bool binary_has_debug_part(const struct binary *binary);

/**
 * Opens as much of the DWARF as binary_find_debug_function() will need for the @nr @places, which
 * it fills and sorts, without inlined functions, if no DWARF was opened before and if that much is
 * known. Returns -1 if memory is out.
 */
int binary_open_debug_part(struct binary *binary, struct debug_place *places, size_t nr);

/** Sets who may help to unpack sections of its files, borrowed. */
void binary_set_helpers(struct binary *binary, struct helpers *helpers);

/** Sets whether more places will be looked up than are told to binary_open_debug_part(). */
void binary_expect_more(struct binary *binary, bool more);

/** Closes what binary_open_debug_part() has opened, if it has: the next one opens all. */
void binary_close_debug_part(struct binary *binary);

/**
 * Finds the function at the virtual @address as debuginfo_find() does, in the part of the DWARF
 * that is open or, if that cannot tell, in all of it, opened as binary_open_debuginfo() does. NULL
 * also if there is no DWARF.
 * Returns -1 if memory is out.
 */
int binary_find_debug_function(struct binary *binary, uint64_t address, bool inlined,
			       const struct debug_function **function);

/** Unpacks the DWARF that will be opened in any case: all of it if @all. */
void binary_unpack_debuginfo(const struct binary *binary, bool all);

/** Returns the size in bytes of the units in the DWARF that is opened first; 0 if there is none. */
uint64_t binary_debug_size(const struct binary *binary);

/** Returns how many bytes of its files were unpacked so far. */
size_t binary_unpacked(const struct binary *binary);

/** True if one of its files was written or cut while it was read, so the answers may be wrong. */
bool binary_has_changed(const struct binary *binary);

/** Closes the files and frees all but the answers. The binary may be loaded again. */
void binary_unload(struct binary *binary);

/**
 * As binary_unload(), and forgets what was found out about it, too: where it came from, which split
 * units it lacks. For a dso of which it has turned out that it is another file.
 */
void binary_forget(struct binary *binary);

/** Frees @binary, which may be NULL, and its answers. */
void binary_free(struct binary *binary);

#endif
