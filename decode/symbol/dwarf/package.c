#include "decode/symbol/dwarf/package.h"

#include "decode/symbol/elf/elfsection.h"

#include <dwarf.h>

enum {
	MAX_COLUMNS = 16,
	MAX_PROBES = 1024, /* slots tried for an id; a third of all slots are free */
};

/*
 * A hash table of unit ids, each with a row of places in the sections: DWARF 5, section 7.3.5.3,
 * and GNU's earlier form, which has version 2.
 */
struct package_index {
	uint32_t version, nr_columns, nr_units, nr_slots;
	struct span ids, rows, columns, offsets, sizes;
};

static bool read_index(struct package_index *index, const struct elffile *package)
{
	struct span s =
		elfsection_bytes(package, elffile_section_named(package, ".debug_cu_index"));
	uint64_t cells;

	index->version = span_u16(&s);
	if (index->version == 0) /* GNU's has 4 bytes; these were the high half */
		index->version = span_u16(&s);
	else
		span_u16(&s);
	index->nr_columns = span_u32(&s);
	index->nr_units = span_u32(&s);
	index->nr_slots = span_u32(&s);
	if (index->nr_columns > MAX_COLUMNS || (index->nr_slots & (index->nr_slots - 1)) != 0)
		return false;
	cells = (uint64_t)index->nr_columns * index->nr_units * 4;
	index->ids = span_take(&s, (uint64_t)index->nr_slots * 8);
	index->rows = span_take(&s, (uint64_t)index->nr_slots * 4);
	index->columns = span_take(&s, (uint64_t)index->nr_columns * 4);
	index->offsets = span_take(&s, cells);
	index->sizes = span_take(&s, cells);
	return !s.failed && index->nr_slots && (index->version == 2 || index->version == 5);
}

static uint32_t u32_at(struct span s, uint64_t number)
{
	span_skip(&s, number * 4);
	return span_u32(&s);
}

/* Returns the row of @id, from 1; 0 if it has none. */
static uint32_t find_row(const struct package_index *index, uint64_t id)
{
	const uint64_t mask = index->nr_slots - 1, step = (id >> 32 & mask) | 1;
	uint64_t slot = id & mask;

	for (uint32_t i = 0; i < index->nr_slots && i < MAX_PROBES;
	     i++, slot = (slot + step) & mask) {
		struct span ids = index->ids;
		uint32_t row = u32_at(index->rows, slot);

		span_skip(&ids, slot * 8);
		if (row == 0)
			return 0;
		if (span_u64(&ids) == id)
			return row <= index->nr_units ? row : 0;
	}
	return 0;
}

/*
 * Returns the section of a column; NULL if it is not read. In version 2 number 8 is another section
 * than DW_SECT_RNGLISTS; units before version 5 never read it.
 */
static struct span *section_of(struct debug_sections *sections, uint32_t column)
{
	switch (column) {
	case DW_SECT_INFO:
		return &sections->info;
	case DW_SECT_ABBREV:
		return &sections->abbrevs;
	case DW_SECT_STR_OFFSETS:
		return &sections->str_offsets;
	case DW_SECT_RNGLISTS:
		return &sections->rnglists;
	default:
		return NULL;
	}
}

bool package_find(const struct elffile *package, uint64_t id, struct debug_sections *sections)
{
	struct package_index index;
	const uint32_t row = read_index(&index, package) ? find_row(&index, id) : 0;

	if (row == 0)
		return false;
	debug_sections_open_split(sections, package);
	for (uint32_t i = 0; i < index.nr_columns; i++) {
		const uint64_t cell = (uint64_t)(row - 1) * index.nr_columns + i;
		struct span *section = section_of(sections, u32_at(index.columns, i));

		if (!section)
			continue;
		span_skip(section, u32_at(index.offsets, cell));
		*section = span_take(section, u32_at(index.sizes, cell));
	}
	return true;
}
