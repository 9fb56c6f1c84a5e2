#include "decode/symbol/dwarf/abbrev.h"

#include "util/array.h"
#include "util/leb.h"

#include <dwarf.h>
#include <stdlib.h>

/*
 * Bytes of an abbreviation's attributes that are searched; compilers use about 100. Values may have
 * no bytes at all, so many entries could share one long list.
 */
enum { MAX_ATTRIBUTES_LEN = 1024 };

struct span abbrev_attributes(const struct abbrev *abbrev)
{
	return span_make(abbrev->attributes, abbrev->attributes_len, false);
}

bool abbrev_next(struct span *attributes, struct abbrev_attribute *attribute)
{
	attribute->name = span_uleb(attributes);
	attribute->form = span_uleb(attributes);
	attribute->constant = attribute->form == DW_FORM_implicit_const ? span_sleb(attributes) : 0;
	return (attribute->name || attribute->form) && !attributes->failed;
}

/* Sets the attributes of @abbrev to the bytes from @start to the current place in @table. */
static void set_attributes(struct abbrev *abbrev, const uint8_t *start, const struct span *table)
{
	const size_t len = (size_t)(table->pos - start);

	abbrev->attributes = start;
	abbrev->attributes_len = (uint32_t)(len < MAX_ATTRIBUTES_LEN ? len : MAX_ATTRIBUTES_LEN);
}

/* Appends @part, merged with the part before it if that is of fixed size. */
static int append_part(struct abbrevs *table, struct abbrev *abbrev, struct form_part part)
{
	struct form_part *next;

	if (!array_grow(table->parts, table->parts_room, table->nr_parts + 1))
		return -1;
	next = table->parts + table->nr_parts;
	if (abbrev->nr_parts && next[-1].kind == FORM_FIXED) {
		next[-1].fixed += part.fixed;
		next[-1].kind = part.kind;
		return 0;
	}
	*next = part;
	table->nr_parts++;
	abbrev->nr_parts++;
	return 0;
}

static enum abbrev_kind kind_of(uint64_t tag, bool inlined)
{
	if (tag == DW_TAG_subprogram)
		return ABBREV_FUNCTION;
	return tag == DW_TAG_inlined_subroutine && inlined ? ABBREV_INLINED : ABBREV_OTHER;
}

/* Whether most functions are children of entries with @tag. */
static bool has_functions(uint64_t tag)
{
	return tag == DW_TAG_compile_unit || tag == DW_TAG_partial_unit ||
	       tag == DW_TAG_namespace || tag == DW_TAG_module;
}

/* Reads the rest of an abbreviation after its code. */
static int read_abbrev(struct abbrevs *table, struct abbrev *abbrev, struct span *bytes,
		       const struct form_context *sizes, bool inlined)
{
	const uint64_t tag = span_uleb(bytes);
	const enum abbrev_kind kind = kind_of(tag, inlined);
	struct abbrev_attribute attribute;
	const uint8_t *start;

	abbrev->first_part = (uint32_t)table->nr_parts;
	abbrev->tag = tag < UINT16_MAX ? (uint16_t)tag : UINT16_MAX;
	abbrev->has_children = span_u8(bytes) != 0;
	start = bytes->pos;
	while (abbrev_next(bytes, &attribute)) {
		if (append_part(table, abbrev, form_size(attribute.form, sizes)) < 0)
			return -1;
		if (attribute.name == DW_AT_low_pc || attribute.name == DW_AT_ranges)
			abbrev->kind = kind;
		abbrev->has_sibling = attribute.name == DW_AT_sibling &&
				      attribute.form == DW_FORM_ref4 && abbrev->has_children;
	}
	abbrev->may_be_skipped = abbrev->has_sibling && !has_functions(tag);
	set_attributes(abbrev, start, bytes);
	return 0;
}

static int by_code(const void *left, const void *right)
{
	const struct abbrev *a = left, *b = right;

	return a->code < b->code ? -1 : a->code > b->code;
}

static void lower(size_t *bytes_left, size_t by)
{
	*bytes_left -= by < *bytes_left ? by : *bytes_left;
}

int abbrevs_read(struct abbrevs *table, struct span *bytes, const struct form_context *sizes,
		 bool inlined, size_t *bytes_left)
{
	uint64_t code, before = 0;
	bool ascend = true;

	while (*bytes_left && table->nr_parts < UINT32_MAX && (code = span_uleb(bytes)) != 0) {
		const uint8_t *start = bytes->pos;
		struct abbrev *abbrev;

		if (!array_grow(table->list, table->room, table->nr + 1))
			return -1;
		abbrev = &table->list[table->nr++];
		*abbrev = (struct abbrev){.code = code};
		if (read_abbrev(table, abbrev, bytes, sizes, inlined) < 0)
			return -1;
		lower(bytes_left, (size_t)(bytes->pos - start) + 1);
		ascend &= code > before;
		before = code;
	}
	if (!ascend)
		qsort(table->list, table->nr, sizeof(*table->list), by_code);
	return 0;
}

void abbrevs_free(struct abbrevs *table)
{
	free(table->list);
	free(table->parts);
	*table = (struct abbrevs){0};
}

/* Compilers number abbreviations 1, 2, 3, ..., so code - 1 is usually the index in the list. */
const struct abbrev *abbrevs_find(const struct abbrevs *table, uint64_t code)
{
	const struct abbrev key = {.code = code};

	if (code - 1 < table->nr && table->list[code - 1].code == code)
		return &table->list[code - 1];
	if (!table->nr)
		return NULL;
	return bsearch(&key, table->list, table->nr, sizeof(key), by_code);
}

bool abbrev_read_one(struct abbrev *abbrev, struct span *bytes, uint64_t code, size_t *bytes_left)
{
	while (*bytes_left && (abbrev->code = span_uleb(bytes)) != 0) {
		const uint8_t *start = bytes->pos, *attributes;
		struct abbrev_attribute attribute;

		span_skip_leb(bytes); /* the tag */
		abbrev->has_children = span_u8(bytes) != 0;
		attributes = bytes->pos;
		while (abbrev_next(bytes, &attribute))
			;
		set_attributes(abbrev, attributes, bytes);
		lower(bytes_left, (size_t)(bytes->pos - start) + 1);
		if (abbrev->code == code)
			return true;
	}
	return false;
}
