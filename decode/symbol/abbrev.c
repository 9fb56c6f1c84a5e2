#include "decode/symbol/abbrev.h"

#include "decode/symbol/leb.h"

/* Of the DWARF standard, version 5, sections 7.5.3 and 7.5.4. */
enum {
	TAG_INLINED_SUBROUTINE = 0x1d,
	TAG_SUBPROGRAM = 0x2e,

	AT_LOW_PC = 0x11,
	AT_HIGH_PC = 0x12,
	AT_RANGES = 0x55,

	/* Of an abbreviation, that are kept; compilers use some 30. They need no bytes in an entry,
	   and are walked for each that is asked about. */
	MAX_ATTRIBUTES = 256,
};

/* Reads the attributes of one abbreviation; *@has_code tells if one of them is an address. */
static int read_attributes(struct die_layouts *layouts, struct span *table,
			   const struct form_context *sizes, bool keep, bool *has_code)
{
	*has_code = false;
	for (size_t nr = 0;; nr++) {
		uint64_t name = span_uleb(table), form = span_uleb(table);
		struct die_attr attr = {0};
		struct die_part part;

		if (form == FORM_IMPLICIT_CONST)
			attr.constant = span_sleb(table);
		if ((name == 0 && form == 0) || table->failed)
			return 0;
		*has_code |= name == AT_LOW_PC || name == AT_RANGES;
		attr.name = name <= UINT32_MAX ? (uint32_t)name : UINT32_MAX;
		attr.form = form <= UINT32_MAX ? (uint32_t)form : UINT32_MAX;
		part = form_size(attr.form, sizes);
		if (die_layout_append(layouts, part.fixed, part.kind) < 0 ||
		    (keep && nr < MAX_ATTRIBUTES && die_layout_append_attr(layouts, &attr) < 0))
			return -1;
	}
}

static int read_abbrev(struct die_layouts *layouts, struct span *table, uint64_t code,
		       const struct form_context *sizes, unsigned flags)
{
	struct die_layout *layout = die_layout_begin(layouts, code);
	uint64_t tag = span_uleb(table);
	enum die_kind kind = DIE_OTHER;
	bool has_code, keep;

	if (!layout)
		return -1;
	if (tag == TAG_SUBPROGRAM)
		kind = DIE_FUNCTION;
	else if (tag == TAG_INLINED_SUBROUTINE && flags & ABBREVS_INLINED)
		kind = DIE_INLINED;
	layout->has_children = span_u8(table) != 0;
	keep = kind != DIE_OTHER || flags & ABBREVS_ATTRIBUTES;
	if (read_attributes(layouts, table, sizes, keep, &has_code) < 0)
		return -1;
	layout->kind = has_code ? kind : DIE_OTHER;
	return 0;
}

int abbrevs_read(struct die_layouts *layouts, struct span table, const struct form_context *sizes,
		 unsigned flags, size_t *bytes_left)
{
	uint64_t code;

	die_layouts_clear(layouts);
	while (*bytes_left && (code = span_uleb(&table)) != 0) {
		const uint8_t *start = table.pos;
		size_t len;

		if (read_abbrev(layouts, &table, code, sizes, flags) < 0)
			return -1;
		len = (size_t)(table.pos - start) + 1;
		*bytes_left -= len < *bytes_left ? len : *bytes_left;
	}
	die_layouts_finish(layouts);
	return 0;
}

/* Steps over the value of @attr, and reads it to *@value if it is an integer of its own. */
static bool take_integer(struct span *values, const struct die_attr *attr,
			 const struct form_context *sizes, uint64_t *value)
{
	switch (attr->form) {
	case FORM_ADDR:
		*value = sizes->address == 8 ? span_u64(values) : span_u32(values);
		return sizes->address == 8 || sizes->address == 4;
	case FORM_DATA1:
		*value = span_u8(values);
		return true;
	case FORM_DATA2:
		*value = span_u16(values);
		return true;
	case FORM_DATA4:
		*value = span_u32(values);
		return true;
	case FORM_DATA8:
		*value = span_u64(values);
		return true;
	case FORM_UDATA:
		*value = span_uleb(values);
		return true;
	case FORM_SDATA:
		*value = (uint64_t)span_sleb(values);
		return true;
	case FORM_IMPLICIT_CONST:
		*value = (uint64_t)attr->constant;
		return true;
	default:
		die_skip(values, form_size(attr->form, sizes));
		return false;
	}
}

bool die_extent(const struct die_layouts *layouts, const struct die_entry *entry,
		const struct form_context *sizes, uint64_t *start, uint64_t *end)
{
	const struct die_attr *attr, *behind;
	bool has_start = false, has_end = false, is_length = false;
	struct span values = entry->values;

	if (entry->layout->nr_attrs == 0)
		return false; /* perhaps of any entry, and there is no array */
	attr = &layouts->attrs[entry->layout->first_attr];
	behind = attr + entry->layout->nr_attrs;
	for (; attr < behind; attr++) {
		uint64_t value = 0;
		bool is_integer = take_integer(&values, attr, sizes, &value);

		if (attr->name == AT_LOW_PC) {
			*start = value;
			has_start = is_integer && attr->form == FORM_ADDR;
		} else if (attr->name == AT_HIGH_PC) {
			*end = value;
			has_end = is_integer;
			is_length = attr->form != FORM_ADDR;
		} else if (attr->name == AT_RANGES) {
			return false;
		}
	}
	if (!has_start || !has_end || values.failed)
		return false;
	if (is_length)
		*end += *start;
	return true;
}
