/* Functions of Go's table as symbols, for programs that were stripped of theirs. */
#ifndef READPERF_DECODE_SYMBOL_GO_GOSYMBOLS_H
#define READPERF_DECODE_SYMBOL_GO_GOSYMBOLS_H

#include "decode/symbol/elf/symtab.h"
#include "decode/symbol/go/gotable.h"
#include "util/intern.h"

/**
 * Adds all functions of @table to @symbols, with the names that its linker gives symbols; they are
 * valid as long as the file and @strings. Returns -1 if memory is out, else 0.
 */
int gosymbols_add(const struct gotable *table, struct symtab *symbols, struct intern *strings);

#endif
