/*
 * The functions that were inlined into those of one DWARF unit, and into each other.
 */
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
	uint64_t place;		       /* of its entry, in those of the unit */
	struct debug_function *answer; /* what it is a copy of; NULL until asked for */
	uint32_t caller;	       /* the copy that it is inlined into, or INLINE_NONE */
	uint32_t function;	       /* number of the function with the code */
};

/** An entry whose children are being met. */
struct inline_scope {
	uint32_t depth;
	uint32_t inlined;  /* number of the copy, INLINE_NONE for the function itself */
	uint32_t function; /* INLINE_NONE for one without code */
};

/** All zero has none. */
struct inlines {
	struct inlined *list; /* callers come before what is inlined into them */
	size_t nr, room;
	struct ranges ranges; /* of numbers in the list */
	size_t cursor;
	struct inline_scope *open; /* while entries are met: where we are in their tree */
	size_t nr_open, open_room;
};

/** Enters function number @function (or INLINE_NONE), which @entry is. -1 if memory is out. */
int inlines_enter_function(struct inlines *inlines, const struct die_entry *entry,
			   uint32_t function);

/**
 * Enters the inlined copy that @entry is; entries come as die_scan() finds them. *@number gets its
 * number for the ranges, INLINE_NONE if it is in no function that has code. Returns -1 if memory is
 * out.
 */
int inlines_enter(struct inlines *inlines, const struct die_entry *entry, uint32_t *number);

/** Makes the ranges ready for inlines_find(). Returns -1 if memory is out. */
int inlines_build(struct inlines *inlines);

/** The number of the innermost copy at @address, or INLINE_NONE. */
uint32_t inlines_find(struct inlines *inlines, uint64_t address);

/** Frees, with the answers. */
void inlines_free(struct inlines *inlines);

#endif
