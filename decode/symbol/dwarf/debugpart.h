/*
 * As much of a file's DWARF as a few addresses need.
 *
 * A section that is packed can be unpacked from its start only. That takes most of the time of a
 * small recording if it is done to the end: 8.5 MB for a C library, to look up some of its 4,000
 * units, which are mostly in the first half.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_DEBUGPART_H
#define READPERF_DECODE_SYMBOL_DWARF_DEBUGPART_H

#include "decode/symbol/dwarf/debugdata.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>

/** True if @file tells which units cover which addresses. */
bool debug_part_is_told(const struct elffile *file);

/**
 * Opens in @data, as debug_data_open_part() does, what the *@nr @places need of files->main. Fills
 * and sorts them: those from the new *@nr on have a file name and need nothing, the others a unit
 * in data->main.units. *@is_open: whether that could be done. Call debug_data_close() in any case.
 * Returns -1 if memory is out, else 0.
 */
int debug_part_open(struct debug_data *data, const struct debug_files *files,
		    struct intern *strings, struct debug_place *places, size_t *nr, bool *is_open);

#endif
