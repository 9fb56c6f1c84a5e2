#include "decode/symbol/dwarf.h"

#include "decode/symbol/dwarfdata.h"
#include "decode/symbol/dwarfentry.h"
#include "decode/symbol/dwarfsplit.h"
#include "decode/symbol/dwarfunit.h"
#include "util/array.h"

#include <dwarf.h>
#include <stdlib.h>

struct dwarf {
	struct dwarf_data data;
	struct dwarf_unit *units; /* in the order of .debug_info */
	size_t nr_units, room;
	struct ranges ranges; /* of unit numbers */
	size_t cursor;
};

static int read_functions(struct dwarf *dwarf, struct dwarf_unit *unit)
{
	Dwarf_Die cu;
	int rc;

	if (unit->has_functions)
		return 0;
	unit->has_functions = true;
	if (!dwarf_offdie(dwarf->data.dw, unit->die, &cu))
		return 0;
	rc = unit->is_skeleton ? dwarf_split_scan(&dwarf->data, unit, &cu)
			       : dwarf_unit_scan(&dwarf->data, unit, &cu);
	if (rc < 0 || inlines_build(&unit->inlines) < 0)
		return -1;
	return ranges_build(&unit->ranges);
}

static int add_unit(struct dwarf *dwarf, Dwarf_Die *cu, bool is_skeleton)
{
	bool any;

	if (dwarf->nr_units >= UINT32_MAX)
		return 0;
	if (!array_grow(dwarf->units, dwarf->room, dwarf->nr_units + 1))
		return -1;
	dwarf->units[dwarf->nr_units] =
		(struct dwarf_unit){.die = dwarf_dieoffset(cu), .is_skeleton = is_skeleton};
	return dwarf_entry_ranges(&dwarf->data, cu, &dwarf->ranges, (uint32_t)dwarf->nr_units++,
				  &any);
}

/* Units that do not say which addresses they cover: their functions say it, all read at once. */
static int take_ranges_of_functions(struct dwarf *dwarf)
{
	for (size_t i = 0; i < dwarf->nr_units; i++) {
		struct dwarf_unit *unit = &dwarf->units[i];

		if (read_functions(dwarf, unit) < 0)
			return -1;
		for (size_t k = 0; k < unit->ranges.nr; k++)
			if (ranges_add(&dwarf->ranges, unit->ranges.list[k].start,
				       unit->ranges.list[k].end, (uint32_t)i) < 0)
				return -1;
	}
	return 0;
}

static int read_units(struct dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die;

	/* No place for the split unit is passed, so that libdw opens no other file. */
	while (dwarf_get_units(dwarf->data.dw, cu, &cu, &version, &type, &die, NULL) == 0) {
		if (type == DW_UT_type && version < 5)
			break; /* .debug_types comes last and counts its offsets anew */
		if (die.addr && add_unit(dwarf, &die, type == DW_UT_skeleton) < 0)
			return -1;
	}
	if (dwarf->ranges.nr == 0 && take_ranges_of_functions(dwarf) < 0)
		return -1;
	return ranges_build(&dwarf->ranges);
}

struct dwarf *dwarf_open(const struct dwarf_files *files, struct intern *strings,
			 bool wants_inlined, bool *nomem)
{
	struct dwarf *dwarf = calloc(1, sizeof(*dwarf));

	*nomem = !dwarf;
	if (!dwarf)
		return NULL;
	if (dwarf_data_open(&dwarf->data, files, strings, wants_inlined)) {
		if (read_units(dwarf) == 0)
			return dwarf;
		*nomem = true;
	}
	dwarf_close(dwarf);
	return NULL;
}

static struct dwarf_unit *unit_at(struct dwarf *dwarf, uint64_t address)
{
	const struct range *range = ranges_find(&dwarf->ranges, address, &dwarf->cursor);

	return range ? &dwarf->units[range->item] : NULL;
}

int dwarf_find(struct dwarf *dwarf, uint64_t address, const struct dwarf_function **function)
{
	struct dwarf_unit *unit = unit_at(dwarf, address);
	const struct range *range;
	struct unit_function *found;

	*function = NULL;
	if (!unit)
		return 0;
	if (read_functions(dwarf, unit) < 0)
		return -1;
	range = ranges_find(&unit->ranges, address, &unit->cursor);
	if (!range)
		return 0;
	found = &unit->functions[range->item];
	if (!found->resolved && dwarf_entry_function(&dwarf->data, found->die, &found->answer) < 0)
		return -1;
	found->resolved = true;
	found->answer.start = range->start;
	*function = &found->answer;
	return 0;
}

int dwarf_find_inlined(struct dwarf *dwarf, uint64_t address, const struct dwarf_function *function,
		       const struct dwarf_function *chain[DWARF_MAX_INLINED], size_t *nr)
{
	struct dwarf_unit *unit = unit_at(dwarf, address);
	uint32_t number = unit ? inlines_find(&unit->inlines, address) : INLINE_NONE;

	*nr = 0;
	for (; number != INLINE_NONE && *nr < DWARF_MAX_INLINED; (*nr)++) {
		struct inlined *inlined = &unit->inlines.list[number];

		if (&unit->functions[inlined->function].answer != function)
			break; /* damage: it says that it is in two functions */
		if (!inlined->answer) {
			inlined->answer = calloc(1, sizeof(*inlined->answer));
			if (!inlined->answer ||
			    dwarf_entry_function(&dwarf->data, inlined->die, inlined->answer) < 0)
				return -1;
		}
		chain[*nr] = inlined->answer;
		number = inlined->caller;
	}
	return 0;
}

int dwarf_find_line(struct dwarf *dwarf, uint64_t address, struct source_line *line, bool *found)
{
	struct dwarf_unit *unit = unit_at(dwarf, address);

	*found = false;
	if (!unit)
		return 0;
	if (dwarf_unit_read_source(&dwarf->data, unit) < 0)
		return -1;
	if (!unit->source)
		return 0;
	return unit_source_line(&dwarf->data.sources, unit->source, address, line, found);
}

void dwarf_close(struct dwarf *dwarf)
{
	if (!dwarf)
		return;
	for (size_t i = 0; i < dwarf->nr_units; i++)
		dwarf_unit_free(&dwarf->units[i]);
	free(dwarf->units);
	ranges_free(&dwarf->ranges);
	dwarf_data_close(&dwarf->data);
	free(dwarf);
}
