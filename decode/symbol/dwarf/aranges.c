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

static int by_offset(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Sets units->offsets to the units of all addresses, some more than once. False: one has none. */
static bool collect(const struct listed *listed, const uint64_t *addresses, size_t nr,
		    struct aranges_units *units)
{
	size_t cursor = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct range *range = ranges_find(&listed->ranges, addresses[i], &cursor);

		if (!range)
			return false;
		units->offsets[units->nr++] = listed->units[range->item];
	}
	return units->nr > 0;
}

static void drop_repeated(struct aranges_units *units)
{
	const size_t nr = units->nr;

	qsort(units->offsets, nr, sizeof(*units->offsets), by_offset);
	units->nr = 0;
	for (size_t i = 0; i < nr; i++)
		if (units->nr == 0 || units->offsets[units->nr - 1] != units->offsets[i])
			units->offsets[units->nr++] = units->offsets[i];
}

/* Finds the end of the last unit. */
static void find_end(const struct listed *listed, struct aranges_units *units)
{
	const uint64_t last = units->offsets[units->nr - 1];
	size_t next = 0;

	while (next < listed->nr && listed->units[next] <= last)
		next++;
	units->end = next < listed->nr ? listed->units[next] : UINT64_MAX;
}

int aranges_find(struct span section, const uint64_t *addresses, size_t nr,
		 struct aranges_units *units, bool *all)
{
	struct listed listed = {0};
	int rc = read_all(&listed, section);

	*all = false;
	*units = (struct aranges_units){0};
	if (rc == 0 && nr && !listed.is_mixed) {
		units->offsets = malloc(nr * sizeof(*units->offsets));
		rc = units->offsets ? 0 : -1;
		*all = rc == 0 && collect(&listed, addresses, nr, units);
	}
	if (*all) {
		drop_repeated(units);
		find_end(&listed, units);
	} else {
		units->nr = 0;
	}
	ranges_free(&listed.ranges);
	free(listed.units);
	return rc;
}

void aranges_free(struct aranges_units *units)
{
	free(units->offsets);
	*units = (struct aranges_units){0};
}
