#include "decode/symbol/split.h"

#include "decode/symbol/file.h"
#include "decode/symbol/path.h"
#include "decode/symbol/strtab.h"

#include <stdlib.h>
#include <string.h>

/* Of the DWARF standard, version 5, section 7.5.1. */
enum { UT_SPLIT_COMPILE = 5 };

/* What looking at a unit, and opening a file, costs at least, in bytes that are read. */
enum { UNIT_COST = 64, FILE_COST = 64 * 1024 };

/* The columns of a package's index: DWARF 5, section 7.3.5.3, and GNU's, which have version 2. */
enum {
	SECT_INFO = 1,
	SECT_ABBREV = 3,
	SECT_STR_OFFSETS = 6,
	SECT_RNGLISTS = 8, /* in GNU's another one, which is not read */

	MAX_COLUMNS = 16,
	MAX_PROBES = 1024, /* of slots for an id; a third of them is free */
};

static struct span section(const struct elf_file *file, const char *name)
{
	return elf_section_bytes(file, elf_section_named(file, name));
}

/* Narrows @span to its @size bytes from @offset on; to none if they are not all there. */
static void narrow(struct span *span, uint64_t offset, uint64_t size)
{
	span_skip(span, offset);
	*span = span_take(span, size);
}

static void open_sections(struct split *split, const struct elf_file *file)
{
	split->info = section(file, ".debug_info.dwo");
	split->abbrevs = section(file, ".debug_abbrev.dwo");
	split->str = strtab_make(section(file, ".debug_str.dwo"));
	split->str_offsets = section(file, ".debug_str_offsets.dwo");
	split->rnglists = section(file, ".debug_rnglists.dwo");
}

/* ---- the units of .debug_info.dwo ------------------------------------------------------------ */

/*
 * Takes the next unit off @units for the one of @split. *@id is its id if the header has one: up to
 * version 4 it is in the first entry, and the id is that of the unit that is looked for.
 */
static bool take_unit(struct span *units, struct split *split, uint64_t *id)
{
	const uint8_t *start = units->pos;
	uint64_t length = span_u32(units), abbrevs;
	struct span unit;
	uint8_t type = UT_SPLIT_COMPILE;

	split->sizes.offset = length == UINT32_MAX ? 8 : 4;
	if (length == UINT32_MAX)
		length = span_u64(units);
	unit = span_take(units, length);
	split->info = unit;
	split->info.pos = start;
	split->sizes.version = span_u16(&unit);
	if (split->sizes.version >= 5) {
		type = span_u8(&unit);
		split->sizes.address = span_u8(&unit);
	}
	abbrevs = split->sizes.offset == 8 ? span_u64(&unit) : span_u32(&unit);
	if (split->sizes.version < 5)
		split->sizes.address = span_u8(&unit);
	else if (type == UT_SPLIT_COMPILE)
		*id = span_u64(&unit);
	split->header = (uint32_t)(unit.pos - start);
	if (units->failed || unit.failed || type != UT_SPLIT_COMPILE)
		return false;
	span_skip(&split->abbrevs, abbrevs);
	return !split->abbrevs.failed;
}

/* Looks for the unit with @id in the sections of @split; what is before it is type units mostly. */
static bool find_unit(struct split *split, uint64_t id, uint64_t *bytes_left)
{
	struct span units = split->info;

	while (span_left(&units) && *bytes_left) {
		struct split unit = *split;
		const uint8_t *start = units.pos;
		uint64_t found = id, size;
		bool is_unit = take_unit(&units, &unit, &found);

		size = (uint64_t)(units.pos - start) + UNIT_COST;
		*bytes_left -= size < *bytes_left ? size : *bytes_left;
		if (is_unit && found == id) {
			*split = unit;
			return true;
		}
	}
	return false;
}

/* ---- packages -------------------------------------------------------------------------------- */

/* The index of a package: a hash table of ids, each with a row of places in the sections. */
struct unit_index {
	uint32_t version, nr_columns, nr_units, nr_slots;
	struct span ids, rows, columns, offsets, sizes;
};

static bool read_index(struct unit_index *index, const struct elf_file *package)
{
	struct span s = section(package, ".debug_cu_index");
	uint64_t cells;

	index->version = span_u16(&s);
	if (index->version == 0) /* the high half of the 4 bytes that GNU's has */
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

/* The row of @id, from 1; 0 if it has none. The slots are those of DWARF 5, section 7.3.5.3. */
static uint32_t find_row(const struct unit_index *index, uint64_t id)
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

static bool find_in_package(struct split *split, const struct elf_file *package, uint64_t id)
{
	struct unit_index index;
	uint32_t row;

	row = read_index(&index, package) ? find_row(&index, id) : 0;
	if (row == 0)
		return false;
	open_sections(split, package);
	for (uint32_t i = 0; i < index.nr_columns; i++) {
		uint64_t cell = (uint64_t)(row - 1) * index.nr_columns + i;
		uint32_t offset = u32_at(index.offsets, cell), size = u32_at(index.sizes, cell);

		switch (u32_at(index.columns, i)) {
		case SECT_INFO:
			narrow(&split->info, offset, size);
			break;
		case SECT_ABBREV:
			narrow(&split->abbrevs, offset, size);
			break;
		case SECT_STR_OFFSETS:
			narrow(&split->str_offsets, offset, size);
			break;
		case SECT_RNGLISTS:
			narrow(&split->rnglists, offset, size);
			break;
		}
	}
	return true;
}

/* ---- .dwo files ------------------------------------------------------------------------------ */

static bool open_dwo(struct split *split, const struct skeleton *skeleton, const char *root,
		     uint64_t *bytes_left, bool *nomem)
{
	enum file_status status;
	char *path;
	int fd;

	if (!skeleton->name || *bytes_left < FILE_COST)
		return false;
	*bytes_left -= FILE_COST;
	path = path_join(skeleton->comp_dir, NULL, skeleton->name);
	if (!path) {
		*nomem = true;
		return false;
	}
	split->path = path;
	status = path[0] == '/' ? file_open_in(root, path, &fd) : FILE_MISSING;
	if (status != FILE_OPEN)
		return false;
	split->file = elf_file_open(fd, nomem);
	if (!split->file)
		return false;
	split->file->root = root;
	split->file->path = path;
	open_sections(split, split->file);
	return true;
}

/* Type units have sections of their own, of the same name. */
static bool find_in_dwo(struct split *split, uint64_t id, uint64_t *bytes_left)
{
	for (size_t i = 1; i < split->file->nr_sections; i++) {
		if (strcmp(split->file->sections[i].name, ".debug_info.dwo") != 0)
			continue;
		split->info = elf_section_bytes(split->file, i);
		if (find_unit(split, id, bytes_left))
			return true;
	}
	return false;
}

bool split_open(struct split *split, const struct skeleton *skeleton,
		const struct elf_file *package, const char *root, uint64_t *bytes_left, bool *nomem)
{
	*split = (struct split){0};
	if (package && find_in_package(split, package, skeleton->id) &&
	    find_unit(split, skeleton->id, bytes_left))
		return true;
	*split = (struct split){0};
	if (open_dwo(split, skeleton, root, bytes_left, nomem) &&
	    find_in_dwo(split, skeleton->id, bytes_left))
		return true;
	split_close(split);
	return false;
}

struct span split_entries(const struct split *split)
{
	struct span entries = split->info;

	span_skip(&entries, split->header);
	return entries;
}

void split_close(struct split *split)
{
	elf_file_close(split->file);
	free(split->path);
	*split = (struct split){0};
}
