/*
 * The units of a file's DWARF: where each is, what its header says, and its abbreviations.
 *
 * A unit costs its header until somebody asks for its entries.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_UNIT_H
#define READPERF_DECODE_SYMBOL_DWARF_UNIT_H

#include "decode/symbol/dwarf/abbrev.h"
#include "decode/symbol/dwarf/debugsections.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the values of a unit count from: places in sections, bytes, and an address. */
struct unit_bases {
	uint64_t str_offsets, addresses, ranges, rnglists;
	uint64_t low_pc;
};

struct unit_source;

struct unit {
	struct unit_set *set;
	struct unit *skeleton; /* of a split unit, else NULL */
	struct span bytes;     /* with its header, up to its end */
	uint64_t offset;       /* in its section */
	uint64_t abbrevs_at;   /* its table in .debug_abbrev */
	uint64_t id;	  /* of a type unit its signature, of a skeleton or split unit its id */
	uint64_t type_at; /* the entry of a type unit's type, in bytes from its header */
	struct form_context sizes;
	uint8_t header_len;	       /* in bytes */
	uint8_t type;		       /* DW_UT_; up to version 4 DW_UT_compile or DW_UT_type */
	bool has_bases, has_source;    /* they were read */
	const struct abbrevs *abbrevs; /* NULL until asked for */
	struct unit_bases bases;
	struct unit_source *source; /* NULL if it has none */
};

/** A table of abbreviations that was read, for units with these sizes. */
struct unit_abbrevs {
	uint64_t offset;
	struct form_context sizes;
	struct abbrevs table;
};

struct unit_list {
	struct unit *list; /* in the order of the section */
	size_t nr, room;
};

/** The units of one file. All zero, but for the first three, has read nothing. */
struct unit_set {
	struct debug_sections sections;
	struct unit_set *alternate; /* of the file that this one refers to, or NULL */
	bool inlined;		    /* inlined functions get their kind */
	struct unit_list info, types;
	bool has_units;
	bool nomem; /* sticky: what was asked for may be missing */
	struct unit_abbrevs **tables;
	size_t tables_room;
	struct index by_place;	   /* of the tables */
	struct unit **type_units;  /* of both sections, once one was asked for */
	struct index by_signature; /* of them */
	size_t type_units_room;
	bool has_types;
	/* Bytes of abbreviations that may still be read, for tables and for the units' first
	   entries: bounds what damage can cost, whose units share long tables. */
	size_t tables_left, first_left;
	struct abbrev first; /* the last one that was read for a first entry, and its table */
	uint64_t first_at;
};

/**
 * Finds the units of set->sections, unless that was done. Units that nobody can read are left out.
 * Returns -1 if memory is out.
 */
int unit_set_read(struct unit_set *set);

/** The unit that holds the byte at @offset of .debug_info; NULL if there is none. */
struct unit *unit_set_at(struct unit_set *set, uint64_t offset);

/** The type unit with @signature; NULL if there is none, or memory is out: set->nomem. */
struct unit *unit_set_type(struct unit_set *set, uint64_t signature);

void unit_set_free(struct unit_set *set);

/**
 * Takes the next unit off @section, of which *@offset bytes were taken before, and reads its header
 * to @unit. False if there is one that cannot be read.
 */
bool unit_take(struct span *section, uint64_t *offset, struct unit *unit);

/** The unit's entries, from the first one on. */
struct span unit_entries(const struct unit *unit);

/** The unit's abbreviations; NULL if memory is out: unit->set->nomem. */
const struct abbrevs *unit_abbrevs(struct unit *unit);

#endif
