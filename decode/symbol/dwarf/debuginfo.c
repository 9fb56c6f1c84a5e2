#include "decode/symbol/dwarf/debuginfo.h"

#include "decode/symbol/dwarf/codeunit.h"
#include "decode/symbol/dwarf/debugdata.h"
#include "decode/symbol/dwarf/debugpart.h"
#include "decode/symbol/dwarf/debugsections.h"
#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/dwarf/extent.h"
#include "decode/symbol/dwarf/skeleton.h"
#include "util/largemem.h"

#include <dwarf.h>
#include <stdlib.h>

struct debuginfo {
	struct debug_data data;
	struct code_unit *units; /* that may cover addresses, in the order of .debug_info */
	size_t nr_units, room;
	struct ranges ranges; /* items are unit numbers */
	size_t cursor;
	bool is_part; /* of the units only those that were expected are known */
};

/* @outer: functions in others and in types may be left out, as by code_unit_scan(). */
static int read_functions(struct debuginfo *info, struct code_unit *code, bool outer)
{
	int rc;

	if (code->has_functions || !code->unit)
		return 0;
	code->has_functions = true;
	if (code->unit->type == DW_UT_skeleton)
		rc = skeleton_scan(&info->data, code);
	else /* inlined functions are in functions */
		rc = code_unit_scan(&info->data, code, code->unit,
				    outer && !info->data.main.units.inlined);
	if (rc < 0 || inlines_build(&code->inlines) < 0)
		return -1;
	return ranges_build(&code->ranges);
}

static int add_unit(struct debuginfo *info, struct unit *unit)
{
	if (!largemem_grow(info->units, info->room, info->nr_units + 1))
		return -1;
	info->units[info->nr_units++] =
		(struct code_unit){.unit = unit, .whole = {.name = "", .filename = ""}};
	return 0;
}

/* Before version 5 no unit type marks a skeleton: it names its .dwo file and has no children. */
static bool is_old_skeleton(const struct unit *unit, const struct die *first)
{
	return unit->sizes.version < 5 && !first->has_children &&
	       die_value(first, DW_AT_GNU_dwo_id).form && die_value(first, DW_AT_GNU_dwo_name).form;
}

/* Adds @unit if its own entry gives its addresses. */
static int take_unit(struct debuginfo *info, struct unit *unit)
{
	struct die first;
	bool any;

	if (unit->type == DW_UT_type || info->nr_units >= UINT32_MAX || !die_first(unit, &first))
		return 0;
	if (is_old_skeleton(unit, &first))
		unit->type = DW_UT_skeleton;
	if (extent_add(&first, &info->ranges, (uint32_t)info->nr_units, &info->data.ranges_left,
		       &any) < 0)
		return -1;
	return any ? add_unit(info, unit) : 0;
}

/* For units whose own entries give no addresses: reads all functions at once and takes theirs. */
static int take_ranges_of_functions(struct debuginfo *info, struct unit_list *units)
{
	for (size_t i = 0; i < units->nr && i < UINT32_MAX; i++)
		if (add_unit(info, &units->list[i]) < 0)
			return -1;
	for (size_t i = 0; i < info->nr_units; i++) {
		struct code_unit *code = &info->units[i];

		if (read_functions(info, code, false) < 0)
			return -1;
		for (size_t k = 0; k < code->ranges.nr; k++)
			if (ranges_add(&info->ranges, code->ranges.list[k].start,
				       code->ranges.list[k].end, (uint32_t)i) < 0)
				return -1;
	}
	return 0;
}

static int read_units(struct debuginfo *info)
{
	struct unit_list *units = &info->data.main.units.info;

	if (unit_set_read(&info->data.main.units) < 0)
		return -1;
	for (size_t i = 0; i < units->nr; i++)
		if (take_unit(info, &units->list[i]) < 0)
			return -1;
	if (info->nr_units == 0 && take_ranges_of_functions(info, units) < 0)
		return -1;
	return ranges_build(&info->ranges);
}

/* Adds a unit that is not read, with its file, if @is_first of its places; and @place of it. */
static int add_assembled(struct debuginfo *info, const struct debug_place *place, bool is_first)
{
	if (is_first) {
		if (add_unit(info, NULL) < 0)
			return -1;
		info->units[info->nr_units - 1].whole.filename = place->filename;
	}
	return ranges_add(&info->ranges, place->address, place->address + 1,
			  (uint32_t)info->nr_units - 1);
}

/* Reads the units of @places alone. *@is_open: whether they can be looked up in these. */
static int read_part(struct debuginfo *info, const struct debug_files *files,
		     struct intern *strings, struct debug_place *places, size_t nr, bool *is_open)
{
	size_t nr_read = nr;
	int rc = debug_part_open(&info->data, files, strings, places, &nr_read, is_open);

	for (size_t i = 0; i < nr && *is_open && rc == 0; i++) {
		const bool is_first = i == 0 || places[i].unit != places[i - 1].unit;

		if (i >= nr_read)
			rc = add_assembled(info, &places[i], is_first);
		else if (is_first)
			rc = take_unit(info, unit_set_at(&info->data.main.units, places[i].unit));
	}
	if (rc < 0)
		return -1;
	info->is_part = true;
	return ranges_build(&info->ranges);
}

bool debuginfo_exists(const struct elffile *file)
{
	return debug_sections_exist(file);
}

uint64_t debuginfo_size(const struct elffile *file)
{
	return debug_sections_size(file);
}

bool debuginfo_has_part(const struct elffile *file)
{
	return debug_part_is_told(file);
}

void debuginfo_unpack(const struct elffile *file, bool all)
{
	struct debug_sections sections;

	if (all || !debug_part_is_told(file) || !debug_sections_open_part(&sections, file, 0))
		debug_sections_open(&sections, file);
}

struct debuginfo *debuginfo_open(const struct debug_files *files, struct intern *strings,
				 bool wants_inlined, bool *nomem)
{
	struct debuginfo *info = calloc(1, sizeof(*info));

	*nomem = !info;
	if (!info)
		return NULL;
	if (debug_data_open(&info->data, files, strings, wants_inlined)) {
		if (read_units(info) == 0)
			return info;
		*nomem = true;
	}
	debuginfo_close(info);
	return NULL;
}

struct debuginfo *debuginfo_open_part(const struct debug_files *files, struct intern *strings,
				      struct debug_place *places, size_t nr, bool *nomem)
{
	struct debuginfo *info = calloc(1, sizeof(*info));
	bool is_open = false;

	*nomem = !info || read_part(info, files, strings, places, nr, &is_open) < 0;
	if (is_open && !*nomem)
		return info;
	debuginfo_close(info);
	return NULL;
}

static struct code_unit *unit_at(struct debuginfo *info, uint64_t address)
{
	const struct range *range = ranges_find(&info->ranges, address, &info->cursor);

	info->data.main.units.is_short |= info->is_part && !range;
	return range ? &info->units[range->item] : NULL;
}

/*
 * Sets *@range to that of the function of *@code at @address, or to NULL if there is none. *@code
 * becomes the one whose function it is: itself, or its inner one. -1 if memory is out.
 */
static int find_range(struct debuginfo *info, uint64_t address, struct code_unit **code,
		      const struct range **range)
{
	if (read_functions(info, *code, true) < 0)
		return -1;
	*range = ranges_find(&(*code)->ranges, address, &(*code)->cursor);
	if (*range || !(*code)->skipped)
		return 0;
	*code = code_unit_inner(*code);
	if (!*code || read_functions(info, *code, false) < 0)
		return -1;
	*range = ranges_find(&(*code)->ranges, address, &(*code)->cursor);
	return 0;
}

int debuginfo_find(struct debuginfo *info, uint64_t address, const struct debug_function **function)
{
	struct code_unit *code = unit_at(info, address);
	const struct range *range;

	*function = NULL;
	if (!code)
		return 0;
	if (find_range(info, address, &code, &range) < 0)
		return -1;
	if (!range) {
		*function = code->whole.filename[0] ? &code->whole : NULL;
		return 0;
	}
	if (code_unit_resolve(&info->data, code, code->unit, range->item) < 0)
		return -1;
	code->functions[range->item].answer.start = range->start;
	*function = &code->functions[range->item].answer;
	return 0;
}

int debuginfo_find_inlined(struct debuginfo *info, uint64_t address,
			   const struct debug_function *function,
			   const struct debug_function *chain[DEBUGINFO_MAX_INLINED], size_t *nr)
{
	struct code_unit *code = unit_at(info, address);
	uint32_t number = code ? inlines_find(&code->inlines, address) : INLINE_NONE;

	*nr = 0;
	for (; number != INLINE_NONE && *nr < DEBUGINFO_MAX_INLINED; (*nr)++) {
		struct inlined *inlined = &code->inlines.list[number];

		if (&code->functions[inlined->function].answer != function)
			break; /* damage: the copy belongs to another function */
		if (code_unit_resolve_inlined(&info->data, code, code->unit, number) < 0)
			return -1;
		chain[*nr] = inlined->answer;
		number = inlined->caller;
	}
	return 0;
}

int debuginfo_find_line(struct debuginfo *info, uint64_t address, struct source_line *line,
			bool *found)
{
	struct code_unit *code = unit_at(info, address);
	struct unit_sources *sources;
	struct unit_source *source;

	*found = false;
	if (!code || !code->unit)
		return 0;
	if (debug_data_source(&info->data, code->unit, &sources, &source) < 0)
		return -1;
	return source ? unit_source_line(sources, source, address, line, found) : 0;
}

bool debuginfo_is_part(const struct debuginfo *info)
{
	return info->is_part;
}

bool debuginfo_is_short(const struct debuginfo *info)
{
	return debug_data_is_short(&info->data);
}

bool debuginfo_has_changed(const struct debuginfo *info)
{
	return info->data.has_changed;
}

void debuginfo_close(struct debuginfo *info)
{
	if (!info)
		return;
	for (size_t i = 0; i < info->nr_units; i++)
		code_unit_free(&info->units[i]);
	free(info->units);
	ranges_free(&info->ranges);
	debug_data_close(&info->data);
	free(info);
}
