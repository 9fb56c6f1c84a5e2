/*
 * The entries (DIEs) of a DWARF unit: one by its place, all of a kind, and the values they have.
 *
 * The entries stand one behind the other in the order of a walk of their tree, so one pass over the
 * bytes meets them all, however deep they nest and whatever they nest in: the tree is never built.
 * Most abbreviations have a fixed size: such an entry is stepped over by one addition.
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
	struct span values;	/* one for each attribute, and what follows */
	bool has_children;
};

/** An entry that die_scan() has found. */
struct die_entry {
	struct die die;
	enum abbrev_kind kind;
	size_t place;	/* in the unit's entries, in bytes */
	uint32_t depth; /* in the tree: the unit's own entry has 0 */
	/* The least depth since the entry found before: what is at least as deep as this has ended.
	 */
	uint32_t least_depth;
};

/** Reads the entry @place bytes into the entries of @unit; false if there is none. */
bool die_at(struct unit *unit, uint64_t place, struct die *die);

/** Reads the unit's own entry, without its table of abbreviations; false if there is none. */
bool die_first(struct unit *unit, struct die *die);

/** The value of attribute @name (DW_AT_). */
struct form_value die_value(const struct die *die, unsigned name);

/**
 * Calls @found for each entry of a kind in @unit. Damage, or an entry nobody can step over, ends
 * the scan. Returns -1 if @found did, which ends it, or if memory is out.
 */
int die_scan(struct unit *unit, int (*found)(void *arg, const struct die_entry *entry), void *arg);

#endif
