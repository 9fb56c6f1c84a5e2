/*
 * The units of a file's DWARF: their places, headers and abbreviations.
 *
 * Only the header of a unit is read until its entries are requested.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_UNIT_H
#define READPERF_DECODE_SYMBOL_DWARF_UNIT_H

#include "decode/symbol/dwarf/abbrev.h"
#include "decode/symbol/dwarf/debugsections.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bases of a unit's values: offsets in the sections of these names, in bytes, and an address. */
struct unit_bases {
	uint64_t str_offsets, addresses, ranges, rnglists;
	uint64_t low_pc;
};

struct unit_source;

struct unit {
	struct unit_set *set;
	struct unit *skeleton; /* of a split unit, else NULL */
	struct span bytes;     /* from its header to its end */
	uint64_t offset;       /* in its section, in bytes */
	uint64_t abbrevs_at;   /* offset of its table in .debug_abbrev */
	uint64_t id;	  /* signature of a type unit; id of a version 5 skeleton or split unit */
	uint64_t type_at; /* of a type unit: offset of the type's entry from the header, in bytes */
	struct form_context sizes;
	uint8_t header_len;	       /* in bytes */
	uint8_t type;		       /* DW_UT_; up to version 4 compile, type or skeleton */
	bool is_cut;		       /* the section ends before it does */
	bool has_bases, has_source;    /* bases and source were read */
	const struct abbrevs *abbrevs; /* NULL until requested */
	struct unit_bases bases;
	struct unit_source *source; /* NULL if it has none */
};

/** A table of abbreviations, as read for units with these sizes. */
struct unit_abbrevs {
	uint64_t offset;
	struct form_context sizes;
	struct abbrevs table;
};

struct unit_list {
	struct unit *list; /* in the order of the section */
	size_t nr, room;
};

/**
 * The units of one file, or those at its start if sections.info is not all of it. Nothing was read
 * if all but the first three members are zero.
 */
struct unit_set {
	struct debug_sections sections;
	struct unit_set *alternate; /* of the file that this one refers to, or NULL */
	bool inlined;		    /* whether entries of inlined functions get their kind */
	struct unit_list info, types;
	bool has_units;
	bool nomem;    /* sticky: memory ran out, results may be missing */
	bool is_short; /* sticky: what was asked for may be in what was not read */
	struct unit_abbrevs **tables;
	size_t tables_room;
	struct index by_place;	   /* items are indexes of tables */
	struct unit **type_units;  /* of both sections, once one was requested */
	struct index by_signature; /* items are indexes of type_units */
	size_t type_units_room;
	bool has_types;
	/*
	 * Bytes of abbreviations that may still be read, for tables and for the units' first
	 * entries: limits the cost of a damaged file whose units share long tables.
	 */
	size_t tables_left, first_left;
	struct abbrev first; /* the last one read for a first entry; first_at: its table's offset */
	uint64_t first_at;
};

/**
 * Finds the units of set->sections, unless already done. Omits units that cannot be read. Returns
 * -1 if memory is out, else 0.
 */
int unit_set_read(struct unit_set *set);

/**
 * Returns the unit that contains the byte at @offset of .debug_info; NULL if there is none, or if
 * memory is out (set->nomem).
 */
struct unit *unit_set_at(struct unit_set *set, uint64_t offset);

/** Returns the type unit with @signature; NULL if there is none or memory is out (set->nomem). */
struct unit *unit_set_type(struct unit_set *set, uint64_t signature);

/** Notes that abbreviations were read of which @rest of set->sections.abbrevs was left. */
void unit_set_took_abbrevs(struct unit_set *set, const struct span *rest);

void unit_set_free(struct unit_set *set);

/**
 * Takes the next unit off @section and reads its header into @unit. *@offset is the unit's offset,
 * and becomes that of the next one. Returns false if the header cannot be read.
 */
bool unit_take(struct span *section, uint64_t *offset, struct unit *unit);

/** Returns the bytes of the unit's entries, from the first one on. */
struct span unit_entries(const struct unit *unit);

/** Returns the unit's abbreviations; NULL if memory is out (unit->set->nomem). */
const struct abbrevs *unit_abbrevs(struct unit *unit);

#endif
