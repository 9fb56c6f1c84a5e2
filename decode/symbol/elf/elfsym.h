/* The function symbols of an ELF file, as perf chooses them. */
#ifndef READPERF_DECODE_SYMBOL_ELF_ELFSYM_H
#define READPERF_DECODE_SYMBOL_ELF_ELFSYM_H

#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/elf/symtab.h"

enum elfsym_table {
	ELFSYM_SYMTAB = 2,  /* SHT_SYMTAB: all of them, unless stripped */
	ELFSYM_DYNSYM = 11, /* SHT_DYNSYM: those that other binaries can use */
};

/**
 * Adds to @table the symbols of @which that name code, at their virtual addresses; the names live
 * in @file. *@nr_added gets their number. Returns -1 if memory is out.
 */
int elfsym_read(const struct elffile *file, enum elfsym_table which, struct symtab *table,
		size_t *nr_added);

/** A symbol of a section, in native byte order. */
struct elfsym {
	const char *name; /* lives in the file; "" if it has none */
	uint64_t value, size;
	uint16_t section; /* number, or SHN_ */
	uint8_t info, other;
};

/** The number of the file's section @which, which is the only one (gABI); 0 if there is none. */
size_t elfsym_section(const struct elffile *file, enum elfsym_table which);

/** A symbol table with its names; they live in the file. */
struct elfsyms {
	struct span symbols, names;
	bool is_64bit;
};

/** The symbol table in section @section; without a symbol if there is none. */
struct elfsyms elfsyms_of(const struct elffile *file, size_t section);

/** Reads entry @number of @table. Returns false if there is no such entry. */
bool elfsym_get(const struct elfsyms *table, uint64_t number, struct elfsym *out);

/**
 * Reads all of the symbol table in section @section to *@list, by number, for the caller to free;
 * an empty one if there is none. Returns -1 if memory is out.
 */
int elfsym_list(const struct elffile *file, size_t section, struct elfsym **list, size_t *nr);

/** True with the @value of the symbol @name of SHT_SYMTAB, whatever it is the name of. */
bool elfsym_address(const struct elffile *file, const char *name, uint64_t *value);

#endif
