#include "decode/symbol/elf/ranges.h"

#include "util/array.h"
#include "util/largemem.h"

#include <stdbool.h>
#include <stdlib.h>

/* Ranges that ranges_find() steps over before it falls back to a binary search. */
enum { SWEEP_STEPS = 8 };

int ranges_add(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t item)
{
	if (end <= start)
		return 0;
	if (!array_grow(ranges->list, ranges->room, ranges->nr + 1))
		return -1;
	ranges->list[ranges->nr++] = (struct range){start, end, item};
	return 0;
}

static int by_start(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return a->item < b->item ? -1 : a->item > b->item;
}

/*
 * Appends [start, end) to @out, which has room. Extends the last range if that has the same item
 * and ends at @start.
 */
static void emit(struct ranges *out, uint64_t start, uint64_t end, uint32_t item)
{
	struct range *last = out->nr ? &out->list[out->nr - 1] : NULL;

	if (end <= start)
		return;
	if (last && last->item == item && last->end == start)
		last->end = end;
	else
		out->list[out->nr++] = (struct range){start, end, item};
}

/*
 * Splits the sorted ranges into disjoint ones. @open is the stack of ranges around the current
 * address. Its top started last, so it owns the addresses up to its end or to the next start.
 */
static void flatten(const struct ranges *in, struct range *open, struct ranges *out)
{
	size_t depth = 0;
	uint64_t at = 0;

	for (size_t i = 0; i <= in->nr; i++) {
		const struct range *next = i < in->nr ? &in->list[i] : NULL;

		while (depth && (!next || open[depth - 1].end <= next->start)) {
			const struct range *top = &open[--depth];

			emit(out, at, top->end, top->item);
			if (at < top->end)
				at = top->end;
		}
		if (!next)
			return;
		if (depth)
			emit(out, at, next->start, open[depth - 1].item);
		at = next->start;
		open[depth++] = *next;
	}
}

static bool is_sorted(const struct ranges *ranges)
{
	for (size_t i = 1; i < ranges->nr; i++)
		if (by_start(&ranges->list[i - 1], &ranges->list[i]) > 0)
			return false;
	return true;
}

static bool is_disjoint(const struct ranges *ranges)
{
	for (size_t i = 1; i < ranges->nr; i++)
		if (ranges->list[i - 1].end > ranges->list[i].start)
			return false;
	return true;
}

int ranges_build(struct ranges *ranges)
{
	struct ranges flat = {0};
	struct range *open;

	if (!is_sorted(ranges))
		qsort(ranges->list, ranges->nr, sizeof(*ranges->list), by_start);
	if (ranges->nr < 2 || is_disjoint(ranges))
		return 0;
	/* Each range begins one part and ends one, so there are at most twice as many parts. */
	open = malloc(ranges->nr * sizeof(*open));
	flat.room = ranges->nr * 2;
	flat.list =
		largemem_get_all(flat.room * sizeof(*flat.list), ranges->nr * sizeof(*flat.list));
	if (!open || !flat.list) {
		free(open);
		free(flat.list);
		return -1;
	}
	flatten(ranges, open, &flat);
	free(open);
	ranges_free(ranges);
	*ranges = flat;
	return 0;
}

/* Returns the index of the first range, from index @from on, that starts after @address. */
static size_t count_started(const struct ranges *ranges, size_t from, uint64_t address)
{
	size_t low = from, high = ranges->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (ranges->list[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct range *ranges_find(const struct ranges *ranges, uint64_t address, size_t *cursor)
{
	size_t at = *cursor, steps = 0;

	if (at >= ranges->nr || (at > 0 && ranges->list[at - 1].end > address))
		at = 0;
	while (at < ranges->nr && ranges->list[at].end <= address && steps++ < SWEEP_STEPS)
		at++;
	if (steps > SWEEP_STEPS) {
		at = count_started(ranges, at, address);
		at -= at > 0;
	}
	*cursor = at;
	if (at >= ranges->nr || address < ranges->list[at].start || address >= ranges->list[at].end)
		return NULL;
	return &ranges->list[at];
}

uint64_t ranges_same_end(const struct ranges *ranges, uint64_t address, size_t cursor)
{
	while (cursor < ranges->nr && ranges->list[cursor].end <= address)
		cursor++;
	if (cursor >= ranges->nr)
		return UINT64_MAX;
	return address < ranges->list[cursor].start ? ranges->list[cursor].start
						    : ranges->list[cursor].end;
}

void ranges_free(struct ranges *ranges)
{
	free(ranges->list);
	*ranges = (struct ranges){0};
}
