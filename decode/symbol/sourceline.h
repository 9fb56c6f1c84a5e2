/* Where code is from: the source lines that a loaded binary has for it, in DWARF, Go's table, or a
 * jitdump. */
#ifndef READPERF_DECODE_SYMBOL_SOURCELINE_H
#define READPERF_DECODE_SYMBOL_SOURCELINE_H

#include "decode/symbol/find/binary.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Finds the source line of the virtual @address of @binary; what DWARF it has is open. *@found:
 * whether there is one. Its filename is valid as long as the binary's answers. Returns -1 if memory
 * is out, else 0.
 */
int sourceline_find(struct binary *binary, uint64_t address, struct source_line *line, bool *found);

/** The same of the definition of @symbol, by Go's table or a jitdump: DWARF does not tell. */
int sourceline_of_symbol(struct binary *binary, const struct symtab_entry *symbol,
			 struct source_line *line, bool *found);

#endif
