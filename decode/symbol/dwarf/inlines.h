/* The functions inlined into those of one DWARF unit, and into each other. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_INLINES_H
#define READPERF_DECODE_SYMBOL_DWARF_INLINES_H

#include "decode/symbol/dwarf/debugtypes.h"
#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/elf/ranges.h"

#include <stddef.h>
#include <stdint.h>

#define INLINE_NONE UINT32_MAX

/** One inlined copy of a function. */
struct inlined {
	uint64_t place;		       /* offset of its entry in the unit's entries, in bytes */
	struct debug_function *answer; /* name and source; NULL until requested */
	uint32_t caller;   /* number of the copy that it is inlined into, or INLINE_NONE */
	uint32_t function; /* number of the function that contains the code */
};

/** An entry whose children are being scanned. */
struct inline_scope {
	uint32_t depth;
	uint32_t inlined;  /* number of the copy, INLINE_NONE for the function itself */
	uint32_t function; /* its number, INLINE_NONE if it has no code */
};

/** All zero is an empty list. */
struct inlines {
	struct inlined *list; /* a caller comes before what is inlined into it */
	size_t nr, room;
	struct ranges ranges; /* items are numbers in the list */
	size_t cursor;
	struct inline_scope *open; /* during the scan: entries around the current one */
	size_t nr_open, open_room;
};

/**
 * Opens the scope of the function @entry with number @function, INLINE_NONE if it has no code.
 * Returns -1 if memory is out, else 0.
 */
int inlines_enter_function(struct inlines *inlines, const struct die_entry *entry,
			   uint32_t function);

/**
 * Adds the inlined copy @entry; entries must come in the order of die_scan(). Sets *@number to its
 * number, for the ranges, or to INLINE_NONE if it is not in a function that has code. Returns -1 if
 * memory is out, else 0.
 */
int inlines_enter(struct inlines *inlines, const struct die_entry *entry, uint32_t *number);

/**
 * Prepares the ranges for inlines_find(); nothing may be added afterwards. Returns -1 if memory is
 * out, else 0.
 */
int inlines_build(struct inlines *inlines);

/** Returns the number of the innermost copy at @address, or INLINE_NONE. */
uint32_t inlines_find(struct inlines *inlines, uint64_t address);

/** Frees all, the answers included. */
void inlines_free(struct inlines *inlines);

#endif
