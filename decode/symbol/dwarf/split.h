/*
 * Split units: the part of a DWARF unit that the compiler puts into another file (-gsplit-dwarf).
 * This is a .dwo file for each unit, or the package (.dwp) that dwp(1) makes of all of a binary's
 * .dwo files. A split unit has the id of the skeleton unit that stays in the binary. (DWARF 5,
 * section 7.3.2 and appendix F; before it, GNU's extension of the same form.)
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

/** What a skeleton unit says about its split unit. */
struct skeleton {
	uint64_t id;
	const char *name;     /* of the .dwo file; NULL if it has none */
	const char *comp_dir; /* directory that the name is relative to, or NULL */
};

/**
 * All zero is none. What is in a package is valid as long as the package, all else until
 * split_close().
 */
struct split {
	struct elffile *file;  /* its .dwo file; NULL if it is in the package */
	char *path;	       /* of the .dwo file; NULL if none was looked for */
	struct unit_set units; /* only this unit */
};

/**
 * Finds the split unit of @skeleton in @package, which may be NULL, or else in its .dwo file, seen
 * from the directory @root as for file_open_in(). *@bytes_left limits the bytes read, and is
 * lowered by them. @split, all zero but for units.inlined, must not move; the caller calls
 * split_close() in any case. Returns NULL if there is no unit with that id, or with *@nomem set if
 * memory is out.
 */
struct unit *split_open(struct split *split, const struct skeleton *skeleton,
			const struct elffile *package, const char *root, uint64_t *bytes_left,
			bool *nomem);

void split_close(struct split *split);

/**
 * Counts the split units of a binary that were looked for, and those that were not found, whose
 * functions are missing. All zero is empty. Each unit counts once, however often it is read.
 */
struct split_tally {
	uint64_t *units; /* offsets of their skeletons in .debug_info */
	size_t room;
	struct index by_offset; /* items are indexes of units */
	size_t nr_missing;
	uint64_t first; /* lowest offset of a missing unit's skeleton */
	const char *first_path;
};

/**
 * Counts the unit whose skeleton is at @offset. @missing: NULL if it was found, else the path of
 * its file, which @strings keeps. Returns -1 if memory is out, else 0.
 */
int split_tally_add(struct split_tally *tally, uint64_t offset, const char *missing,
		    struct intern *strings);

/**
 * Returns @refused with "N of M split units not found: first PATH" appended, kept in @strings;
 * @refused itself if no unit is missing. NULL if memory is out.
 */
const char *split_tally_describe(const struct split_tally *tally, const char *refused,
				 struct intern *strings);

void split_tally_free(struct split_tally *tally);

#endif
