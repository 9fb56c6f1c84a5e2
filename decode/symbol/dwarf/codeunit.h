/* A DWARF unit with code: its functions, their inlined copies, and the addresses of both. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_CODEUNIT_H
#define READPERF_DECODE_SYMBOL_DWARF_CODEUNIT_H

#include "decode/symbol/dwarf/debugdata.h"
#include "decode/symbol/dwarf/debugtypes.h"
#include "decode/symbol/dwarf/inlines.h"
#include "decode/symbol/dwarf/unit.h"
#include "decode/symbol/elf/ranges.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_function {
	uint64_t place; /* offset of its entry in the unit's entries, in bytes */
	bool resolved;
	struct debug_function answer;
};

/** All but the first two members are filled when an address first falls into it. */
struct code_unit {
	/* In the binary; NULL if it is not read. The functions of a skeleton are in its split unit.
	 */
	struct unit *unit;
	struct debug_function whole; /* of all its code, if an assembler made it: its file only */
	bool has_functions;
	struct code_function *functions;
	size_t nr_functions, room;
	struct ranges ranges; /* items are function numbers */
	size_t cursor;
	struct inlines inlines;	 /* empty unless requested */
	bool skipped;		 /* functions in others and in types may be missing */
	struct code_unit *inner; /* the unit with these; NULL until it is needed */
};

/**
 * Finds the functions of @code, and their inlined copies if requested, by scanning @unit: its own
 * unit, or its split unit. If only @outer ones are wanted, functions in others and in types may be
 * left out, which sets code->skipped: gcc's units are scanned in 0.4 of the time so. Returns -1 if
 * memory is out, else 0.
 */
int code_unit_scan(struct debug_data *data, struct code_unit *code, struct unit *unit, bool outer);

/** Returns code->inner, on the first call new and not scanned; NULL if memory is out. */
struct code_unit *code_unit_inner(struct code_unit *code);

/**
 * Fills the answer of function @number of @code, whose entry is in @unit, unless already done.
 * Returns -1 if memory is out, else 0.
 */
int code_unit_resolve(struct debug_data *data, struct code_unit *code, struct unit *unit,
		      size_t number);

/** As code_unit_resolve() for the inlined copy @number. */
int code_unit_resolve_inlined(struct debug_data *data, struct code_unit *code, struct unit *unit,
			      size_t number);

/** Frees what @code owns. */
void code_unit_free(struct code_unit *code);

#endif
