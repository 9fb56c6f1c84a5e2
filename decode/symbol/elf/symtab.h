/*
 * The symbols of one binary, and perf's rules for which of them an address belongs to.
 *
 * The names are borrowed: whoever fills the table keeps them alive as long.
 */
#ifndef READPERF_DECODE_SYMBOL_ELF_SYMTAB_H
#define READPERF_DECODE_SYMBOL_ELF_SYMTAB_H

#include "decode/symbol/elf/ranges.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A symbol covers [start, end). One without a size ends at the next symbol, if not before. */
struct symtab_entry {
	uint64_t start, end;
	const char *name;
	uint32_t order;	 /* place among the added ones, set by symtab_add() */
	uint8_t type;	 /* STT_ */
	uint8_t binding; /* STB_ */
	bool sizeless;
};

/** Bytes that the symbol is said to cover; 0 if it does not say. */
static inline uint64_t symtab_size(const struct symtab_entry *entry)
{
	return entry->sizeless ? 0 : entry->end - entry->start;
}

/** All zero is an empty table. */
struct symtab {
	struct symtab_entry *entries;
	size_t nr, room;
	struct ranges ranges; /* of entry numbers */
	uint32_t *best;	      /* by entry: see symtab_best(); NULL until it is needed */
	bool best_plainly;    /* how @best was found */
};

/** Adds a copy of @entry. Returns -1 if memory is out. */
int symtab_add(struct symtab *table, const struct symtab_entry *entry);

/** Settles ends and order; nothing is added afterwards. Returns -1 if memory is out. */
int symtab_build(struct symtab *table);

/**
 * The part of the table's ranges that holds @address, or NULL if no symbol does; @cursor as for
 * ranges_find(). Its item goes to symtab_best().
 */
const struct range *symtab_find(const struct symtab *table, uint64_t address, size_t *cursor);

/**
 * The one of the aliases that share @range which perf would show: with @plainly by their demangled
 * names, as perf does by default. Each alias is weighed once, however
 * many ranges share it. NULL if memory is out.
 */
const struct symtab_entry *symtab_best(struct symtab *table, const struct range *range,
				       bool plainly);

/**
 * The function, of type STT_GNU_IFUNC, whose resolver is at @address, the one of its aliases that
 * perf would show; NULL if there is none.
 */
const struct symtab_entry *symtab_resolved_at(const struct symtab *table, uint64_t address);

void symtab_free(struct symtab *table);

#endif
