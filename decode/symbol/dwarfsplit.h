/* The functions of a DWARF unit of which only a skeleton is in the binary (-gsplit-dwarf). */
#ifndef READPERF_DECODE_SYMBOL_DWARFSPLIT_H
#define READPERF_DECODE_SYMBOL_DWARFSPLIT_H

#include "decode/symbol/dwarfunit.h"

/**
 * Meets the functions of @unit, whose skeleton's entry is @cu, and finds out all about them, since
 * the file that they are in is closed again. Returns -1 if memory is out.
 */
int dwarf_split_scan(struct dwarf_data *data, struct dwarf_unit *unit, Dwarf_Die *cu);

#endif
