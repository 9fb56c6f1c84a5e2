#include "decode/symbol/splitunit.h"

#include "decode/symbol/abbrev.h"
#include "decode/symbol/form.h"
#include "decode/symbol/leb.h"
#include "decode/symbol/strtab.h"

#include <string.h>

/* Of the DWARF standard, version 5, section 7.5.4, and GNU's own. */
enum {
	AT_NAME = 0x03,
	AT_LOW_PC = 0x11,
	AT_HIGH_PC = 0x12,
	AT_ABSTRACT_ORIGIN = 0x31,
	AT_DECL_FILE = 0x3a,
	AT_DECL_LINE = 0x3b,
	AT_SPECIFICATION = 0x47,
	AT_TYPE = 0x49,
	AT_RANGES = 0x55,
	AT_OBJECT_POINTER = 0x64,
	AT_LINKAGE_NAME = 0x6e,
	AT_MIPS_LINKAGE_NAME = 0x2007,
	AT_GNU_DWO_ID = 0x2131,
};

/* The kinds of entries in a list of ranges: DWARF 5, section 7.25. */
enum {
	RLE_END_OF_LIST,
	RLE_BASE_ADDRESSX,
	RLE_STARTX_ENDX,
	RLE_STARTX_LENGTH,
	RLE_OFFSET_PAIR,
	RLE_BASE_ADDRESS,
	RLE_START_END,
	RLE_START_LENGTH,
};

enum { MAX_REFERENCES = 16 }; /* from a function to its declaration, that are followed */

/* The value of an attribute; form 0: there is none. */
struct value {
	unsigned form;
	uint64_t number;      /* of a form that is one, or an offset or index */
	const char *in_place; /* of FORM_STRING */
};

/* ---- attributes ------------------------------------------------------------------------------ */

static struct value find_value(const struct split_unit *unit, const struct die_entry *entry,
			       unsigned name)
{
	const struct die_attr *attr, *behind;
	struct span values = entry->values;
	struct value value = {0};

	if (entry->layout->nr_attrs == 0)
		return value; /* perhaps of any entry, and there is no array */
	attr = &unit->layouts.attrs[entry->layout->first_attr];
	behind = attr + entry->layout->nr_attrs;
	for (; attr < behind && attr->name != name; attr++)
		die_skip(&values, form_size(attr->form, &unit->split.sizes));
	if (attr == behind || values.failed)
		return value;
	value.form = attr->form;
	value.number = (uint64_t)attr->constant;
	if (attr->form == FORM_STRING)
		value.in_place = span_cstr(&values, NULL);
	else if (attr->form != FORM_IMPLICIT_CONST)
		value.number = form_number(&values, attr->form, &unit->split.sizes);
	if (values.failed)
		value = (struct value){0};
	return value;
}

static uint64_t take_sized(struct span *span, unsigned size)
{
	return size == 8 ? span_u64(span) : span_u32(span);
}

static const char *string_of(const struct split_unit *unit, const struct die_entry *entry,
			     unsigned name)
{
	const unsigned size = unit->split.sizes.offset;
	struct value value = find_value(unit, entry, name);
	struct span offsets = unit->split.str_offsets;

	switch (value.form) {
	case FORM_STRING:
		return value.in_place;
	case FORM_STRP:
		break;
	case FORM_STRX:
	case FORM_STRX1:
	case FORM_STRX2:
	case FORM_STRX3:
	case FORM_STRX4:
	case FORM_GNU_STR_INDEX:
		if (unit->split.sizes.version >= 5)
			span_skip(&offsets, size == 8 ? 16 : 8); /* length, version, padding */
		if (!span_holds(&offsets, value.number, size))
			return NULL;
		span_skip(&offsets, value.number * size);
		value.number = take_sized(&offsets, size);
		if (offsets.failed)
			return NULL;
		break;
	default:
		return NULL;
	}
	return strtab_at(&unit->split.str, value.number);
}

/* Sets *@entry to the one that attribute @name of it refers to; false if that is not in the unit.
 */
static bool follow(const struct split_unit *unit, struct die_entry *entry, unsigned name)
{
	struct value value = find_value(unit, entry, name);
	const uint64_t header = unit->split.header;

	switch (value.form) {
	case FORM_REF1:
	case FORM_REF2:
	case FORM_REF4:
	case FORM_REF8:
	case FORM_REF_UDATA:
		return value.number >= header && die_at(&unit->layouts, split_entries(&unit->split),
							value.number - header, entry);
	default:
		return false;
	}
}

/* Sets *@entry to itself or the one it is a copy of, or declared by, that has attribute @name. */
static bool find_owner(const struct split_unit *unit, struct die_entry *entry, unsigned name)
{
	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (find_value(unit, entry, name).form)
			return true;
		if (!follow(unit, entry, AT_ABSTRACT_ORIGIN) &&
		    !follow(unit, entry, AT_SPECIFICATION))
			return false;
	}
	return false;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* Where ranges go to. */
struct sink {
	const struct split_unit *unit;
	struct ranges *ranges;
	uint32_t item;
	size_t *left;
	bool any, nomem;
};

static void add_range(struct sink *sink, uint64_t start, uint64_t end)
{
	if (!*sink->left)
		return;
	--*sink->left;
	/* The linker puts functions that it has thrown away at 0. */
	if (start == 0 || end <= start)
		return;
	sink->nomem |= ranges_add(sink->ranges, start, end, sink->item) < 0;
	sink->any = true;
}

/* The address with @number in the unit's part of .debug_addr; 0 if there is none. */
static uint64_t address_at(const struct split_unit *unit, uint64_t number)
{
	const unsigned size = unit->split.sizes.address;
	struct span addresses = unit->binary.addresses;

	if ((size != 4 && size != 8) || !span_holds(&addresses, number, size))
		return 0;
	span_skip(&addresses, number * size);
	return take_sized(&addresses, size);
}

/* Sets *@address to what @value is if it is one. */
static bool to_address(const struct split_unit *unit, struct value value, uint64_t *address)
{
	switch (value.form) {
	case FORM_ADDR:
		*address = value.number;
		return true;
	case FORM_ADDRX:
	case FORM_ADDRX1:
	case FORM_ADDRX2:
	case FORM_ADDRX3:
	case FORM_ADDRX4:
	case FORM_GNU_ADDR_INDEX:
		*address = address_at(unit, value.number);
		return true;
	default:
		return false;
	}
}

/* A list of .debug_rnglists.dwo. */
static void read_list(struct span list, struct sink *sink)
{
	const struct split_unit *unit = sink->unit;
	const unsigned size = unit->split.sizes.address;
	uint64_t base = unit->binary.base, start;

	while (*sink->left && !list.failed) {
		switch (span_u8(&list)) {
		case RLE_BASE_ADDRESSX:
			base = address_at(unit, span_uleb(&list));
			break;
		case RLE_STARTX_ENDX:
			start = address_at(unit, span_uleb(&list));
			add_range(sink, start, address_at(unit, span_uleb(&list)));
			break;
		case RLE_STARTX_LENGTH:
			start = address_at(unit, span_uleb(&list));
			add_range(sink, start, start + span_uleb(&list));
			break;
		case RLE_OFFSET_PAIR:
			start = base + span_uleb(&list);
			add_range(sink, start, base + span_uleb(&list));
			break;
		case RLE_BASE_ADDRESS:
			base = take_sized(&list, size);
			break;
		case RLE_START_END:
			start = take_sized(&list, size);
			add_range(sink, start, take_sized(&list, size));
			break;
		case RLE_START_LENGTH:
			start = take_sized(&list, size);
			add_range(sink, start, start + span_uleb(&list));
			break;
		default: /* RLE_END_OF_LIST, or what nobody knows */
			return;
		}
	}
}

/* The list that DW_AT_ranges names by its number or its place: DWARF 5, section 7.28. */
static void read_new_list(struct value value, struct sink *sink)
{
	const unsigned size = sink->unit->split.sizes.offset;
	struct span lists = sink->unit->split.rnglists, offsets = lists;

	if (value.form == FORM_RNGLISTX) {
		span_skip(&lists, size == 8 ? 20 : 12); /* the header */
		offsets = lists;
		if (!span_holds(&offsets, value.number, size))
			return;
		span_skip(&offsets, value.number * size);
		value.number = take_sized(&offsets, size);
		if (offsets.failed)
			return;
	}
	span_skip(&lists, value.number);
	read_list(lists, sink);
}

/* Pairs of addresses up to a pair of zeros; the greatest start gives a new base: DWARF 4, 2.17.3.
 */
static void read_old_list(uint64_t offset, struct sink *sink)
{
	const unsigned size = sink->unit->split.sizes.address;
	const uint64_t greatest = size == 8 ? UINT64_MAX : UINT32_MAX;
	struct span list = sink->unit->binary.ranges;
	uint64_t base = sink->unit->binary.base;

	span_skip(&list, offset);
	while (*sink->left) {
		uint64_t start = take_sized(&list, size), end = take_sized(&list, size);

		if (list.failed || (start == 0 && end == 0))
			return;
		if (start == greatest)
			base = end;
		else
			add_range(sink, base + start, base + end);
	}
}

int split_unit_extent(const struct split_unit *unit, const struct die_entry *entry,
		      struct ranges *ranges, uint32_t item, size_t *ranges_left, bool *any)
{
	struct sink sink = {unit, ranges, item, ranges_left, false, false};
	struct value list = find_value(unit, entry, AT_RANGES), value;
	uint64_t start, end;

	if (list.form && unit->split.sizes.version >= 5) {
		read_new_list(list, &sink);
	} else if (list.form) {
		read_old_list(list.number, &sink);
	} else if (to_address(unit, find_value(unit, entry, AT_LOW_PC), &start)) {
		value = find_value(unit, entry, AT_HIGH_PC);
		if (!to_address(unit, value, &end))
			end = start + value.number;
		add_range(&sink, start, end);
	}
	*any = sink.any;
	return sink.nomem ? -1 : 0;
}

/* ---- functions ------------------------------------------------------------------------------- */

static const char *name_of(const struct split_unit *unit, const struct die_entry *entry)
{
	static const unsigned names[] = {AT_LINKAGE_NAME, AT_MIPS_LINKAGE_NAME, AT_NAME};
	const char *name = NULL;

	for (size_t i = 0; i < 3 && !name; i++) {
		struct die_entry owner = *entry;

		if (find_owner(unit, &owner, names[i]))
			name = string_of(unit, &owner, names[i]);
	}
	return name ? name : "";
}

/* As in dwarf.c: gcc says of a lambda's class where it is, not of its operator(). */
static struct die_entry declared_at(const struct split_unit *unit, const struct die_entry *entry)
{
	struct die_entry owner = *entry, class = *entry;

	if (find_owner(unit, &owner, AT_DECL_LINE) ||
	    !find_owner(unit, &class, AT_OBJECT_POINTER) ||
	    !follow(unit, &class, AT_OBJECT_POINTER))
		return *entry;
	for (int i = 0; i < MAX_REFERENCES; i++)
		if (!follow(unit, &class, AT_TYPE))
			return class;
	return *entry;
}

struct split_function split_unit_function(const struct split_unit *unit, size_t place)
{
	struct split_function function = {.name = ""};
	struct die_entry entry, owner;
	struct value line;

	if (!die_at(&unit->layouts, split_entries(&unit->split), place, &entry))
		return function;
	function.name = name_of(unit, &entry);
	entry = owner = declared_at(unit, &entry);
	function.has_file = find_owner(unit, &owner, AT_DECL_FILE);
	if (function.has_file)
		function.file = find_value(unit, &owner, AT_DECL_FILE).number;
	owner = entry;
	if (!find_owner(unit, &owner, AT_DECL_LINE))
		return function;
	line = find_value(unit, &owner, AT_DECL_LINE);
	function.line = line.number <= UINT32_MAX ? (uint32_t)line.number : 0;
	return function;
}

int split_unit_read(struct split_unit *unit, uint64_t id, bool inlined, uint64_t *bytes_left,
		    bool *found)
{
	const size_t all = span_left(&unit->split.abbrevs);
	size_t left = all < *bytes_left ? all : (size_t)*bytes_left;
	const unsigned flags = ABBREVS_ATTRIBUTES | (inlined ? ABBREVS_INLINED : 0);
	struct die_entry first;

	*found = false;
	*bytes_left -= left;
	if (abbrevs_read(&unit->layouts, unit->split.abbrevs, &unit->split.sizes, flags, &left) < 0)
		return -1;
	*bytes_left += left;
	if (!die_at(&unit->layouts, split_entries(&unit->split), 0, &first))
		return 0;
	*found = unit->split.sizes.version >= 5 ||
		 find_value(unit, &first, AT_GNU_DWO_ID).number == id;
	return 0;
}

void split_unit_free(struct split_unit *unit)
{
	die_layouts_free(&unit->layouts);
	split_close(&unit->split);
}
