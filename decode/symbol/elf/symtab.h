/*
 * The symbol table of one binary, with perf's rules for the symbol of an address.
 *
 * Names are borrowed: the caller keeps them valid as long as the table.
 */
#ifndef READPERF_DECODE_SYMBOL_ELF_SYMTAB_H
#define READPERF_DECODE_SYMBOL_ELF_SYMTAB_H

#include "decode/symbol/elf/ranges.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A symbol covers [start, end). One without a size ends at the next symbol or earlier. */
struct symtab_entry {
	uint64_t start, end;
	const char *name;
	uint32_t order;	 /* number in the order of adding, set by symtab_add() */
	uint8_t type;	 /* STT_ */
	uint8_t binding; /* STB_ */
	bool sizeless;
};

/** Returns the symbol's size in bytes, 0 if the symbol table does not give it. */
static inline uint64_t symtab_size(const struct symtab_entry *entry)
{
	return entry->sizeless ? 0 : entry->end - entry->start;
}

/** All zero is an empty table. */
struct symtab {
	struct symtab_entry *entries;
	size_t nr, room;
	bool has_local;	      /* of a local function: such symbols were not stripped */
	struct ranges ranges; /* items are entry numbers */
	uint32_t *best;	      /* by entry, see symtab.c; NULL until needed */
	bool best_plainly;    /* @best compares demangled names */
};

/** Makes room for @nr entries if @table is empty; fewer or more may come. -1 if memory is out. */
int symtab_expect(struct symtab *table, size_t nr);

/** Adds a copy of @entry. Returns -1 if memory is out, else 0. */
int symtab_add(struct symtab *table, const struct symtab_entry *entry);

/**
 * Sets the ends of symbols without a size and builds the ranges; nothing may be added afterwards.
 * Returns -1 if memory is out, else 0.
 */
int symtab_build(struct symtab *table);

/**
 * Returns the range that holds @address, for symtab_best(), or NULL if no symbol does; @cursor is
 * as for ranges_find().
 */
const struct range *symtab_find(const struct symtab *table, uint64_t address, size_t *cursor);

/**
 * Returns the alias that perf would show of those that share @range. @plainly: compares demangled
 * names, as perf does by default. Each alias is compared once, however many ranges share it.
 * Returns NULL if memory is out.
 */
const struct symtab_entry *symtab_best(struct symtab *table, const struct range *range,
				       bool plainly);

/**
 * Returns the symbol of type STT_GNU_IFUNC whose resolver is at @address; of several aliases the
 * one that perf would show. NULL if there is none.
 */
const struct symtab_entry *symtab_resolved_at(const struct symtab *table, uint64_t address);

void symtab_free(struct symtab *table);

#endif
