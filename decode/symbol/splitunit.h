/*
 * What the entries of a split DWARF unit say: their addresses, by way of the skeleton's, and what
 * is known of the functions.
 */
#ifndef READPERF_DECODE_SYMBOL_SPLITUNIT_H
#define READPERF_DECODE_SYMBOL_SPLITUNIT_H

#include "decode/symbol/diescan.h"
#include "decode/symbol/ranges.h"
#include "decode/symbol/split.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Sections of the binary that the unit refers to. */
struct split_addresses {
	struct span addresses; /* the unit's part of .debug_addr, from DW_AT_addr_base on */
	struct span ranges; /* up to version 4: of .debug_ranges, from DW_AT_GNU_ranges_base on */
	uint64_t base;	    /* that lists of ranges count from: the skeleton's DW_AT_low_pc */
};

/** All zero, but for the parts that are borrowed, has read nothing. */
struct split_unit {
	struct split split;
	struct split_addresses binary;
	struct die_layouts layouts;
};

/** A function of the unit. */
struct split_function {
	const char *name; /* lives in the split file; "" if it has none */
	uint64_t file;	  /* number in the skeleton's table of files */
	bool has_file;
	uint32_t line; /* 0 if unknown */
};

/**
 * Reads the abbreviations of unit->split, whose id must be @id; inlined functions get their kind if
 * @inlined. *@bytes_left bounds what is read, and is lowered by it. *@found tells if it is the
 * right unit. Returns -1 if memory is out.
 */
int split_unit_read(struct split_unit *unit, uint64_t id, bool inlined, uint64_t *bytes_left,
		    bool *found);

/**
 * Adds the addresses of @entry to @ranges as @item; *@any tells if it has some. *@ranges_left
 * bounds their number and is lowered by it. Returns -1 if memory is out.
 */
int split_unit_extent(const struct split_unit *unit, const struct die_entry *entry,
		      struct ranges *ranges, uint32_t item, size_t *ranges_left, bool *any);

/** What is known of the function at @place in the unit's entries. */
struct split_function split_unit_function(const struct split_unit *unit, size_t place);

/** Frees, and closes unit->split. */
void split_unit_free(struct split_unit *unit);

#endif
