#include "decode/count/recentcount.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>

void recentcount_init(struct recentcount *window, uint64_t length)
{
	*window = (struct recentcount){.length = length};
	if (length)
		window->slice_length = (length - 1) / RECENT_SLICES + 1;
}

static bool add(struct recentcount_counts *counts, const struct recentcount_count *more)
{
	const struct index *ix = &counts->index;
	const uint64_t hash =
		hash_add(hash_u64((uint64_t)more->kind << 32 | more->number), more->tuple);
	uint32_t at_number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &at_number);) {
		struct recentcount_count *have = &counts->list[at_number];

		if (have->kind != more->kind || have->number != more->number ||
		    have->tuple != more->tuple)
			continue;
		tally_add(&have->tally, more->tally.samples, more->tally.period);
		return true;
	}
	if (!array_grow(counts->list, counts->room, ix->nr + 1))
		return false;
	counts->list[ix->nr] = *more;
	return index_add(&counts->index, hash);
}

/* Moves the window forward, so that @slice is its newest slice. */
static void move_on(struct recentcount *window, uint64_t slice)
{
	const uint64_t nr = slice - window->newest;

	for (uint64_t i = 1; i <= nr && i <= RECENT_SLICES; i++)
		recentcount_counts_free(&window->slices[(window->newest + i) % RECENT_SLICES]);
	window->newest = slice;
}

bool recentcount_count(struct recentcount *window, uint64_t time,
		       const struct recentcount_count *count)
{
	const uint64_t slice = time / window->slice_length;

	window->timed = true;
	if (slice > window->newest)
		move_on(window, slice);
	else if (window->newest - slice >= RECENT_SLICES)
		return true;
	return add(&window->slices[slice % RECENT_SLICES], count);
}

void recentcount_forget_waiting(struct recentcount *window)
{
	for (size_t i = 0; i < RECENT_SLICES; i++) {
		const struct recentcount_counts *slice = &window->slices[i];

		for (size_t at = 0; at < slice->index.nr; at++) {
			if (slice->list[at].kind == RECENT_WAITING)
				slice->list[at].tally = (struct tally){0};
		}
	}
}

bool recentcount_sum(const struct recentcount *window, struct recentcount_counts *sum)
{
	for (size_t i = 0; i < RECENT_SLICES; i++) {
		const struct recentcount_counts *slice = &window->slices[i];

		for (size_t at = 0; at < slice->index.nr; at++) {
			if (!add(sum, &slice->list[at]))
				return false;
		}
	}
	return true;
}

void recentcount_counts_free(struct recentcount_counts *counts)
{
	free(counts->list);
	index_free(&counts->index);
	*counts = (struct recentcount_counts){0};
}

void recentcount_free(struct recentcount *window)
{
	for (size_t i = 0; i < RECENT_SLICES; i++)
		recentcount_counts_free(&window->slices[i]);
}
