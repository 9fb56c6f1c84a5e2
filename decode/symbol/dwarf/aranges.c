#include "decode/symbol/dwarf/aranges.h"

#include "decode/symbol/dwarf/form.h"
#include "decode/symbol/elf/ranges.h"
#include "util/array.h"

#include <stdlib.h>

/* All that the section lists. */
struct listed {
	uint64_t *units; /* their offsets, in the order of the section */
	size_t nr, room;
	bool is_mixed;	      /* they do not ascend, so another one of several would win */
	struct ranges ranges; /* items are indexes of units */
};

/* Adds the ranges of unit @number; the linker puts discarded functions at address 0. */
static int add_ranges(struct ranges *ranges, struct span set, unsigned size, uint32_t number)
{
	while (span_left(&set) >= 2 * (size_t)size) {
		const uint64_t start = form_take(&set, size), len = form_take(&set, size);

		if (start && start + len > start &&
		    ranges_add(ranges, start, start + len, number) < 0)
			return -1;
	}
	return 0;
}

/* Reads a set, which begins at @set behind its length of @offset_size bytes (or 4 more). */
static int read_set(struct listed *listed, struct span set, unsigned offset_size)
{
	const unsigned head = offset_size == 8 ? 12 : 4;
	const size_t before = span_left(&set);
	const uint16_t version = span_u16(&set);
	const uint64_t unit = form_take(&set, offset_size);
	const unsigned size = span_u8(&set), segment_size = span_u8(&set);

	if (set.failed || version != 2 || segment_size || (size != 4 && size != 8) ||
	    listed->nr >= UINT32_MAX)
		return 0;
	/* The first range is aligned to its own size, counted from the start of the set. */
	span_skip(&set, -(head + before - span_left(&set)) % (2 * size));
	if (!array_grow(listed->units, listed->room, listed->nr + 1))
		return -1;
	listed->is_mixed |= listed->nr && unit <= listed->units[listed->nr - 1];
	listed->units[listed->nr] = unit;
	return add_ranges(&listed->ranges, set, size, (uint32_t)listed->nr++);
}

static int read_all(struct listed *listed, struct span section)
{
	while (span_left(&section)) {
		uint64_t length = span_u32(&section);
		const bool is_64bit = length == UINT32_MAX;

		if (is_64bit)
			length = span_u64(&section);
		if (length > span_left(&section))
			break;
		if (read_set(listed, span_take(&section, length), is_64bit ? 8 : 4) < 0)
			return -1;
	}
	return ranges_build(&listed->ranges);
}

static int by_unit(const void *left, const void *right)
{
	const struct debug_place *a = left, *b = right;

	return a->unit < b->unit ? -1 : a->unit > b->unit;
}

/* Finds the units of all @places. False: one has none. */
static bool find_units(const struct listed *listed, struct debug_place *places, size_t nr)
{
	size_t cursor = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct range *range =
			ranges_find(&listed->ranges, places[i].address, &cursor);

		if (!range)
			return false;
		places[i].start = range->start;
		places[i].unit = listed->units[range->item];
	}
	return true;
}

/* Finds the ends of the units, which ascend in both. */
static void find_ends(const struct listed *listed, struct debug_place *places, size_t nr)
{
	size_t next = 0;

	for (size_t i = 0; i < nr; i++) {
		while (next < listed->nr && listed->units[next] <= places[i].unit)
			next++;
		places[i].end = next < listed->nr ? listed->units[next] : UINT64_MAX;
		places[i].filename = NULL;
	}
}

int aranges_find(struct span section, struct debug_place *places, size_t nr, bool *all)
{
	struct listed listed = {0};
	int rc = read_all(&listed, section);

	*all = rc == 0 && nr && !listed.is_mixed && find_units(&listed, places, nr);
	if (*all) {
		qsort(places, nr, sizeof(*places), by_unit);
		find_ends(&listed, places, nr);
	}
	ranges_free(&listed.ranges);
	free(listed.units);
	return rc;
}
