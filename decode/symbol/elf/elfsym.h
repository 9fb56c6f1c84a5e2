/* The function symbols of an ELF file, as perf chooses them. */
#ifndef READPERF_DECODE_SYMBOL_ELF_ELFSYM_H
#define READPERF_DECODE_SYMBOL_ELF_ELFSYM_H

#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/elf/symtab.h"

enum elfsym_table {
	ELFSYM_SYMTAB = 2,  /* SHT_SYMTAB: all symbols, unless stripped */
	ELFSYM_DYNSYM = 11, /* SHT_DYNSYM: symbols for dynamic linking */
};

/**
 * Adds to @table the symbols of @which that name code, at their virtual addresses; the names are
 * valid as long as @file. Sets *@nr_added to their number. Returns -1 if memory is out, else 0.
 */
int elfsym_read(const struct elffile *file, enum elfsym_table which, struct symtab *table,
		size_t *nr_added);

/** An entry of a symbol table, in native byte order. */
struct elfsym {
	const char *name; /* valid as long as the file; "" if it has none */
	uint64_t value, size;
	uint16_t section; /* section number, or SHN_ */
	uint8_t info, other;
};

/**
 * Returns the number of the section of type @which, 0 if there is none. A file has at most one of a
 * type (gABI).
 */
size_t elfsym_section(const struct elffile *file, enum elfsym_table which);

/** A symbol table and its string table, valid as long as the file. */
struct elfsyms {
	struct span symbols, names;
	bool is_64bit;
};

/** Returns the symbol table in section @section; an empty one if there is none. */
struct elfsyms elfsyms_of(const struct elffile *file, size_t section);

/** Reads entry @number of @table into @out. Returns false if there is no such entry. */
bool elfsym_get(const struct elfsyms *table, uint64_t number, struct elfsym *out);

/**
 * Reads the symbol table in section @section into *@list, by number, which the caller frees, and
 * its length into *@nr, 0 if there is none. Returns -1 if memory is out, else 0.
 */
int elfsym_list(const struct elffile *file, size_t section, struct elfsym **list, size_t *nr);

/**
 * Sets *@value to the value of the first symbol called @name in SHT_SYMTAB, of any type. Returns
 * false if there is none.
 */
bool elfsym_address(const struct elffile *file, const char *name, uint64_t *value);

#endif
