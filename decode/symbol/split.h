/*
 * The part of a DWARF unit that the compiler has put into another file (-gsplit-dwarf): a .dwo file
 * for each unit, or the package (.dwp) that dwp(1) makes of all of a binary's. It carries the id of
 * the skeleton unit that stayed in the binary. (DWARF 5, section 7.3.2 and appendix F; before it,
 * GNU's of the same form.)
 */
#ifndef READPERF_DECODE_SYMBOL_SPLIT_H
#define READPERF_DECODE_SYMBOL_SPLIT_H

#include "decode/symbol/elf.h"
#include "decode/symbol/form.h"
#include "util/span.h"

#include <stdbool.h>
#include <stdint.h>

/** What a skeleton unit says of the rest of it. */
struct skeleton {
	uint64_t id;
	const char *name;     /* of the .dwo file; NULL: it does not say */
	const char *comp_dir; /* that the name counts from, or NULL */
};

/** All zero is none. The spans live until split_close(), those of a package as long as that. */
struct split {
	struct elf_file *file; /* its .dwo file; NULL: it is in the package */
	char *path;	       /* of that file; NULL: none was looked for */
	struct span info;      /* the unit's bytes, with its header */
	struct span abbrevs;   /* from those of the unit on */
	struct span str, str_offsets, rnglists;
	struct form_context sizes;
	uint32_t header; /* bytes of the unit's header */
};

/**
 * Finds the split unit of @skeleton in @package, which may be NULL, or else in its .dwo file, seen
 * from the directory @root as for file_open_in(). *@bytes_left bounds what is read to find it and
 * is lowered by the size of what is found. Returns false if there is none with that id, or with
 * *@nomem set if memory is out.
 */
bool split_open(struct split *split, const struct skeleton *skeleton,
		const struct elf_file *package, const char *root, uint64_t *bytes_left,
		bool *nomem);

/** The unit's entries, from the first one on. */
struct span split_entries(const struct split *split);

void split_close(struct split *split);

#endif
