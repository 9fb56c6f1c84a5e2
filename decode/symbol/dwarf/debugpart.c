#include "decode/symbol/dwarf/debugpart.h"

#include "decode/symbol/dwarf/aranges.h"
#include "decode/symbol/dwarf/assembled.h"
#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/dwarf/linefiles.h"
#include "decode/symbol/elf/strtab.h"

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

/* True if the units of all @places are where .debug_aranges says, and whole. */
static bool has_all(struct unit_set *set, const struct debug_place *places, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct unit *unit = unit_set_at(set, places[i].unit);

		if (!unit || unit->offset != places[i].unit || unit->is_cut)
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

/* @opened: what is open of .debug_line. */
static void open_lines(struct debug_file *main, const struct elffile *file, struct span opened,
		       const struct debug_place *places, size_t nr)
{
	struct line_sections *sections = &main->sources.sections;
	uint64_t last = 0;

	for (size_t i = 0; i < nr; i++) {
		struct form_value offset = {0};
		struct die first;

		if (i > 0 && places[i].unit == places[i - 1].unit)
			continue;
		if (die_first(unit_set_at(&main->units, places[i].unit), &first))
			offset = die_value(&first, DW_AT_stmt_list);
		if (offset.number > last)
			last = offset.number;
	}
	sections->line = opened;
	if (line_files_size(sections, last) == 0)
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

/* Returns how far in @line bytes is what is at @at of @all bytes elsewhere; @line if it is behind.
 */
static uint64_t in_proportion(uint64_t at, uint64_t all, uint64_t line)
{
	return at < all ? (uint64_t)((double)at / (double)all * (double)line) : line;
}

/*
 * Opens .debug_line about as far as the line program of the unit at @unit: units and programs
 * mostly come in the same order, and the sections' share is alike.
 */
static void open_lines_about(struct line_sections *sections, const struct elffile *file,
			     uint64_t unit)
{
	const uint64_t last =
		in_proportion(unit, debug_sections_size(file), debug_sections_line_size(file));

	sections->line = open_up_to(file, "line", last, LINE_SPARE);
	sections->line_str = strtab_make(debug_sections_start(file, "line_str", UINT64_MAX));
	sections->str = strtab_make(debug_sections_start(file, "str", UINT64_MAX));
}

/*
 * Leaves out the last ones of @places if only the file is to be known. *@opened: what it opens of
 * .debug_line. -1 if memory is out.
 */
static int leave_out_assembled(const struct elffile *file, struct intern *strings,
			       struct debug_place *places, size_t *nr, struct span *opened)
{
	struct line_sections sections;

	*opened = (struct span){0};
	if (!debug_sections_are_packed(file)) /* nothing is saved */
		return 0;
	open_lines_about(&sections, file, places[*nr - 1].unit);
	*opened = sections.line;
	return assembled_find(&sections, strings, places, nr);
}

int debug_part_open(struct debug_data *data, const struct debug_files *files,
		    struct intern *strings, struct debug_place *places, size_t *nr, bool *is_open)
{
	struct unit_set *set = &data->main.units;
	struct span lines;
	bool all;

	*is_open = false;
	if (aranges_find(aranges_of(files->main), places, *nr, &all) < 0 ||
	    (all && leave_out_assembled(files->main, strings, places, nr, &lines) < 0))
		return -1;
	if (!all || !debug_data_open_part(data, files, strings, *nr ? places[*nr - 1].end : 0))
		return 0;
	if (unit_set_read(set) < 0)
		return -1;
	if (!has_all(set, places, *nr))
		return 0;
	if (*nr) {
		open_abbrevs(set, files->main);
		open_lines(&data->main, files->main, lines, places, *nr);
	}
	*is_open = true;
	return 0;
}
