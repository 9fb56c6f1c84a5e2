#include "decode/symbol/unitcheck.h"

#include "decode/symbol/form.h"
#include "decode/symbol/leb.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/index.h"

#include <stdlib.h>

enum {
	MAX_ATTRIBUTES = 1024, /* of an abbreviation; compilers use some 30 */
	/* How many times the bytes of its units a file may have of abbreviations: dwz makes small
	   units that share tables. */
	MAX_RATIO = 16,
};

/* A table of abbreviations that units have. */
struct table {
	uint64_t offset, len; /* in bytes */
};

struct check {
	struct span abbrevs;
	uint64_t left; /* bytes of abbreviations that the units may still have */
	struct table *tables;
	size_t room;
	struct index by_offset;
};

/* Steps over the attributes of an abbreviation; returns how many it has. DWARF 5, section 7.5.3. */
static size_t skip_attributes(struct span *table)
{
	for (size_t nr = 0;; nr++) {
		uint64_t name = span_uleb(table), form = span_uleb(table);

		if (form == FORM_IMPLICIT_CONST)
			span_skip_leb(table);
		if ((name == 0 && form == 0) || table->failed)
			return nr;
	}
}

/* The bytes of the table at @offset; more than are left of it if nobody would write such a one. */
static uint64_t measure(const struct check *check, uint64_t offset)
{
	struct span table = check->abbrevs;
	const uint8_t *start;

	span_skip(&table, offset);
	start = table.pos;
	while (span_uleb(&table) != 0) {
		span_skip_leb(&table); /* the tag */
		span_u8(&table);       /* whether it has children */
		if (skip_attributes(&table) > MAX_ATTRIBUTES ||
		    (uint64_t)(table.pos - start) > check->left)
			return UINT64_MAX;
	}
	return (uint64_t)(table.pos - start);
}

/* As measure(), each table once. */
static uint64_t table_bytes(struct check *check, uint64_t offset, bool *nomem)
{
	const uint64_t hash = hash_u64(offset);
	size_t at = index_first(&check->by_offset, hash), nr = check->by_offset.nr;
	uint32_t number;

	while (index_next(&check->by_offset, hash, &at, &number))
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it was added */
		if (check->tables[number].offset == offset)
			return check->tables[number].len;
	if (!array_grow(check->tables, check->room, nr + 1) ||
	    !index_add(&check->by_offset, hash)) {
		*nomem = true;
		return UINT64_MAX;
	}
	check->tables[nr] = (struct table){offset, measure(check, offset)};
	return check->tables[nr].len;
}

/* Takes the next unit off @info; returns where its abbreviations are. DWARF 5, section 7.5.1. */
static uint64_t take_unit(struct span *info)
{
	uint64_t length = span_u32(info);
	const bool is_64bit = length == UINT32_MAX;
	struct span unit;

	if (is_64bit)
		length = span_u64(info);
	unit = span_take(info, length < span_left(info) ? length : span_left(info));
	if (span_u16(&unit) >= 5)
		span_skip(&unit, 2); /* the kind of unit, the size of an address */
	return is_64bit ? span_u64(&unit) : span_u32(&unit);
}

bool units_can_be_read(struct span info, struct span abbrevs, bool *nomem)
{
	struct check check = {
		.abbrevs = abbrevs,
		.left = MAX_RATIO * (uint64_t)span_left(&info) + span_left(&abbrevs),
	};
	bool can = true;

	while (can && span_left(&info)) {
		uint64_t bytes = table_bytes(&check, take_unit(&info), nomem);

		can = bytes <= check.left;
		check.left -= can ? bytes : 0;
	}
	free(check.tables);
	index_free(&check.by_offset);
	return can;
}
