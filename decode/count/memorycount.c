#include "decode/count/memorycount.h"

#include "util/array.h"
#include "util/hash.h"

void memory_count_add_cycles(struct memory_cycles *a, const struct memory_cycles *b)
{
	if (!b->known)
		return;
	if (!a->known || b->min < a->min)
		a->min = b->min;
	if (b->max > a->max)
		a->max = b->max;
	if (__builtin_add_overflow(a->sum, b->sum, &a->sum))
		a->sum = UINT64_MAX;
	a->known += b->known;
}

static uint64_t hash_key(const struct memory_key *key)
{
	uint64_t hash = hash_add(hash_u64(key->place), key->data_src);

	hash = hash_add(hash, (uint64_t)key->dso << 32 | key->event);
	return hash_add(hash, key->bucket);
}

static bool same_key(const struct memory_key *a, const struct memory_key *b)
{
	return a->place == b->place && a->data_src == b->data_src && a->dso == b->dso &&
	       a->event == b->event && a->bucket == b->bucket;
}

bool memory_count_add(struct memory_count *count, const struct memory_cell *cell)
{
	const struct index *ix = &count->index;
	const uint64_t hash = hash_key(&cell->key);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		struct memory_cell *have = &count->cells[number];

		if (!same_key(&have->key, &cell->key))
			continue;
		tally_add(&have->tally, cell->tally.samples, cell->tally.period);
		memory_count_add_cycles(&have->latency, &cell->latency);
		memory_count_add_cycles(&have->instruction, &cell->instruction);
		return true;
	}
	if (ix->nr >= count->limit) {
		count->beyond += cell->tally.samples;
		return true;
	}
	if (!array_grow(count->cells, count->room, ix->nr + 1))
		return false;
	count->cells[ix->nr] = *cell;
	return index_add(&count->index, hash);
}

void memory_count_free(struct memory_count *count)
{
	free(count->cells);
	index_free(&count->index);
	*count = (struct memory_count){0};
}
