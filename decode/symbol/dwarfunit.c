#include "decode/symbol/dwarfunit.h"

#include "decode/symbol/abbrev.h"
#include "decode/symbol/diescan.h"
#include "decode/symbol/dwarfentry.h"
#include "decode/symbol/form.h"
#include "util/array.h"

#include <stdlib.h>

/* What the header of a unit says, and the entries behind it. */
struct unit_header {
	struct form_context sizes;
	uint64_t abbrevs; /* offset in .debug_abbrev */
	struct span entries;
};

/* Reads the header of the unit whose first entry is @cu: DWARF 5, section 7.5.1. */
static struct unit_header read_header(const struct dwarf_data *data, Dwarf_Die *cu)
{
	struct unit_header header = {.entries = data->info};
	struct span *unit = &header.entries, rest;
	uint64_t in_unit = dwarf_cuoffset(cu), length, len_size = 4;

	span_skip(unit, dwarf_dieoffset(cu) - in_unit);
	length = span_u32(unit);
	if (length == UINT32_MAX) {
		length = span_u64(unit);
		len_size = 12;
	}
	*unit = span_take(unit, length < span_left(unit) ? length : span_left(unit));
	rest = *unit;
	header.sizes.offset = len_size == 4 ? 4 : 8;
	header.sizes.version = span_u16(&rest);
	if (header.sizes.version >= 5) {
		span_u8(&rest); /* the kind of unit */
		header.sizes.address = span_u8(&rest);
	}
	header.abbrevs = len_size == 4 ? span_u32(&rest) : span_u64(&rest);
	if (header.sizes.version < 5)
		header.sizes.address = span_u8(&rest);
	span_skip(unit, in_unit - len_size);
	return header;
}

/* A unit whose functions are being met. */
struct scan {
	struct dwarf_data *data;
	struct dwarf_unit *unit;
	const struct form_context *sizes;
	const struct split_unit *split; /* that has them, or NULL */
};

/* Adds the addresses of the function or copy at @entry to @ranges, as @item. -1: memory is out. */
static int add_extent(const struct scan *scan, const struct die_entry *entry, struct ranges *ranges,
		      uint32_t item, bool *any)
{
	struct dwarf_data *data = scan->data;
	uint64_t start = 0, end = 0;
	Dwarf_Die die;

	*any = false;
	if (scan->split)
		return split_unit_extent(scan->split, entry, ranges, item, &data->ranges_left, any);
	if (!die_extent(&data->layouts, entry, scan->sizes, &start, &end)) {
		if (!dwarf_offdie(data->dw, scan->unit->die + entry->place, &die))
			return 0;
		return dwarf_entry_ranges(data, &die, ranges, item, any);
	}
	/* As in dwarf_entry_ranges(). */
	*any = start != 0 && end > start;
	return *any ? ranges_add(ranges, start, end, item) : 0;
}

static int add_function(const struct scan *scan, const struct die_entry *entry)
{
	struct dwarf_unit *unit = scan->unit;
	uint32_t number = (uint32_t)unit->nr_functions;
	bool any;

	if (unit->nr_functions >= INLINE_NONE)
		return 0;
	if (!array_grow(unit->functions, unit->room, unit->nr_functions + 1))
		return -1;
	unit->functions[number] = (struct unit_function){.die = unit->die + entry->place};
	if (add_extent(scan, entry, &unit->ranges, number, &any) < 0)
		return -1;
	unit->nr_functions += any;
	if (!scan->data->wants_inlined)
		return 0;
	return inlines_enter_function(&unit->inlines, entry, any ? number : INLINE_NONE);
}

static int add_inlined(const struct scan *scan, const struct die_entry *entry)
{
	struct inlines *inlines = &scan->unit->inlines;
	uint32_t number;
	bool any;

	if (inlines_enter(inlines, entry, scan->unit->die + entry->place, &number) < 0)
		return -1;
	if (number == INLINE_NONE)
		return 0;
	return add_extent(scan, entry, &inlines->ranges, number, &any);
}

static int add_entry(void *arg, const struct die_entry *entry)
{
	const struct scan *scan = arg;

	return entry->layout->kind == DIE_FUNCTION ? add_function(scan, entry)
						   : add_inlined(scan, entry);
}

int dwarf_unit_scan(struct dwarf_data *data, struct dwarf_unit *unit, Dwarf_Die *cu)
{
	struct unit_header header = read_header(data, cu);
	struct scan scan = {data, unit, &header.sizes, NULL};
	const unsigned flags = data->wants_inlined ? ABBREVS_INLINED : 0;
	struct span table = data->abbrevs;

	span_skip(&table, header.abbrevs);
	if (abbrevs_read(&data->layouts, table, &header.sizes, flags, &data->abbrevs_left) < 0)
		return -1;
	return die_scan(&data->layouts, header.entries, add_entry, &scan);
}

int dwarf_unit_scan_split(struct dwarf_data *data, struct dwarf_unit *unit,
			  const struct split_unit *split)
{
	struct scan scan = {data, unit, &split->split.sizes, split};

	data->ranges_left += span_left(&split->split.info) + span_left(&split->split.rnglists);
	return die_scan(&split->layouts, split_entries(&split->split), add_entry, &scan);
}

int dwarf_unit_read_source(struct dwarf_data *data, struct dwarf_unit *unit)
{
	Dwarf_Die cu;

	if (unit->has_source)
		return 0;
	unit->has_source = true;
	if (!dwarf_offdie(data->dw, unit->die, &cu))
		return 0;
	return dwarf_entry_source(data, &cu, &data->sources, &unit->source);
}

void dwarf_unit_free(struct dwarf_unit *unit)
{
	free(unit->functions);
	ranges_free(&unit->ranges);
	inlines_free(&unit->inlines);
}
