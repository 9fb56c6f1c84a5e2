#include "decode/count/splitcount.h"

#include "decode/count/recentcount.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>

static bool add_new(struct splitcount *counts, const struct split_count *count, uint64_t hash)
{
	const size_t nr = counts->index.nr;

	if (splitcount_full(counts) || !array_grow(counts->list, counts->room, nr + 1))
		return false;
	counts->list[nr] = *count;
	return index_add(&counts->index, hash);
}

bool splitcount_add(struct splitcount *counts, uint32_t tuple, uint32_t kind, uint32_t number,
		    uint64_t period)
{
	const struct split_count added = {tuple, kind, number, {1, period}};
	const uint64_t hash = hash_u64(hash_add((uint64_t)kind << 32 | tuple, number));
	uint32_t at_number;

	for (size_t at = index_first(&counts->index, hash);
	     index_next(&counts->index, hash, &at, &at_number);) {
		struct split_count *have = &counts->list[at_number];

		if (have->tuple != tuple || have->kind != kind || have->number != number)
			continue;
		tally_add(&have->tally, 1, period);
		return true;
	}
	return add_new(counts, &added, hash);
}

void splitcount_forget_waiting(struct splitcount *counts)
{
	for (size_t i = 0; i < counts->index.nr; i++) {
		if (counts->list[i].kind == RECENT_WAITING)
			counts->list[i].tally = (struct tally){0};
	}
}

void splitcount_free(struct splitcount *counts)
{
	free(counts->list);
	index_free(&counts->index);
	*counts = (struct splitcount){0};
}
