/* Symbols for the stubs of the procedure linkage table, which have none: "memcpy@plt". */
#ifndef READPERF_DECODE_SYMBOL_ELF_PLT_H
#define READPERF_DECODE_SYMBOL_ELF_PLT_H

#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/elf/symtab.h"
#include "util/intern.h"

/**
 * Adds to @stubs one symbol for each stub of @file whose function is certain, and builds @stubs.
 * @file must be the file that ran: a separate debug file has no code. @symbols: the file's symbols,
 * built. @strings keeps the names. Returns -1 if memory is out, else 0.
 */
int plt_read(const struct elffile *file, const struct symtab *symbols, struct symtab *stubs,
	     struct intern *strings);

#endif
