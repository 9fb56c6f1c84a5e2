/* A DWARF unit with code: its functions, what was inlined into them, and where these are. */
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
	uint64_t place; /* of its entry, in those of the unit */
	bool resolved;
	struct debug_function answer;
};

/** What is below `unit` is read when an address falls into it. */
struct code_unit {
	struct unit *unit; /* in the binary; a skeleton has its functions elsewhere */
	bool has_functions;
	struct code_function *functions;
	size_t nr_functions, room;
	struct ranges ranges; /* of function numbers */
	size_t cursor;
	struct inlines inlines; /* empty unless they are wanted */
};

/** Meets the functions of @code, which are in @unit: its own, or the split one. -1: no memory. */
int code_unit_scan(struct debug_data *data, struct code_unit *code, struct unit *unit);

/** Finds out about function @number of @code, which is in @unit, unless that was done. -1: nomem.
 */
int code_unit_resolve(struct debug_data *data, struct code_unit *code, struct unit *unit,
		      size_t number);

/** As code_unit_resolve() for the inlined copy @number. */
int code_unit_resolve_inlined(struct debug_data *data, struct code_unit *code, struct unit *unit,
			      size_t number);

/** Frees what @code owns. */
void code_unit_free(struct code_unit *code);

#endif
