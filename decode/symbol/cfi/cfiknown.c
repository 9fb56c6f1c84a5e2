#include "decode/symbol/cfi/cfiknown.h"

#include <stdlib.h>

enum {
	FIRST_BLOCK = 256, /* rows */
	MAX_ROWS = FIRST_BLOCK * ((1 << CFI_KNOWN_BLOCKS) - 1),
	MAX_OF_FDE = 16, /* functions of which more rows are met are rare */
};

/* The block of the row with this number, from 0. */
static unsigned block_of(size_t number)
{
	return 63 - (unsigned)__builtin_clzll(number / FIRST_BLOCK + 1);
}

/* Rows stay where they are. */
static struct cfi_known_row *row_at(const struct cfi_known *known, size_t number)
{
	const unsigned block = block_of(number);

	return &known->blocks[block][number - FIRST_BLOCK * (((size_t)1 << block) - 1)];
}

const struct cfi_rule *cfi_known_find(const struct cfi_known *known, size_t fde, uint64_t address)
{
	const _Atomic uint32_t *newest = atomic_load_explicit(&known->newest, memory_order_acquire);
	uint32_t number = 0;

	if (newest && fde < known->nr_fdes)
		number = atomic_load_explicit(&newest[fde], memory_order_acquire);
	while (number) {
		const struct cfi_known_row *row = row_at(known, number - 1);

		if (address >= row->start && address < row->end)
			return row->rule;
		number = row->next;
	}
	return NULL;
}

/* Whether as many rows of the FDE with number @fde are known as may be. */
static bool has_all(const struct cfi_known *known, size_t fde)
{
	size_t nr = 0;

	for (uint32_t number = known->newest[fde]; number; number = row_at(known, number - 1)->next)
		nr++;
	return nr == MAX_OF_FDE;
}

/* Makes room for one more row. Returns false if there is none. */
static bool make_room(struct cfi_known *known)
{
	struct cfi_known_row **block;

	if (known->nr == MAX_ROWS)
		return false;
	block = &known->blocks[block_of(known->nr)];
	if (!*block)
		*block = calloc((size_t)FIRST_BLOCK << block_of(known->nr), sizeof(**block));
	return *block;
}

/* Makes the table of @nr_fdes, if there is none. Returns false if memory is out. */
static bool start(struct cfi_known *known, size_t nr_fdes)
{
	_Atomic uint32_t *newest;

	if (known->newest)
		return true;
	newest = calloc(nr_fdes, sizeof(*newest)); /* which does not touch a large table */
	known->nr_fdes = nr_fdes;
	atomic_store_explicit(&known->newest, newest, memory_order_release);
	return newest;
}

void cfi_known_add(struct cfi_known *known, size_t fde, size_t nr_fdes, const struct cfi_row *row,
		   const struct cfi_rule *rule)
{
	if (!start(known, nr_fdes) || fde >= known->nr_fdes || has_all(known, fde) ||
	    !make_room(known))
		return;
	*row_at(known, known->nr++) = (struct cfi_known_row){
		.start = row->start, .end = row->end, .rule = rule, .next = known->newest[fde]};
	atomic_store_explicit(&known->newest[fde], (uint32_t)known->nr, memory_order_release);
}

void cfi_known_free(struct cfi_known *known)
{
	free((void *)known->newest);
	for (size_t i = 0; i < CFI_KNOWN_BLOCKS; i++)
		free(known->blocks[i]);
	*known = (struct cfi_known){0};
}
