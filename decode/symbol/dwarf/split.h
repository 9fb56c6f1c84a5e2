/*
 * The part of a DWARF unit that the compiler has put into another file (-gsplit-dwarf): a .dwo file
 * for each unit, or the package (.dwp) that dwp(1) makes of all of a binary's. It carries the id of
 * the skeleton unit that stayed in the binary. (DWARF 5, section 7.3.2 and appendix F; before it,
 * GNU's of the same form.)
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_SPLIT_H
#define READPERF_DECODE_SYMBOL_DWARF_SPLIT_H

#include "decode/symbol/dwarf/unit.h"
#include "decode/symbol/elf/elffile.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a skeleton unit says of the rest of it. */
struct skeleton {
	uint64_t id;
	const char *name;     /* of the .dwo file; NULL: it does not say */
	const char *comp_dir; /* that the name counts from, or NULL */
};

/** All zero is none. What a package holds lives as long as that, the rest until split_close(). */
struct split {
	struct elffile *file;  /* its .dwo file; NULL: it is in the package */
	char *path;	       /* of that file; NULL: none was looked for */
	struct unit_set units; /* just the one */
};

/**
 * Finds the split unit of @skeleton in @package, which may be NULL, or else in its .dwo file, seen
 * from the directory @root as for file_open_in(). *@bytes_left bounds what is read to find it and
 * is lowered by the size of what is found. @split, all zero but for units.inlined, stays where it
 * is. Returns NULL if there is none with that id, or with *@nomem set if memory is out.
 */
struct unit *split_open(struct split *split, const struct skeleton *skeleton,
			const struct elffile *package, const char *root, uint64_t *bytes_left,
			bool *nomem);

void split_close(struct split *split);

/**
 * How many split units of a binary were looked for, and which of them were not found: what is
 * missing of its functions. All zero has none. Each unit counts once, however often it is read.
 */
struct split_tally {
	uint64_t *units; /* offsets of their skeletons in .debug_info */
	size_t room;
	struct index by_offset; /* of the units */
	size_t nr_missing;
	uint64_t first; /* the lowest offset of one that is missing */
	const char *first_path;
};

/**
 * Counts the unit at @offset; @missing is NULL if it was found, else the path of its file, which is
 * kept in @strings. Returns -1 if memory is out.
 */
int split_tally_add(struct split_tally *tally, uint64_t offset, const char *missing,
		    struct intern *strings);

/**
 * What is @refused, with "N of M split units not found: first PATH" behind it if there are such,
 * kept in @strings. NULL if memory is out.
 */
const char *split_tally_describe(const struct split_tally *tally, const char *refused,
				 struct intern *strings);

void split_tally_free(struct split_tally *tally);

#endif
