/* The data symbols of an ELF file: which variable an address is in. */
#ifndef READPERF_DECODE_SYMBOL_ELF_DATASYM_H
#define READPERF_DECODE_SYMBOL_ELF_DATASYM_H

#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/elf/symtab.h"

#include <stdint.h>

/** A variable, and where in it an address is. */
struct data_symbol {
	const char *name;     /* as the linker has it; valid as long as the file */
	uint64_t start, size; /* virtual address and bytes */
	uint64_t offset;      /* of the address from the start, in bytes */
};

/**
 * Fills @table, which is all zero, with the variables of @file: of its symbol table or, if that has
 * none, of the one for dynamic linking. Variables of threads have no address and are left out.
 * Returns -1 if memory is out, else 0; call symtab_free() even then.
 */
int datasym_read(const struct elffile *file, struct symtab *table);

/**
 * Finds the variable of @table at the virtual address @address; of several the one whose name perf
 * would show. Returns 1, 0 if there is none, -1 if memory is out.
 */
int datasym_find(struct symtab *table, uint64_t address, struct data_symbol *found);

#endif
