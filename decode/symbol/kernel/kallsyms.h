/*
 * Reads the kernel's list of its symbols: the text of /proc/kallsyms or of a copy of it.
 *
 *	ffffffff81000000 T _text
 *	ffffffffc02b1000 t ext4_read	[ext4]
 */
#ifndef READPERF_DECODE_SYMBOL_KERNEL_KALLSYMS_H
#define READPERF_DECODE_SYMBOL_KERNEL_KALLSYMS_H

#include "decode/symbol/answer.h"
#include "decode/symbol/elf/symtab.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A symbol of a type that perf uses: t, w, d or b in either case. There are 100,000 and more. */
struct kallsyms_symbol {
	uint64_t address;
	uint32_t name;	 /* where it is in the text */
	uint32_t module; /* the same, without the brackets; 0 for the kernel itself */
};

/** A symbol of a module; both are in the kallsyms. */
struct kallsyms_of_module {
	const char *module;
	const struct kallsyms_symbol *symbol;
};

/** The symbols of a kallsyms; owns its strings. */
struct kallsyms {
	char *text;
	struct kallsyms_symbol *symbols; /* in the order of the file */
	size_t nr, room;
	/* the symbols of modules, by module, address and order in the file */
	struct kallsyms_of_module *of_modules;
	size_t nr_of_modules;
	bool hidden; /* there are symbols, but all addresses are 0 */
};

/**
 * Parses the @size bytes of @text, which is NUL-terminated and on the heap; takes over @text. Lines
 * that are no symbols are skipped, and so is what is beyond 4 GB. Returns -1 with @text freed if
 * memory is out.
 */
int kallsyms_parse(struct kallsyms *kallsyms, char *text, size_t size);

/** The name of @symbol, a string in @kallsyms. */
static inline const char *kallsyms_name(const struct kallsyms *kallsyms,
					const struct kallsyms_symbol *symbol)
{
	return kallsyms->text + symbol->name;
}

/** The module of @symbol, a string in @kallsyms; "" for the kernel itself. */
static inline const char *kallsyms_module(const struct kallsyms *kallsyms,
					  const struct kallsyms_symbol *symbol)
{
	return symbol->module ? kallsyms->text + symbol->module : "";
}

/** The letter of @symbol: a blank is between it and the name. */
static inline char kallsyms_type(const struct kallsyms *kallsyms,
				 const struct kallsyms_symbol *symbol)
{
	return kallsyms->text[symbol->name - 2];
}

/**
 * Whether the line at @line is a symbol that kallsyms_parse() takes. *@address: the hexadecimal
 * number that it begins with, 0 if there is none. Lines go on up to @end, behind a newline.
 */
bool kallsyms_peek(const char *line, const char *end, uint64_t *address);

/** Sets *@address to that of the kernel's own symbol @name. False if there is no such symbol. */
bool kallsyms_address(const struct kallsyms *kallsyms, const char *name, uint64_t *address);

/**
 * Fills and builds @table with the symbols of @module ("": the kernel) whose addresses are in
 * [@start, @end). '-' and '_' are equal in module names. Code that the kernel generated at run time
 * is added to the kernel's symbols whatever its address. The names are in @kallsyms. Returns -1 if
 * memory is out.
 */
int kallsyms_read(const struct kallsyms *kallsyms, const char *module, uint64_t start, uint64_t end,
		  struct symtab *table);

/**
 * As kallsyms_read() for the kernel, but only the places of @expected, plus @shift, will be looked
 * up in @table: symbols that change nothing for them may be missing. NULL: anything may be looked
 * up.
 */
int kallsyms_read_kernel(const struct kallsyms *kallsyms, const struct place_list *expected,
			 uint64_t shift, struct symtab *table);

/** Frees the text and the symbols; @kallsyms is all zero then. */
void kallsyms_free(struct kallsyms *kallsyms);

#endif
