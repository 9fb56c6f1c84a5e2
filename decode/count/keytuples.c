#include "decode/count/keytuples.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

static bool is_same(const struct keytuples *tuples, uint32_t number, const uint64_t *tuple)
{
	const uint64_t *words = keytuples_get(tuples, number);

	for (size_t i = 0; i <= tuples->nr_keys; i++)
		if (words[i] != tuple[i])
			return false;
	return true;
}

static uint64_t hash_tuple(const struct keytuples *tuples, const uint64_t *tuple)
{
	uint64_t hash = 0;

	for (size_t i = 0; i <= tuples->nr_keys; i++)
		hash = hash_add(hash, tuple[i]);
	return hash_u64(hash);
}

uint32_t keytuples_number(struct keytuples *tuples, const uint64_t *tuple)
{
	const size_t nr = keytuples_count(tuples), width = tuples->nr_keys + 1;
	uint32_t number;
	uint64_t hash;

	if (nr && is_same(tuples, tuples->last, tuple))
		return tuples->last;
	hash = hash_tuple(tuples, tuple);
	for (size_t at = index_first(&tuples->index, hash);
	     index_next(&tuples->index, hash, &at, &number);) {
		if (is_same(tuples, number, tuple))
			return tuples->last = number;
	}
	if (!array_grow(tuples->words, tuples->room, (nr + 1) * width) ||
	    !index_add(&tuples->index, hash))
		return KEYTUPLES_NONE;
	memcpy(&tuples->words[nr * width], tuple, width * sizeof(*tuple));
	return tuples->last = (uint32_t)nr;
}

void keytuples_free(struct keytuples *tuples)
{
	free(tuples->words);
	index_free(&tuples->index);
	*tuples = (struct keytuples){.nr_keys = tuples->nr_keys};
}
