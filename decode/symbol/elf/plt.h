/* Names for the stubs of the procedure linkage table, which have no symbols: "memcpy@plt". */
#ifndef READPERF_DECODE_SYMBOL_ELF_PLT_H
#define READPERF_DECODE_SYMBOL_ELF_PLT_H

#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/elf/symtab.h"
#include "util/intern.h"

/**
 * Fills and builds @stubs with one symbol for each stub of @file (which must be the file that ran:
 * a separate debug file has no code) whose function is certain. @symbols are those of the file,
 * built. The names are kept in @strings. Returns -1 if memory is out.
 */
int plt_read(const struct elffile *file, const struct symtab *symbols, struct symtab *stubs,
	     struct intern *strings);

#endif
