#include "decode/count/cacheline.h"

#include "util/array.h"
#include "util/hash.h"

static uint64_t hash_key(const struct cacheline_key *key)
{
	uint64_t hash = hash_add(hash_u64(key->data_place), key->code_place);

	hash = hash_add(hash, (uint64_t)key->data_dso << 32 | key->code_dso);
	hash = hash_add(hash, (uint64_t)key->pid << 32 | key->tid);
	return hash_add(hash, key->cpu);
}

static bool same_key(const struct cacheline_key *a, const struct cacheline_key *b)
{
	return a->data_place == b->data_place && a->code_place == b->code_place &&
	       a->data_dso == b->data_dso && a->code_dso == b->code_dso && a->pid == b->pid &&
	       a->tid == b->tid && a->cpu == b->cpu;
}

bool cacheline_add(struct cacheline_count *count, const struct cacheline_cell *cell)
{
	const struct index *ix = &count->index;
	const uint64_t hash = hash_key(&cell->key);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		struct cacheline_cell *have = &count->cells[number];

		if (!same_key(&have->key, &cell->key))
			continue;
		for (int i = 0; i < NR_CACHELINE_COUNTERS; i++)
			have->counts[i] += cell->counts[i];
		return true;
	}
	if (ix->nr >= count->limit) {
		count->beyond += cell->counts[CACHELINE_RECORDS];
		return true;
	}
	if (!array_grow(count->cells, count->room, ix->nr + 1))
		return false;
	count->cells[ix->nr] = *cell;
	return index_add(&count->index, hash);
}

void cacheline_free(struct cacheline_count *count)
{
	free(count->cells);
	index_free(&count->index);
	*count = (struct cacheline_count){0};
}
