/*
 * The kernel's own list of its symbols: the text of /proc/kallsyms or of a copy of it.
 *
 *	ffffffff81000000 T _text
 *	ffffffffc02b1000 t ext4_read	[ext4]
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_KALLSYMS_H
#define READPERF_DECODE_SYMBOL_KERNEL_KALLSYMS_H

#include "decode/symbol/elf/symtab.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A symbol that perf would take: of type t, w, d or b in either case. */
struct kallsyms_symbol {
	uint64_t address;
	const char *name;
	const char *module; /* without its brackets; "" for the kernel itself */
	char type;
};

/** Owns its strings. */
struct kallsyms {
	char *text;
	struct kallsyms_symbol *symbols; /* in the file's order */
	size_t nr, room;
	/* those of modules by module, address and place in the file */
	const struct kallsyms_symbol **of_modules;
	size_t nr_of_modules;
	bool hidden; /* there are symbols, and not one has an address */
};

/**
 * Takes over the @size bytes of @text, which is NUL-terminated, and reads them; lines that are no
 * symbols are skipped. Returns -1 if memory is out, @text freed.
 */
int kallsyms_parse(struct kallsyms *kallsyms, char *text, size_t size);

/** True with the @address of the kernel's own symbol @name. */
bool kallsyms_address(const struct kallsyms *kallsyms, const char *name, uint64_t *address);

/**
 * Fills and builds @table with the symbols of @module ("" is the kernel) whose address lies in
 * [@start, @end). '-' and '_' are the same in a module's name. To the kernel's is added, wherever
 * it lies, the code that it made at run time. Returns -1 if memory is out.
 */
int kallsyms_read(const struct kallsyms *kallsyms, const char *module, uint64_t start, uint64_t end,
		  struct symtab *table);

void kallsyms_free(struct kallsyms *kallsyms);

#endif
