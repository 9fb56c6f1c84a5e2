/*
 * Relocates the DWARF of a file that was never linked (ET_REL), such as a kernel module: its
 * addresses are known only once the code sections have theirs.
 *
 * The table in relocate.c has the operation for each relocation type.
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_RELOCATE_H
#define READPERF_DECODE_SYMBOL_KERNEL_RELOCATE_H

#include "decode/symbol/elf/elffile.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An entry of a section with relocations. */
struct relocation {
	uint64_t offset; /* in the section that they change */
	uint64_t symbol, addend;
	uint32_t type;
	bool has_addend; /* if not, the addend is the present value */
};

/** Takes the next one of @entries, which are those of a section of @file. */
struct relocation relocate_take(struct span *entries, const struct elffile *file, bool has_addend);

/**
 * Sets *@found to the number of the section with the relocations of section @number, 0 if there is
 * none. False if two sections have them.
 */
bool relocate_section_of(const struct elffile *file, size_t number, size_t *found);

/**
 * Applies the relocations of the DWARF sections of @file, whose code sections must have `addr` set
 * or be `unplaced`. Call it once. References to unplaced code get the value that linkers use for
 * discarded code, so that they match no address.
 *
 * @return true; false if the DWARF must not be read because a relocation cannot be applied (such as
 * an unknown type, or an offset outside the section); or false with *@nomem set if memory is out.
 */
bool relocate_dwarf(struct elffile *file, bool *nomem);

#endif
