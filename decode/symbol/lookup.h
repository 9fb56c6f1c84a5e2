/*
 * Looks up a place in a loaded binary: its function, by symbols and DWARF, with its printed name
 * and source. The binary keeps each distinct answer once.
 */
#ifndef READPERF_DECODE_SYMBOL_LOOKUP_H
#define READPERF_DECODE_SYMBOL_LOOKUP_H

#include "decode/symbol/answer.h"
#include "decode/symbol/find/binary.h"
#include "decode/symbol/reason.h"
#include "decode/symbol/symbolsettings.h"

#include <stdbool.h>
#include <stdint.h>

/** Addresses [start, end) of a binary that have the same answer. All zero: none. */
struct lookup_same {
	uint64_t start, end;
	const struct symbol *symbol;
};

/** What to look up for a place. */
struct lookup_query {
	const struct symbol_settings *settings;
	bool with_source;	     /* set the symbol's file and line */
	struct place_detail *detail; /* filled; NULL if not wanted */
	struct lookup_same *same;    /* of the lookup before in this binary; or NULL */
	/* Unless NULL, set to the address that the function starts at; it stays as it is where
	 * @same has the answer, or there is no function. */
	uint64_t *start;
};

/**
 * Tells that the places of @list from @first on (less than their number; in any order) that have no
 * symbol will be looked up next, as @how says, so that no more of the DWARF needs to be read.
 * Returns 1 if that much is known, or if none is needed; 0 if all will be read; -1 if memory is
 * out.
 */
int lookup_expect(struct binary *binary, const struct place_list *list, size_t first,
		  const struct lookup_query *how);

/**
 * Returns the symbol at @place (for its meaning see enum dso_kind), owned by @binary. Fast for
 * ascending places. NULL if memory is out.
 */
const struct symbol *lookup_place(struct binary *binary, uint64_t place,
				  const struct lookup_query *how);

/**
 * Sets *@name to the name of the symbol that covers the virtual @address, and *@start to where it
 * starts; *@name is NULL if there is none. Returns -1 if memory is out, else 0.
 */
int lookup_name(struct binary *binary, uint64_t address, const struct symbol_settings *settings,
		const char **name, uint64_t *start);

/** Returns the "[unknown]" symbol for @reason; it is static. */
const struct symbol *lookup_unknown(enum reason reason);

#endif
