/*
 * Reading the entries (DIEs) of a DWARF unit: one by its offset, all of certain kinds, and the
 * values of their attributes.
 *
 * Entries are stored in the order of a depth-first walk of their tree. So one pass over the bytes
 * visits all of them, without building the tree. Most abbreviations have a fixed size: their
 * entries are skipped by one addition.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_DIE_H
#define READPERF_DECODE_SYMBOL_DWARF_DIE_H

#include "decode/symbol/dwarf/abbrev.h"
#include "decode/symbol/dwarf/form.h"
#include "decode/symbol/dwarf/unit.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct die {
	struct unit *unit;
	struct span attributes; /* for abbrev_next() */
	struct span values;	/* of the attributes, and all bytes after them */
	bool has_children;
};

/** An entry that die_scan() has found. */
struct die_entry {
	struct die die;
	enum abbrev_kind kind;
	size_t place;	/* offset in the unit's entries, in bytes */
	uint32_t depth; /* in the tree; 0 for the unit's own entry */
	/* Least depth since the last entry found: scopes at this depth or deeper have ended. */
	uint32_t least_depth;
};

/**
 * Reads the entry at offset @place, in bytes, of the entries of @unit. Returns false if there is
 * none.
 */
bool die_at(struct unit *unit, uint64_t place, struct die *die);

/**
 * Reads the unit's own entry without reading all of its abbreviations. Returns false if there is
 * none.
 */
bool die_first(struct unit *unit, struct die *die);

/** Returns the value of attribute @name (DW_AT_); all zero if there is none. */
struct form_value die_value(const struct die *die, unsigned name);

/**
 * Calls @found(@arg, entry) for each entry of @unit whose kind is not ABBREV_OTHER. Unless @skipped
 * is NULL, it skips the children of functions and types where DW_AT_sibling tells how (gcc writes
 * it), and sets *@skipped to whether it did. The scan ends without an error at damage or at a value
 * of unknown size. Returns -1 if memory is out or if @found returned a negative number, which ends
 * the scan; else 0.
 */
int die_scan(struct unit *unit, bool *skipped,
	     int (*found)(void *arg, const struct die_entry *entry), void *arg);

/** An entry that is around another one. */
struct die_scope {
	struct die die;
	uint16_t tag;
	/* A class without a name of its own, as of a lambda: its number from 1 among those in what
	 * is around it, blocks not counted; else 0. */
	uint32_t number;
	uint32_t nr_nameless; /* such classes in it before the other entry */
};

/**
 * Fills @scopes with the entries of its unit around @die, the outermost, the unit's own, first, and
 * returns their number; 0 if there are more than @max or if the unit is damaged. Adds to *@entries
 * how many were read: those before @die, without the children of those that tell where they end.
 */
size_t die_scopes(const struct die *die, struct die_scope *scopes, size_t max, uint64_t *entries);

#endif
