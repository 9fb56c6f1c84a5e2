/* Which code of a 32-bit ARM file is Thumb code, by the mapping symbols $a, $t and $d. */
#ifndef READPERF_DECODE_SYMBOL_ELF_THUMB_H
#define READPERF_DECODE_SYMBOL_ELF_THUMB_H

#include "decode/symbol/elf/elffile.h"

/** A mapping symbol: what follows @address is Thumb code, or not. */
struct thumb_mark {
	uint64_t address;
	bool thumb;
};

/** All zero has none: all code is ARM code. */
struct thumb {
	struct thumb_mark *marks; /* ascending */
	size_t nr, room;
};

/** Reads the marks of @file, none unless it is EM_ARM. Returns -1 if memory is out, else 0. */
int thumb_read(struct thumb *thumb, const struct elffile *file);

/** Whether the code at @address is Thumb code. */
bool thumb_at(const struct thumb *thumb, uint64_t address);

void thumb_free(struct thumb *thumb);

#endif
