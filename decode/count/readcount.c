#include "decode/count/readcount.h"

#include "util/array.h"
#include "util/hash.h"

struct counter {
	uint64_t id, value;
};

bool readcount_delta(struct readcount *counts, uint64_t id, uint64_t value, uint64_t *delta)
{
	uint64_t hash = hash_u64(id);
	uint32_t number;

	for (size_t at = index_first(&counts->index, hash);
	     index_next(&counts->index, hash, &at, &number);) {
		struct counter *counter = &counts->counters[number];

		if (counter->id != id)
			continue;
		*delta = value > counter->value ? value - counter->value : 0;
		counter->value = value;
		return true;
	}
	if (!array_grow(counts->counters, counts->room, counts->index.nr + 1))
		return false;
	counts->counters[counts->index.nr] = (struct counter){id, value};
	*delta = value;
	return index_add(&counts->index, hash);
}

void readcount_free(struct readcount *counts)
{
	free(counts->counters);
	index_free(&counts->index);
	*counts = (struct readcount){0};
}
