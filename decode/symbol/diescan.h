/*
 * Finds the entries of a kind in the tree of a DWARF unit without building the tree.
 *
 * The entries (DIEs) stand one behind the other in the order of a walk of the tree, so one pass
 * over the bytes meets them all, however deep they nest and whatever they nest in. Most
 * abbreviations have a fixed size: such an entry is stepped over by one addition.
 */
#ifndef READPERF_DECODE_SYMBOL_DIESCAN_H
#define READPERF_DECODE_SYMBOL_DIESCAN_H

#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum die_part_kind {
	DIE_UNKNOWN, /* nobody knows how to step over this one */
	DIE_FIXED,   /* nothing but the fixed bytes */
	DIE_LEB,     /* a LEB128 number */
	DIE_STRING,  /* a NUL-terminated string */
	DIE_BLOCK1,  /* bytes, counted by 1, 2 or 4 bytes or by an ULEB128 number */
	DIE_BLOCK2,
	DIE_BLOCK4,
	DIE_BLOCK,
};

/** `fixed` bytes, and behind them one attribute of variable size. */
struct die_part {
	uint32_t fixed;
	enum die_part_kind kind;
};

/** What makes an entry worth a report; both have addresses of their own. */
enum die_kind { DIE_OTHER, DIE_FUNCTION, DIE_INLINED };

/** How to step over the entries with one abbreviation code. */
struct die_layout {
	uint64_t code;
	uint32_t first_part, nr_parts;
	uint32_t first_attr, nr_attrs; /* of entries of a kind, else none */
	enum die_kind kind;
	bool has_children;
};

/** An attribute of an entry of a kind: its name (DW_AT_) and how its value is written. */
struct die_attr {
	uint32_t name, form;
	int64_t constant; /* with FORM_IMPLICIT_CONST: the value */
};

/** All zero has no layouts. */
struct die_layouts {
	struct die_layout *list;
	size_t nr, room;
	struct die_part *parts;
	size_t nr_parts, parts_room;
	struct die_attr *attrs;
	size_t nr_attrs, attrs_room;
};

/** An entry that die_scan() has found. */
struct die_entry {
	size_t place;	/* in the unit's entries, in bytes */
	uint32_t depth; /* in the tree: the unit's own entry has 0 */
	/* The least depth since the entry found before: what is at least as deep as this has ended.
	 */
	uint32_t least_depth;
	const struct die_layout *layout;
	struct span values; /* of its attributes, one behind the other, and what follows */
};

/** Starts the layout of abbreviation @code; NULL if memory is out. Its kind is DIE_OTHER. */
struct die_layout *die_layout_begin(struct die_layouts *layouts, uint64_t code);

/** Appends an attribute of @fixed bytes and then @kind to the last layout; -1 if memory is out. */
int die_layout_append(struct die_layouts *layouts, uint32_t fixed, enum die_part_kind kind);

/** Appends an attribute that can be read to the last layout; -1 if memory is out. */
int die_layout_append_attr(struct die_layouts *layouts, const struct die_attr *attr);

/** Makes the layouts ready for die_scan(). */
void die_layouts_finish(struct die_layouts *layouts);

/** Forgets the layouts, but keeps the memory for the next unit. */
void die_layouts_clear(struct die_layouts *layouts);

void die_layouts_free(struct die_layouts *layouts);

/** Steps over the value of an attribute. */
void die_skip(struct span *dies, struct die_part part);

/**
 * Calls @found for each entry of a kind among the unit's entries @dies. Damage, or an entry nobody
 * can step over, ends the scan. Returns -1 if @found did, which ends it.
 */
int die_scan(const struct die_layouts *layouts, struct span dies,
	     int (*found)(void *arg, const struct die_entry *entry), void *arg);

/** Reads the entry @place bytes into the unit's entries @dies; false if there is none. */
bool die_at(const struct die_layouts *layouts, struct span dies, size_t place,
	    struct die_entry *entry);

#endif
