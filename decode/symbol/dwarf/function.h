/* What the entries of DWARF say of a function: its name, and where its source is. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_FUNCTION_H
#define READPERF_DECODE_SYMBOL_DWARF_FUNCTION_H

#include "decode/symbol/dwarf/debugdata.h"
#include "decode/symbol/dwarf/debugtypes.h"
#include "decode/symbol/dwarf/unit.h"

#include <stdint.h>

/**
 * Finds out how the function, or copy of one, is called whose entry is @place bytes into those of
 * @unit, and where it stands: all of @out but its start. Returns -1 if memory is out.
 */
int function_describe(struct debug_data *data, struct unit *unit, uint64_t place,
		      struct debug_function *out);

#endif
