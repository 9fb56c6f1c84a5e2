#include "decode/symbol/dwarf/unit.h"

#include "util/array.h"
#include "util/hash.h"
#include "util/largemem.h"

#include <dwarf.h>
#include <stdlib.h>

/*
 * Bytes of abbreviations that are read, as multiples of the bytes of units. dwz makes small units
 * that share long tables, and the first entry of each is looked up there.
 */
enum { MAX_TABLES = 4, MAX_FIRST = 16 };

/* ---- headers --------------------------------------------------------------------------------- */

/* Reads the header of @unit after its length: DWARF 5, section 7.5.1. */
static bool read_header(struct unit *unit, struct span header)
{
	const unsigned size = unit->sizes.offset;

	unit->sizes.version = span_u16(&header);
	unit->type = DW_UT_compile;
	if (unit->sizes.version >= 5) {
		unit->type = span_u8(&header);
		unit->sizes.address = span_u8(&header);
	}
	unit->abbrevs_at = form_take(&header, size);
	if (unit->sizes.version < 5)
		unit->sizes.address = span_u8(&header);
	switch (unit->type) {
	case DW_UT_type:
	case DW_UT_split_type:
		unit->id = span_u64(&header);
		unit->type_at = form_take(&header, size);
		break;
	case DW_UT_skeleton:
	case DW_UT_split_compile:
		unit->id = span_u64(&header);
		break;
	}
	unit->header_len = (uint8_t)(header.pos - unit->bytes.pos);
	return !header.failed && unit->sizes.version >= 2 && unit->sizes.version <= 5;
}

bool unit_take(struct span *section, uint64_t *offset, struct unit *unit)
{
	const uint8_t *start = section->pos;
	uint64_t length = span_u32(section);
	const bool is_64bit = length == UINT32_MAX;
	struct span header;
	bool is_cut;

	if (is_64bit)
		length = span_u64(section);
	is_cut = length > span_left(section);
	header = span_take(section, is_cut ? span_left(section) : length);
	*unit = (struct unit){.offset = *offset, .bytes = header, .is_cut = is_cut};
	unit->bytes.pos = start;
	unit->sizes.offset = is_64bit ? 8 : 4;
	*offset += (uint64_t)(section->pos - start);
	return read_header(unit, header);
}

struct span unit_entries(const struct unit *unit)
{
	struct span entries = unit->bytes;

	span_skip(&entries, unit->header_len);
	return entries;
}

/* Reads the rest of a type unit's header in .debug_types, which exists up to version 4. */
static void read_old_type(struct unit *unit)
{
	struct span header = unit_entries(unit);

	unit->type = DW_UT_type;
	unit->id = span_u64(&header);
	unit->type_at = form_take(&header, unit->sizes.offset);
	unit->header_len = (uint8_t)(header.pos - unit->bytes.pos);
}

static size_t count_units(struct span section)
{
	uint64_t offset = 0;
	struct unit unit;
	size_t nr = 0;

	while (span_left(&section))
		nr += unit_take(&section, &offset, &unit);
	return nr;
}

static int read_section(struct unit_set *set, struct span section, struct unit_list *units,
			bool of_types)
{
	uint64_t offset = 0;

	if (!largemem_array(units->list, units->room, count_units(section)))
		return -1;
	while (span_left(&section)) {
		struct unit unit;

		if (!unit_take(&section, &offset, &unit))
			continue;
		if (of_types)
			read_old_type(&unit);
		unit.set = set;
		units->list[units->nr++] = unit;
	}
	return 0;
}

int unit_set_read(struct unit_set *set)
{
	const struct debug_sections *sections = &set->sections;
	const size_t bytes = sections->info_size + span_left(&sections->types);

	if (set->has_units)
		return 0;
	set->has_units = true;
	set->tables_left = MAX_TABLES * bytes + sections->abbrevs_size;
	set->first_left = MAX_FIRST * bytes + sections->abbrevs_size;
	if (read_section(set, sections->info, &set->info, false) == 0 &&
	    read_section(set, sections->types, &set->types, true) == 0)
		return 0;
	set->nomem = true;
	return -1;
}

/* True if sections.info is only the start of .debug_info. */
static bool is_part(const struct unit_set *set)
{
	return span_left(&set->sections.info) < set->sections.info_size;
}

struct unit *unit_set_at(struct unit_set *set, uint64_t offset)
{
	size_t low = 0, high;

	if (unit_set_read(set) < 0)
		return NULL;
	set->is_short |= is_part(set) && offset >= span_left(&set->sections.info);
	high = set->info.nr;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (set->info.list[mid].offset <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == 0 ||
	    offset - set->info.list[low - 1].offset >= span_left(&set->info.list[low - 1].bytes))
		return NULL;
	set->is_short |= is_part(set) && set->info.list[low - 1].is_cut;
	return &set->info.list[low - 1];
}

/* ---- type units ------------------------------------------------------------------------------ */

static int index_types(struct unit_set *set, struct unit_list *units)
{
	for (size_t i = 0; i < units->nr; i++) {
		const size_t nr = set->by_signature.nr;
		struct unit *unit = &units->list[i];

		if (unit->type != DW_UT_type)
			continue;
		if (!array_grow(set->type_units, set->type_units_room, nr + 1))
			return -1;
		set->type_units[nr] = unit;
		if (!index_add(&set->by_signature, hash_u64(unit->id)))
			return -1;
	}
	return 0;
}

struct unit *unit_set_type(struct unit_set *set, uint64_t signature)
{
	const uint64_t hash = hash_u64(signature);
	uint32_t number;
	size_t at;

	if (!set->has_types && unit_set_read(set) == 0)
		set->nomem |= index_types(set, &set->info) < 0 || index_types(set, &set->types) < 0;
	set->has_types = true;
	at = index_first(&set->by_signature, hash);
	while (index_next(&set->by_signature, hash, &at, &number))
		if (set->type_units[number]->id == signature)
			return set->type_units[number];
	set->is_short |= is_part(set);
	return NULL;
}

/* ---- abbreviations --------------------------------------------------------------------------- */

void unit_set_took_abbrevs(struct unit_set *set, const struct span *rest)
{
	set->is_short |= span_left(&set->sections.abbrevs) < set->sections.abbrevs_size &&
			 span_left(rest) == 0;
}

static bool is_for(const struct unit_abbrevs *table, const struct unit *unit)
{
	return table->offset == unit->abbrevs_at && table->sizes.address == unit->sizes.address &&
	       table->sizes.offset == unit->sizes.offset &&
	       table->sizes.version == unit->sizes.version;
}

static void free_table(struct unit_abbrevs *table)
{
	abbrevs_free(&table->table);
	free(table);
}

/* Reads the table of @unit. Returns NULL if memory is out. */
static struct unit_abbrevs *read_table(const struct unit *unit)
{
	struct unit_set *set = unit->set;
	struct unit_abbrevs *table = calloc(1, sizeof(*table));
	struct span bytes = set->sections.abbrevs;

	if (!table)
		return NULL;
	table->offset = unit->abbrevs_at;
	table->sizes = unit->sizes;
	span_skip(&bytes, unit->abbrevs_at);
	if (abbrevs_read(&table->table, &bytes, &unit->sizes, set->inlined, &set->tables_left) <
	    0) {
		free_table(table);
		return NULL;
	}
	unit_set_took_abbrevs(set, &bytes);
	return table;
}

static const struct abbrevs *add_table(const struct unit *unit, uint64_t hash)
{
	struct unit_set *set = unit->set;
	const size_t nr = set->by_place.nr;
	struct unit_abbrevs *table;

	if (!array_grow(set->tables, set->tables_room, nr + 1))
		return NULL;
	table = read_table(unit);
	if (!table)
		return NULL;
	set->tables[nr] = table;
	if (index_add(&set->by_place, hash))
		return &table->table;
	free_table(table);
	return NULL;
}

const struct abbrevs *unit_abbrevs(struct unit *unit)
{
	const uint64_t hash = hash_u64(unit->abbrevs_at);
	struct unit_set *set = unit->set;
	size_t at = index_first(&set->by_place, hash);
	uint32_t number;

	while (!unit->abbrevs && index_next(&set->by_place, hash, &at, &number))
		if (is_for(set->tables[number], unit))
			unit->abbrevs = &set->tables[number]->table;
	if (!unit->abbrevs)
		unit->abbrevs = add_table(unit, hash);
	set->nomem |= !unit->abbrevs;
	return unit->abbrevs;
}

void unit_set_free(struct unit_set *set)
{
	for (size_t i = 0; i < set->by_place.nr; i++)
		free_table(set->tables[i]);
	free(set->tables);
	free(set->type_units);
	free(set->info.list);
	free(set->types.list);
	index_free(&set->by_place);
	index_free(&set->by_signature);
}
