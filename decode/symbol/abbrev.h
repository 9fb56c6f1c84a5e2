/*
 * The abbreviations of a DWARF unit, and what the entries made with them say of their code.
 *
 * An entry (DIE) is the code of an abbreviation and the values of the attributes that this one
 * lists: DWARF 5, section 7.5.3, the same since version 2.
 */
#ifndef READPERF_DECODE_SYMBOL_ABBREV_H
#define READPERF_DECODE_SYMBOL_ABBREV_H

#include "decode/symbol/diescan.h"
#include "decode/symbol/form.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is read besides the kind of functions and the attributes of what has a kind. */
enum abbrevs_flags {
	ABBREVS_INLINED = 1 << 0,    /* the kind of inlined functions */
	ABBREVS_ATTRIBUTES = 1 << 1, /* the attributes of all entries */
};

/**
 * Makes @layouts, what was in it being dropped, from the table that @table starts with, for a unit
 * with these @sizes; @flags are enum abbrevs_flags. Damage ends the table. *@bytes_left bounds what
 * is read, and is lowered by it. Returns -1 if memory is out.
 */
int abbrevs_read(struct die_layouts *layouts, struct span table, const struct form_context *sizes,
		 unsigned flags, size_t *bytes_left);

/**
 * Reads which addresses the entry covers, [*@start, *@end), virtual ones. False if it says that
 * another way than by two numbers of its own: as a list, or by way of .debug_addr.
 */
bool die_extent(const struct die_layouts *layouts, const struct die_entry *entry,
		const struct form_context *sizes, uint64_t *start, uint64_t *end);

#endif
