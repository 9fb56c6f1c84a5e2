#include "decode/symbol/dwarf/extent.h"

#include "decode/symbol/dwarf/value.h"
#include "util/leb.h"

#include <dwarf.h>

/* The output of the readers of ranges. */
struct extent_sink {
	struct unit *unit;
	struct ranges *ranges;
	uint32_t item;
	size_t *left;
	bool any, nomem;
};

static void add_range(struct extent_sink *sink, uint64_t start, uint64_t end)
{
	if (!*sink->left)
		return;
	--*sink->left;
	/* The linker puts discarded functions at address 0. */
	if (start == 0 || end <= start)
		return;
	sink->nomem |= ranges_add(sink->ranges, start, end, sink->item) < 0;
	sink->any = true;
}

/* Reads a list of .debug_rnglists. */
static void read_list(struct span list, struct extent_sink *sink)
{
	struct unit *unit = sink->unit;
	const unsigned size = unit->sizes.address;
	uint64_t base = value_bases(unit)->low_pc, start;

	while (*sink->left && !list.failed) {
		switch (span_u8(&list)) {
		case DW_RLE_base_addressx:
			base = value_address_at(unit, span_uleb(&list));
			break;
		case DW_RLE_startx_endx:
			start = value_address_at(unit, span_uleb(&list));
			add_range(sink, start, value_address_at(unit, span_uleb(&list)));
			break;
		case DW_RLE_startx_length:
			start = value_address_at(unit, span_uleb(&list));
			add_range(sink, start, start + span_uleb(&list));
			break;
		case DW_RLE_offset_pair:
			start = base + span_uleb(&list);
			add_range(sink, start, base + span_uleb(&list));
			break;
		case DW_RLE_base_address:
			base = form_take(&list, size);
			break;
		case DW_RLE_start_end:
			start = form_take(&list, size);
			add_range(sink, start, form_take(&list, size));
			break;
		case DW_RLE_start_length:
			start = form_take(&list, size);
			add_range(sink, start, start + span_uleb(&list));
			break;
		default: /* DW_RLE_end_of_list, or an unknown kind */
			return;
		}
	}
}

/* Reads the list that DW_AT_ranges gives by number or offset: DWARF 5, section 7.28. */
static void read_new_list(struct form_value value, struct extent_sink *sink)
{
	const uint64_t base = value_bases(sink->unit)->rnglists;
	struct span lists = sink->unit->set->sections.rnglists;

	if (value.form == DW_FORM_rnglistx) {
		if (!value_element(lists, base, sink->unit->sizes.offset, &value.number))
			return;
		span_skip(&lists, base);
	}
	span_skip(&lists, value.number);
	read_list(lists, sink);
}

/*
 * Reads pairs of addresses up to a pair of zeros; a start of all ones sets a new base: DWARF 4,
 * section 2.17.3.
 */
static void read_old_list(uint64_t offset, struct extent_sink *sink)
{
	const unsigned size = sink->unit->sizes.address;
	const uint64_t greatest = size == 8 ? UINT64_MAX : UINT32_MAX;
	struct span list = sink->unit->set->sections.ranges;
	uint64_t base = value_bases(sink->unit)->low_pc;

	span_skip(&list, value_bases(sink->unit)->ranges);
	span_skip(&list, offset);
	while (*sink->left) {
		uint64_t start = form_take(&list, size), end = form_take(&list, size);

		if (list.failed || (start == 0 && end == 0))
			return;
		if (start == greatest)
			base = end;
		else
			add_range(sink, base + start, base + end);
	}
}

/* The attributes that give an entry's addresses. */
struct extent {
	struct form_value low, high, list;
};

static struct form_value *slot_of(struct extent *extent, uint64_t name)
{
	switch (name) {
	case DW_AT_low_pc:
		return &extent->low;
	case DW_AT_high_pc:
		return &extent->high;
	case DW_AT_ranges:
		return &extent->list;
	default:
		return NULL;
	}
}

/* Reads all three in one walk, since this is called for every function. */
static struct extent read_extent(const struct die *die)
{
	const struct form_context *sizes = &die->unit->sizes;
	struct span attributes = die->attributes, values = die->values;
	struct abbrev_attribute attribute;
	struct extent extent = {0};

	while (abbrev_next(&attributes, &attribute) && !extent.list.form &&
	       !(extent.low.form && extent.high.form)) {
		struct form_value *slot = slot_of(&extent, attribute.name);

		if (slot)
			*slot = form_read(&values, attribute.form, attribute.constant, sizes);
		else
			form_skip(&values, form_size(attribute.form, sizes));
		if (values.failed)
			return (struct extent){0};
	}
	return extent;
}

int extent_add(const struct die *die, struct ranges *ranges, uint32_t item, size_t *left, bool *any)
{
	struct extent_sink sink = {die->unit, ranges, item, left, false, false};
	const struct extent extent = read_extent(die);
	uint64_t start, end;

	if (extent.low.form && extent.high.form) {
		if (value_address(die->unit, extent.low, &start)) {
			if (!value_address(die->unit, extent.high, &end))
				end = start + extent.high.number;
			add_range(&sink, start, end);
		}
	} else if (extent.list.form && die->unit->sizes.version >= 5) {
		read_new_list(extent.list, &sink);
	} else if (extent.list.form) {
		read_old_list(extent.list.number, &sink);
	}
	*any = sink.any;
	return sink.nomem ? -1 : 0;
}
