#include "decode/symbol/dwarf/skeleton.h"

#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/dwarf/path.h"
#include "decode/symbol/dwarf/split.h"
#include "decode/symbol/dwarf/value.h"

#include <dwarf.h>
#include <stdlib.h>

static const char *string_of(const struct die *die, unsigned name)
{
	return value_string(die->unit, die_value(die, name));
}

/* Returns what @unit, whose own entry is @first, says about its split unit. */
static struct skeleton read_skeleton(const struct unit *unit, const struct die *first)
{
	struct skeleton skeleton = {
		.id = unit->id,
		.comp_dir = string_of(first, DW_AT_comp_dir),
		.name = string_of(first, DW_AT_dwo_name),
	};

	if (!skeleton.name)
		skeleton.name = string_of(first, DW_AT_GNU_dwo_name);
	if (unit->sizes.version < 5)
		skeleton.id = die_value(first, DW_AT_GNU_dwo_id).number;
	return skeleton;
}

/* Sets the sections and bases of @split that are in the binary, with its skeleton @unit. */
static void join(struct unit *split, struct unit *unit, const struct die *first)
{
	const struct unit_bases *bases = value_bases(unit);

	split->skeleton = unit;
	split->set->sections.addresses = unit->set->sections.addresses;
	split->set->sections.ranges = unit->set->sections.ranges;
	value_bases(split);
	split->bases.addresses = bases->addresses;
	split->bases.low_pc = bases->low_pc;
	split->bases.ranges = die_value(first, DW_AT_GNU_ranges_base).number;
}

/* Fills all answers now, since the split file is closed afterwards. */
static int resolve_all(struct debug_data *data, struct code_unit *code, struct unit *split)
{
	for (size_t i = 0; i < code->nr_functions; i++)
		if (code_unit_resolve(data, code, split, i) < 0)
			return -1;
	for (size_t i = 0; i < code->inlines.nr; i++)
		if (code_unit_resolve_inlined(data, code, split, i) < 0)
			return -1;
	return 0;
}

static int scan_split(struct debug_data *data, struct code_unit *code, struct unit *split)
{
	const struct debug_sections *sections = &split->set->sections;

	data->ranges_left += span_left(&sections->info) + span_left(&sections->rnglists);
	if (code_unit_scan(data, code, split, false) < 0)
		return -1;
	return resolve_all(data, code, split);
}

/* Counts the split unit of @skeleton in the tally. Returns -1 if memory is out. */
static int count_split(struct debug_data *data, const struct unit *unit,
		       const struct skeleton *skeleton, bool found)
{
	const char *missing = found ? NULL : "without a name";
	char *path = NULL;
	int rc;

	if (!data->files.tally)
		return 0;
	if (!found && skeleton->name) {
		missing = path = path_join(skeleton->comp_dir, NULL, skeleton->name);
		if (!path)
			return -1;
	}
	rc = split_tally_add(data->files.tally, unit->offset, missing, data->strings);
	free(path);
	return rc;
}

int skeleton_scan(struct debug_data *data, struct code_unit *code)
{
	struct split split = {.units.inlined = data->main.units.inlined};
	struct skeleton skeleton;
	struct unit *unit;
	struct die first;
	bool nomem = false;
	int rc = 0;

	if (!die_first(code->unit, &first))
		return 0;
	skeleton = read_skeleton(code->unit, &first);
	unit = split_open(&split, &skeleton, data->files.package, data->files.root,
			  &data->split_left, &nomem);
	if (unit) {
		join(unit, code->unit, &first);
		rc = scan_split(data, code, unit);
	}
	data->has_changed |= elffile_has_changed(split.file);
	split_close(&split);
	if (nomem || rc < 0)
		return -1;
	return count_split(data, code->unit, &skeleton, unit != NULL);
}
