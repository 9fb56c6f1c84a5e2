/* The functions of a DWARF unit that has only a skeleton in the binary (-gsplit-dwarf). */
#ifndef READPERF_DECODE_SYMBOL_DWARF_SKELETON_H
#define READPERF_DECODE_SYMBOL_DWARF_SKELETON_H

#include "decode/symbol/dwarf/codeunit.h"
#include "decode/symbol/dwarf/debugdata.h"

/**
 * Finds the functions of @code, whose unit is a skeleton, in its split unit, and fills all their
 * answers, since the split unit's file is closed on return. Returns -1 if memory is out, else 0.
 */
int skeleton_scan(struct debug_data *data, struct code_unit *code);

#endif
