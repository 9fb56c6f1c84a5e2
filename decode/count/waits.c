#include "decode/count/waits.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>

static void add(uint64_t *to, uint64_t more)
{
	if (__builtin_add_overflow(*to, more, to))
		*to = UINT64_MAX;
}

void wait_sum_add(struct wait_sum *sum, const struct wait_sum *more)
{
	add(&sum->wait, more->wait);
	add(&sum->delay, more->delay);
	add(&sum->preempt, more->preempt);
	add(&sum->count, more->count);
	if (more->max > sum->max)
		sum->max = more->max;
}

static bool same_place(const struct wait_place *a, const struct wait_place *b)
{
	return a->pid == b->pid && a->path == b->path && a->table == b->table &&
	       a->state == b->state && a->has_state == b->has_state && a->comm == b->comm &&
	       a->event == b->event && a->source == b->source;
}

static uint64_t hash_place(const struct wait_place *place)
{
	const uint64_t words[] = {
		place->state,
		(uint64_t)place->pid << 32 | place->comm,
		(uint64_t)place->table << 32 | place->path,
		(uint64_t)place->event << 8 | (uint64_t)place->source << 1 | place->has_state,
	};

	uint64_t hash = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		hash = hash_add(hash, words[i]);
	return hash;
}

bool waits_add(struct waits *waits, const struct wait_place *place, const struct wait_sum *sum)
{
	const uint64_t hash = hash_place(place);
	struct index *ix = &waits->index;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		if (same_place(&waits->list[number].place, place)) {
			wait_sum_add(&waits->list[number].sum, sum);
			return true;
		}
	}
	if (!array_grow(waits->list, waits->room, ix->nr + 1) || !index_add(ix, hash))
		return false;
	waits->list[ix->nr - 1] = (struct wait_entry){*place, *sum};
	return true;
}

void waits_free(struct waits *waits)
{
	free(waits->list);
	index_free(&waits->index);
	*waits = (struct waits){0};
}
