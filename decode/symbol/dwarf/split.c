#include "decode/symbol/dwarf/split.h"

#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/dwarf/package.h"
#include "decode/symbol/dwarf/path.h"
#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/file/file.h"
#include "util/array.h"
#include "util/hash.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Least cost, in bytes read, of looking at a unit and of opening a file. */
enum { UNIT_COST = 64, FILE_COST = 64 * 1024 };

static void lower(uint64_t *bytes_left, uint64_t by)
{
	*bytes_left -= by < *bytes_left ? by : *bytes_left;
}

/* ---- units ----------------------------------------------------------------------------------- */

/* Makes @unit the only one of @split. Lets its abbreviations be read once. */
static struct unit *set_unit(struct split *split, const struct unit *unit, uint64_t *bytes_left,
			     bool *nomem)
{
	struct unit_set *units = &split->units;

	if (!array_grow(units->info.list, units->info.room, 1)) {
		*nomem = true;
		return NULL;
	}
	units->info.list[0] = *unit;
	units->info.list[0].set = units;
	units->info.nr = 1;
	units->has_units = true;
	units->tables_left = span_left(&units->sections.abbrevs);
	if (units->tables_left > *bytes_left)
		units->tables_left = (size_t)*bytes_left;
	lower(bytes_left, units->tables_left);
	return units->info.list;
}

/* Before version 5 the unit's first entry has the id; find_unit() has checked it otherwise. */
static bool has_id(struct unit *unit, uint64_t id)
{
	struct die first;

	return unit->sizes.version >= 5 ||
	       (die_at(unit, 0, &first) && die_value(&first, DW_AT_GNU_dwo_id).number == id);
}

/*
 * Finds the unit with @id in .debug_info.dwo, or its first unit of a version before 5, whose id is
 * not checked yet. Mostly type units precede it.
 */
static struct unit *find_unit(struct split *split, uint64_t id, uint64_t *bytes_left, bool *nomem)
{
	struct span section = split->units.sections.info;
	uint64_t offset = 0;
	struct unit unit;

	while (span_left(&section) && *bytes_left) {
		const uint64_t start = offset;
		const bool is_unit = unit_take(&section, &offset, &unit);

		lower(bytes_left, offset - start + UNIT_COST);
		if (!is_unit || unit.abbrevs_at > span_left(&split->units.sections.abbrevs))
			continue;
		if (unit.sizes.version < 5 || (unit.type == DW_UT_split_compile && unit.id == id))
			return set_unit(split, &unit, bytes_left, nomem);
	}
	return NULL;
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
	split->file = elffile_open(fd, nomem);
	if (!split->file)
		return false;
	split->file->root = root;
	split->file->path = path;
	debug_sections_open_split(&split->units.sections, split->file);
	return true;
}

/* Searches all .debug_info.dwo sections: type units have their own. */
static struct unit *find_in_dwo(struct split *split, uint64_t id, uint64_t *bytes_left, bool *nomem)
{
	struct unit *unit = NULL;

	for (size_t i = 1; i < split->file->nr_sections && !unit && !*nomem; i++) {
		if (strcmp(split->file->sections[i].name, ".debug_info.dwo") != 0)
			continue;
		split->units.sections.info = elfsection_bytes(split->file, i);
		unit = find_unit(split, id, bytes_left, nomem);
	}
	return unit;
}

struct unit *split_open(struct split *split, const struct skeleton *skeleton,
			const struct elffile *package, const char *root, uint64_t *bytes_left,
			bool *nomem)
{
	struct unit *unit = NULL;

	if (package && package_find(package, skeleton->id, &split->units.sections))
		unit = find_unit(split, skeleton->id, bytes_left, nomem);
	if (!unit && !*nomem && open_dwo(split, skeleton, root, bytes_left, nomem))
		unit = find_in_dwo(split, skeleton->id, bytes_left, nomem);
	if (unit && !has_id(unit, skeleton->id)) {
		*nomem = split->units.nomem;
		unit = NULL;
	}
	return unit;
}

void split_close(struct split *split)
{
	unit_set_free(&split->units);
	elffile_close(split->file);
	free(split->path);
	*split = (struct split){0};
}

/* ---- what is missing ------------------------------------------------------------------------- */

static bool is_known(const struct split_tally *tally, uint64_t offset)
{
	const uint64_t hash = hash_u64(offset);
	size_t at = index_first(&tally->by_offset, hash);
	uint32_t number;

	while (index_next(&tally->by_offset, hash, &at, &number))
		if (tally->units[number] == offset)
			return true;
	return false;
}

int split_tally_add(struct split_tally *tally, uint64_t offset, const char *missing,
		    struct intern *strings)
{
	const size_t nr = tally->by_offset.nr;

	if (is_known(tally, offset))
		return 0;
	if (!array_grow(tally->units, tally->room, nr + 1))
		return -1;
	tally->units[nr] = offset;
	if (!index_add(&tally->by_offset, hash_u64(offset)))
		return -1;
	if (!missing)
		return 0;
	/* The first one in the file, whatever the order of reading. */
	if (tally->nr_missing++ == 0 || offset < tally->first) {
		tally->first = offset;
		tally->first_path = intern_keep(strings, missing);
	}
	return tally->first_path ? 0 : -1;
}

const char *split_tally_describe(const struct split_tally *tally, const char *refused,
				 struct intern *strings)
{
	const char *kept = NULL;
	char *text;

	if (tally->nr_missing == 0)
		return refused;
	if (asprintf(&text, "%s%s%zu of %zu split units not found: first %s", refused,
		     refused[0] ? "; " : "", tally->nr_missing, tally->by_offset.nr,
		     tally->first_path) < 0)
		return NULL;
	kept = intern_keep(strings, text);
	free(text);
	return kept;
}

void split_tally_free(struct split_tally *tally)
{
	free(tally->units);
	index_free(&tally->by_offset);
	*tally = (struct split_tally){0};
}
