#include "decode/symbol/dwarfsplit.h"

#include "decode/symbol/dwarfentry.h"
#include "decode/symbol/path.h"
#include "decode/symbol/split.h"
#include "decode/symbol/splitunit.h"

#include <dwarf.h>
#include <stdlib.h>

/* The number that attribute @name of @die is, 0 if it has none. */
static uint64_t number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	return dwarf_attr(die, name, &attr) && dwarf_formudata(&attr, &number) == 0 ? number : 0;
}

/* What the skeleton @cu says of where the rest is, and of the sections that this refers to. */
static struct skeleton read_skeleton(const struct dwarf_data *data, Dwarf_Die *cu,
				     struct split_addresses *binary)
{
	struct skeleton skeleton = {.comp_dir = dwarf_entry_string(data, cu, DW_AT_comp_dir)};
	const bool has_base = dwarf_hasattr(cu, DW_AT_addr_base);
	Dwarf_Addr base;

	if (dwarf_cu_info(cu->cu, NULL, NULL, NULL, NULL, &skeleton.id, NULL, NULL) != 0)
		skeleton.id = 0;
	skeleton.name = dwarf_entry_string(data, cu, DW_AT_dwo_name);
	if (!skeleton.name)
		skeleton.name = dwarf_entry_string(data, cu, DW_AT_GNU_dwo_name);
	*binary = (struct split_addresses){data->addresses, data->old_ranges, 0};
	span_skip(&binary->addresses,
		  number_of(cu, has_base ? DW_AT_addr_base : DW_AT_GNU_addr_base));
	span_skip(&binary->ranges, number_of(cu, DW_AT_GNU_ranges_base));
	if (dwarf_lowpc(cu, &base) == 0)
		binary->base = base;
	return skeleton;
}

/*
 * As dwarf_entry_function(), for the function at @die of a split unit, which counts from the
 * skeleton's.
 */
static int resolve_split(struct dwarf_data *data, struct dwarf_unit *unit,
			 const struct split_unit *split, uint64_t die, struct dwarf_function *out)
{
	struct split_function function = split_unit_function(split, die - unit->die);

	*out = (struct dwarf_function){.filename = "", .line = function.line};
	out->name = intern_keep(data->strings, function.name);
	if (!out->name || dwarf_unit_read_source(data, unit) < 0)
		return -1;
	if (!function.has_file || !unit->source)
		return 0;
	return unit_source_path(&data->sources, unit->source, function.file, &out->filename);
}

/* All at once: the split file is closed then. */
static int resolve_all(struct dwarf_data *data, struct dwarf_unit *unit,
		       const struct split_unit *split)
{
	for (size_t i = 0; i < unit->nr_functions; i++) {
		struct unit_function *function = &unit->functions[i];

		function->resolved = true;
		if (resolve_split(data, unit, split, function->die, &function->answer) < 0)
			return -1;
	}
	for (size_t i = 0; i < unit->inlines.nr; i++) {
		struct inlined *inlined = &unit->inlines.list[i];

		inlined->answer = calloc(1, sizeof(*inlined->answer));
		if (!inlined->answer ||
		    resolve_split(data, unit, split, inlined->die, inlined->answer) < 0)
			return -1;
	}
	return 0;
}

static int scan_split(struct dwarf_data *data, struct dwarf_unit *unit, struct split_unit *split,
		      uint64_t id, bool *found)
{
	if (split_unit_read(split, id, data->wants_inlined, found) < 0)
		return -1;
	if (!*found)
		return 0;
	if (dwarf_unit_scan_split(data, unit, split) < 0)
		return -1;
	return resolve_all(data, unit, split);
}

/* Counts the split unit of @skeleton; -1 if memory is out. */
static int count_split(struct dwarf_data *data, const struct dwarf_unit *unit,
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
	rc = split_tally_add(data->files.tally, unit->die, missing, data->strings);
	free(path);
	return rc;
}

int dwarf_split_scan(struct dwarf_data *data, struct dwarf_unit *unit, Dwarf_Die *cu)
{
	struct split_unit split = {0};
	struct skeleton skeleton = read_skeleton(data, cu, &split.binary);
	bool nomem = false, found = false;
	int rc = 0;

	if (split_open(&split.split, &skeleton, data->files.package, data->files.root,
		       &data->split_left, &nomem))
		rc = scan_split(data, unit, &split, skeleton.id, &found);
	split_unit_free(&split);
	if (nomem || rc < 0)
		return -1;
	return count_split(data, unit, &skeleton, found);
}
