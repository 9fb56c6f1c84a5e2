/* The functions of a DWARF unit of which only a skeleton is in the binary (-gsplit-dwarf). */
#ifndef READPERF_DECODE_SYMBOL_DWARF_SKELETON_H
#define READPERF_DECODE_SYMBOL_DWARF_SKELETON_H

#include "decode/symbol/dwarf/codeunit.h"
#include "decode/symbol/dwarf/debugdata.h"

/**
 * Meets the functions of @code, whose unit is a skeleton, and finds out all about them, since the
 * file that they are in is closed again. Returns -1 if memory is out.
 */
int skeleton_scan(struct debug_data *data, struct code_unit *code);

#endif
