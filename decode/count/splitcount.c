#include "decode/count/splitcount.h"

#include "util/array.h"

#include <stdlib.h>

/* So many samples are noted: as many as a cache holds; more if there are many pairs to go through.
 */
enum { NOTED_MIN = 1 << 15, NOTED_MAX = 1 << 18 };

/* How many pairs of the sorted notes are not in the list. */
static size_t count_new(const struct split_counts *of)
{
	size_t at = 0, nr_new = 0;

	for (size_t i = 0; i < of->nr_noted; i++) {
		const uint64_t pair = of->noted[i].key;

		if (i && pair == of->noted[i - 1].key)
			continue;
		while (at < of->nr && of->list[at].pair < pair)
			at++;
		nr_new += at == of->nr || of->list[at].pair != pair;
	}
	return nr_new;
}

/* Adds the sorted notes, @nr_new of whose pairs are new, to the list: from its end on, where there
 * is room. */
static void merge(struct split_counts *of, size_t nr_new)
{
	const size_t end = of->nr + nr_new;
	size_t at = of->nr, to = end;

	while (of->nr_noted) {
		const struct keyed note = of->noted[of->nr_noted - 1];

		if (to < end && of->list[to].pair == note.key) {
			tally_add(&of->list[to].tally, 1, note.value);
			of->nr_noted--;
		} else if (at && of->list[at - 1].pair >= note.key) {
			of->list[--to] = of->list[--at];
		} else {
			of->list[--to] = (struct split_count){.pair = note.key};
		}
	}
	of->nr = end;
}

static bool flush(struct splitcount *counts, struct split_counts *of)
{
	const size_t most = counts->most ? counts->most : SPLITCOUNT_MAX;
	size_t nr_new;

	if (!array_grow(counts->spare, counts->spare_room, of->nr_noted))
		return false;
	keysort(of->noted, counts->spare, of->nr_noted);
	nr_new = count_new(of);
	counts->full |= nr_new > most - counts->nr;
	if (counts->full || !array_grow(of->list, of->room, of->nr + nr_new))
		return false;
	counts->nr += nr_new;
	merge(of, nr_new);
	return true;
}

/* Makes room for a note of @of. Returns as splitcount_add(). */
static bool make_room(struct splitcount *counts, struct split_counts *of)
{
	size_t most = NOTED_MIN;

	if (of->nr_noted && !flush(counts, of))
		return false;
	while (most < NOTED_MAX && most < of->nr / 2)
		most *= 2;
	return array_grow(of->noted, of->most_noted, most);
}

/* Adds the notes of a table of paths that is complete, and frees their room. */
static bool complete(struct splitcount *counts, struct split_counts *of)
{
	if (of->nr_noted && !flush(counts, of))
		return false;
	free(of->noted);
	of->noted = NULL;
	of->most_noted = 0;
	return true;
}

/* Makes @kind the last one. A new table of paths follows those before. */
static bool add_kinds(struct splitcount *counts, uint32_t kind)
{
	for (size_t i = RECENT_PATH; i < counts->nr_kinds; i++)
		if (!complete(counts, &counts->kinds[i]))
			return false;
	if (!array_grow(counts->kinds, counts->room, (size_t)kind + 1))
		return false;
	while (counts->nr_kinds <= kind)
		counts->kinds[counts->nr_kinds++] = (struct split_counts){0};
	return true;
}

bool splitcount_add(struct splitcount *counts, uint32_t tuple, uint32_t kind, uint32_t number,
		    uint64_t period)
{
	struct split_counts *of;

	if (kind >= counts->nr_kinds && !add_kinds(counts, kind))
		return false;
	of = &counts->kinds[kind];
	if (of->nr_noted == of->most_noted && !make_room(counts, of))
		return false;
	of->noted[of->nr_noted++] = (struct keyed){(uint64_t)tuple << 32 | number, period};
	return true;
}

bool splitcount_flush(struct splitcount *counts)
{
	for (size_t i = 0; i < counts->nr_kinds; i++)
		if (counts->kinds[i].nr_noted && !flush(counts, &counts->kinds[i]))
			return false;
	return true;
}

static int compare_pairs(const void *left, const void *right)
{
	const struct split_count *a = left, *b = right;

	return (a->pair > b->pair) - (a->pair < b->pair);
}

/* Adds the sums to the lists of their kinds, which are not sorted. */
static bool take_sums(struct splitcount *counts, const struct recentcount_counts *sums)
{
	for (size_t i = 0; i < sums->index.nr; i++) {
		const struct recentcount_count *sum = &sums->list[i];
		struct split_counts *of;

		if (sum->kind == RECENT_LEFT_OUT || sum->tally.samples == 0)
			continue;
		if (sum->kind >= counts->nr_kinds && !add_kinds(counts, sum->kind))
			return false;
		of = &counts->kinds[sum->kind];
		if (!array_grow(of->list, of->room, of->nr + 1))
			return false;
		of->list[of->nr++] =
			(struct split_count){(uint64_t)sum->tuple << 32 | sum->number, sum->tally};
		counts->nr++;
	}
	return true;
}

bool splitcount_of_window(struct splitcount *counts, const struct recentcount *window)
{
	struct recentcount_counts sums = {0};
	const bool ok = recentcount_sum(window, &sums) && take_sums(counts, &sums);

	for (size_t i = 0; i < counts->nr_kinds; i++)
		if (counts->kinds[i].nr)
			qsort(counts->kinds[i].list, counts->kinds[i].nr,
			      sizeof(*counts->kinds[i].list), compare_pairs);
	recentcount_counts_free(&sums);
	return ok;
}

void splitcount_forget_waiting(struct splitcount *counts)
{
	if (counts->nr_kinds <= RECENT_WAITING)
		return;
	counts->nr -= counts->kinds[RECENT_WAITING].nr;
	counts->kinds[RECENT_WAITING].nr = counts->kinds[RECENT_WAITING].nr_noted = 0;
}

void splitcount_free(struct splitcount *counts)
{
	for (size_t i = 0; i < counts->nr_kinds; i++) {
		free(counts->kinds[i].list);
		free(counts->kinds[i].noted);
	}
	free(counts->kinds);
	free(counts->spare);
	*counts = (struct splitcount){0};
}
