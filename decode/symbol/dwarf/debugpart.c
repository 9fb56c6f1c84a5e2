#include "decode/symbol/dwarf/debugpart.h"

#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/dwarf/linefiles.h"

#include <dwarf.h>

/*
 * Bytes that are opened behind the start of the last table of abbreviations, and of the last
 * program of lines: most are shorter.
 */
enum { ABBREVS_SPARE = 32 * 1024, LINE_SPARE = 64 * 1024 };

static struct span open_up_to(const struct elffile *file, const char *name, uint64_t last,
			      uint64_t spare)
{
	return debug_sections_start(file, name,
				    last < UINT64_MAX - spare ? last + spare : UINT64_MAX);
}

/* True if all of @units are where .debug_aranges says, and whole. */
static bool has_all(struct unit_set *set, const struct aranges_units *units)
{
	for (size_t i = 0; i < units->nr; i++) {
		const struct unit *unit = unit_set_at(set, units->offsets[i]);

		if (!unit || unit->offset != units->offsets[i] || unit->is_cut)
			return false;
	}
	return true;
}

static void open_abbrevs(struct unit_set *set, const struct elffile *file)
{
	uint64_t last = 0;

	for (size_t i = 0; i < set->info.nr; i++)
		if (set->info.list[i].abbrevs_at > last)
			last = set->info.list[i].abbrevs_at;
	set->sections.abbrevs = open_up_to(file, "abbrev", last, ABBREVS_SPARE);
}

static void open_lines(struct debug_file *main, const struct elffile *file,
		       const struct aranges_units *units)
{
	struct line_sections *sections = &main->sources.sections;
	uint64_t last = 0;

	for (size_t i = 0; i < units->nr; i++) {
		struct form_value offset = {0};
		struct die first;

		if (die_first(unit_set_at(&main->units, units->offsets[i]), &first))
			offset = die_value(&first, DW_AT_stmt_list);
		if (offset.number > last)
			last = offset.number;
	}
	sections->line = open_up_to(file, "line", last, LINE_SPARE);
	if (line_files_size(sections, last) == 0)
		sections->line = debug_sections_start(file, "line", UINT64_MAX);
}

static struct span aranges_of(const struct elffile *file)
{
	return debug_sections_start(file, "aranges", UINT64_MAX);
}

bool debug_part_is_told(const struct elffile *file)
{
	struct span section = aranges_of(file);

	return span_left(&section) > 0;
}

int debug_part_open(struct debug_data *data, const struct debug_files *files,
		    struct intern *strings, const uint64_t *addresses, size_t nr,
		    struct aranges_units *units, bool *is_open)
{
	struct unit_set *set = &data->main.units;
	bool all;

	*is_open = false;
	if (aranges_find(aranges_of(files->main), addresses, nr, units, &all) < 0)
		return -1;
	if (!all || !debug_data_open_part(data, files, strings, units->end))
		return 0;
	if (unit_set_read(set) < 0)
		return -1;
	if (!has_all(set, units))
		return 0;
	open_abbrevs(set, files->main);
	open_lines(&data->main, files->main, units);
	*is_open = true;
	return 0;
}
