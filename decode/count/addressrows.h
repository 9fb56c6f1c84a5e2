/*
 * The functions that an address counts for, as row numbers: the function that contains it, and the
 * functions that this one is inlined into.
 */
#ifndef READPERF_DECODE_COUNT_ADDRESSROWS_H
#define READPERF_DECODE_COUNT_ADDRESSROWS_H

#include "util/prefetch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADDRESS_ROWS_NONE UINT32_MAX

/** Lists of rows, which addresses share. All zero is empty. */
struct address_rows {
	uint32_t *words; /* for each list: its number of rows, then the rows, innermost first */
	size_t nr_words, room;
	uint32_t *list_of; /* by address number: index of its list in @words */
	size_t nr_rows;	   /* all row numbers are below this */
};

/** The rows of an address, innermost first; at least one. */
struct row_list {
	const uint32_t *rows;
	size_t nr;
};

/**
 * Makes room for @nr_addresses addresses, which have no list yet. Returns false if memory is out.
 */
bool address_rows_init(struct address_rows *rows, size_t nr_addresses);

/** Starts an empty list. Returns its index, ADDRESS_ROWS_NONE if memory is out. */
uint32_t address_rows_start(struct address_rows *rows);

/**
 * Appends @row to the list at @list, which must be the list started last. Returns false if memory
 * is out.
 */
bool address_rows_append(struct address_rows *rows, uint32_t list, uint32_t row);

static inline struct row_list address_rows_of(const struct address_rows *rows, uint32_t address)
{
	const uint32_t *list = &rows->words[rows->list_of[address]];

	return (struct row_list){list + 1, list[0]};
}

/** Has the processor fetch where the rows of @address are. */
static inline void address_rows_prefetch(const struct address_rows *rows, uint32_t address)
{
	prefetch_read(&rows->list_of[address]);
}

/** The row of the innermost function at the address. */
static inline uint32_t address_rows_innermost(const struct address_rows *rows, uint32_t address)
{
	return rows->words[rows->list_of[address] + 1];
}

/** Row n becomes @numbers[n], in all lists. */
void address_rows_renumber(struct address_rows *rows, const uint32_t *numbers);

void address_rows_free(struct address_rows *rows);

#endif
