/*
 * The abbreviations of a DWARF unit, which describe the layout of its entries.
 *
 * An entry (DIE) is the code of an abbreviation, followed by the values of the attributes that the
 * abbreviation lists: DWARF 5, section 7.5.3, unchanged since version 2.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_ABBREV_H
#define READPERF_DECODE_SYMBOL_DWARF_ABBREV_H

#include "decode/symbol/dwarf/form.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Kinds of entries that die_scan() reports, except ABBREV_OTHER; both have addresses. */
enum abbrev_kind { ABBREV_OTHER, ABBREV_FUNCTION, ABBREV_INLINED };

struct abbrev {
	uint64_t code;
	const uint8_t *attributes; /* borrowed, see abbrev_attributes() */
	uint32_t attributes_len;
	uint32_t first_part, nr_parts; /* in abbrevs->parts: how to skip the values of an entry */
	enum abbrev_kind kind;
	uint16_t tag; /* DW_TAG_; UINT16_MAX: a higher one */
	bool has_children;
	/* Its last value is DW_AT_sibling, the offset in the unit of what comes after its children,
	 * in 4 bytes. */
	bool has_sibling;
	bool may_be_skipped; /* so its children may be skipped: few functions are among them */
};

/** A table of abbreviations; all zero is an empty one. */
struct abbrevs {
	struct abbrev *list; /* by code, ascending */
	size_t nr, room;
	struct form_part *parts;
	size_t nr_parts, parts_room;
};

/** An attribute: its name (DW_AT_) and the form of its value (DW_FORM_). */
struct abbrev_attribute {
	uint64_t name, form;
	int64_t constant; /* the value, only with DW_FORM_implicit_const */
};

/**
 * Takes the table at the start of @bytes, for units with these @sizes, into @table, which is all
 * zero and borrows @bytes. Inlined functions get their kind if @inlined. Damage ends the table.
 * *@bytes_left limits the bytes read and is lowered by them. Returns -1 if memory is out, else 0.
 */
int abbrevs_read(struct abbrevs *table, struct span *bytes, const struct form_context *sizes,
		 bool inlined, size_t *bytes_left);

void abbrevs_free(struct abbrevs *table);

/** Returns the abbreviation @code of the table, or NULL. */
const struct abbrev *abbrevs_find(const struct abbrevs *table, uint64_t code);

/**
 * Takes abbreviation @code, without its parts, kind and tag, and those before it off @bytes, which
 * begins with a table. *@bytes_left is as for abbrevs_read(). Returns false if it is not found.
 */
bool abbrev_read_one(struct abbrev *abbrev, struct span *bytes, uint64_t code, size_t *bytes_left);

/** Returns the attributes of @abbrev for abbrev_next(). */
struct span abbrev_attributes(const struct abbrev *abbrev);

/** Takes the next attribute off @attributes. Returns false if there is none. */
bool abbrev_next(struct span *attributes, struct abbrev_attribute *attribute);

#endif
