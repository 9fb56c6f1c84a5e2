#include "decode/symbol/cfi/cfiknown.h"

#include "util/array.h"

#include <stdlib.h>

enum {
	MAX_ROWS = 1 << 20,
	MAX_OF_FDE = 16, /* functions of which more rows are met are rare */
};

const struct cfi_rule *cfi_known_find(const struct cfi_known *known, size_t fde, uint64_t address)
{
	uint32_t number = fde < known->nr_fdes ? known->newest[fde] : 0;

	while (number) {
		const struct cfi_known_row *row = &known->rows[number - 1];

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

	for (uint32_t number = known->newest[fde]; number; number = known->rows[number - 1].next)
		nr++;
	return nr == MAX_OF_FDE;
}

void cfi_known_add(struct cfi_known *known, size_t fde, size_t nr_fdes, const struct cfi_row *row,
		   const struct cfi_rule *rule)
{
	if (!known->newest) { /* most of a large table stays as it is: calloc() does not touch it */
		known->newest = calloc(nr_fdes, sizeof(*known->newest));
		known->nr_fdes = known->newest ? nr_fdes : 0;
	}
	if (fde >= known->nr_fdes || has_all(known, fde) || known->nr == MAX_ROWS ||
	    !array_grow(known->rows, known->room, known->nr + 1))
		return;
	known->rows[known->nr++] = (struct cfi_known_row){
		.start = row->start, .end = row->end, .rule = rule, .next = known->newest[fde]};
	known->newest[fde] = (uint32_t)known->nr;
}

void cfi_known_free(struct cfi_known *known)
{
	free(known->newest);
	free(known->rows);
	*known = (struct cfi_known){0};
}
