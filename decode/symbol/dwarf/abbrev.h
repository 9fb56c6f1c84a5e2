/*
 * The abbreviations of a DWARF unit: what its entries are made of.
 *
 * An entry (DIE) is the code of an abbreviation and the values of the attributes that this one
 * lists: DWARF 5, section 7.5.3, the same since version 2.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_ABBREV_H
#define READPERF_DECODE_SYMBOL_DWARF_ABBREV_H

#include "decode/symbol/dwarf/form.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What makes entries worth a report; both have addresses of their own. */
enum abbrev_kind { ABBREV_OTHER, ABBREV_FUNCTION, ABBREV_INLINED };

struct abbrev {
	uint64_t code;
	const uint8_t *attributes; /* borrowed, see abbrev_attributes() */
	uint32_t attributes_len;
	uint32_t first_part, nr_parts; /* how to step over its entries */
	enum abbrev_kind kind;
	bool has_children;
};

/** One table of abbreviations; all zero is an empty one. */
struct abbrevs {
	struct abbrev *list; /* by code, ascending */
	size_t nr, room;
	struct form_part *parts;
	size_t nr_parts, parts_room;
};

/** An attribute: its name (DW_AT_), how its value is written, and that of an implicit one. */
struct abbrev_attribute {
	uint64_t name, form;
	int64_t constant; /* with DW_FORM_implicit_const */
};

/**
 * Reads the table that @bytes starts with, for units with these @sizes, into @table, which is all
 * zero; inlined functions get their kind if @inlined. Damage ends the table. *@bytes_left bounds
 * what is read, and is lowered by it. Returns -1 if memory is out.
 */
int abbrevs_read(struct abbrevs *table, struct span bytes, const struct form_context *sizes,
		 bool inlined, size_t *bytes_left);

void abbrevs_free(struct abbrevs *table);

/** The abbreviation @code of the table, or NULL. */
const struct abbrev *abbrevs_find(const struct abbrevs *table, uint64_t code);

/**
 * Reads the abbreviation @code, without its parts and kind, of the table that @bytes starts with,
 * and nothing behind it. *@bytes_left is as for abbrevs_read(). Returns false if it is not there.
 */
bool abbrev_read_one(struct abbrev *abbrev, struct span bytes, uint64_t code, size_t *bytes_left);

/** The attributes of an abbreviation for abbrev_next(). */
struct span abbrev_attributes(const struct abbrev *abbrev);

/** Takes the next attribute off @attributes; false if there is none. */
bool abbrev_next(struct span *attributes, struct abbrev_attribute *attribute);

#endif
