/* A DWARF unit: its functions, what was inlined into them, and which addresses these cover. */
#ifndef READPERF_DECODE_SYMBOL_DWARFUNIT_H
#define READPERF_DECODE_SYMBOL_DWARFUNIT_H

#include "decode/symbol/dwarfdata.h"
#include "decode/symbol/inlines.h"
#include "decode/symbol/ranges.h"
#include "decode/symbol/splitunit.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unit_function {
	uint64_t die; /* offset of its entry in .debug_info */
	bool resolved;
	struct dwarf_function answer;
};

/** A compilation unit; what is below `die` is read when an address falls into it. */
struct dwarf_unit {
	uint64_t die;
	bool is_skeleton; /* its functions are in a split unit */
	bool has_functions, has_source;
	struct unit_function *functions;
	size_t nr_functions, room;
	struct ranges ranges; /* of function numbers */
	size_t cursor;
	struct inlines inlines;	    /* empty unless they are wanted */
	struct unit_source *source; /* NULL if it has none */
};

/** Meets the functions of @unit, which is in the binary itself: @cu is its entry. -1: no memory. */
int dwarf_unit_scan(struct dwarf_data *data, struct dwarf_unit *unit, Dwarf_Die *cu);

/** As dwarf_unit_scan() for a skeleton, whose functions are in @split. */
int dwarf_unit_scan_split(struct dwarf_data *data, struct dwarf_unit *unit,
			  const struct split_unit *split);

/** Sets unit->source unless that was done. Returns -1 if memory is out. */
int dwarf_unit_read_source(struct dwarf_data *data, struct dwarf_unit *unit);

/** Frees what the unit owns. */
void dwarf_unit_free(struct dwarf_unit *unit);

#endif
