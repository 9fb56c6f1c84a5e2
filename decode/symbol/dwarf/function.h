/* The name and source position of a function, from its DWARF entries. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_FUNCTION_H
#define READPERF_DECODE_SYMBOL_DWARF_FUNCTION_H

#include "decode/symbol/dwarf/debugdata.h"
#include "decode/symbol/dwarf/debugtypes.h"
#include "decode/symbol/dwarf/unit.h"

#include <stdint.h>

/**
 * Fills @out, except start, for the function or inlined copy whose entry is at offset @place, in
 * bytes, of the entries of @unit. Returns -1 if memory is out, else 0.
 */
int function_describe(struct debug_data *data, struct unit *unit, uint64_t place,
		      struct debug_function *out);

#endif
