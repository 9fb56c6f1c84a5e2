#include "decode/symbol/dwarf/codeunit.h"

#include "decode/symbol/dwarf/assembled.h"
#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/dwarf/extent.h"
#include "decode/symbol/dwarf/function.h"
#include "decode/symbol/dwarf/path.h"
#include "decode/symbol/dwarf/value.h"
#include "util/array.h"

#include <dwarf.h>
#include <stdlib.h>

/* The argument of add_entry(). */
struct code_scan {
	struct debug_data *data;
	struct code_unit *code;
};

static int add_function(const struct code_scan *scan, const struct die_entry *entry)
{
	struct code_unit *code = scan->code;
	uint32_t number = (uint32_t)code->nr_functions;
	bool any;

	if (code->nr_functions >= INLINE_NONE)
		return 0;
	if (!array_grow(code->functions, code->room, code->nr_functions + 1))
		return -1;
	code->functions[number] = (struct code_function){.place = entry->place};
	if (extent_add(&entry->die, &code->ranges, number, &scan->data->ranges_left, &any) < 0)
		return -1;
	code->nr_functions += any;
	if (!scan->data->main.units.inlined)
		return 0;
	return inlines_enter_function(&code->inlines, entry, any ? number : INLINE_NONE);
}

static int add_inlined(const struct code_scan *scan, const struct die_entry *entry)
{
	struct inlines *inlines = &scan->code->inlines;
	uint32_t number;
	bool any;

	if (inlines_enter(inlines, entry, &number) < 0)
		return -1;
	if (number == INLINE_NONE)
		return 0;
	return extent_add(&entry->die, &inlines->ranges, number, &scan->data->ranges_left, &any);
}

static int add_entry(void *arg, const struct die_entry *entry)
{
	const struct code_scan *scan = arg;

	return entry->kind == ABBREV_FUNCTION ? add_function(scan, entry)
					      : add_inlined(scan, entry);
}

/* Before version 5, line headers do not tell the unit's own file. -1 if memory is out. */
static int find_old_file(struct debug_data *data, struct code_unit *code)
{
	struct unit *unit = code->unit;
	const char *name, *dir;
	struct die first;

	if (unit->sizes.version >= 5 || !die_first(unit, &first))
		return 0;
	name = value_string(unit, die_value(&first, DW_AT_name));
	if (!name || !assembled_is_from(name))
		return 0;
	dir = value_string(unit, die_value(&first, DW_AT_comp_dir));
	code->whole.filename = path_keep(data->strings, path_join(NULL, dir, name));
	return code->whole.filename ? 0 : -1;
}

/* Finds the file of @code if an assembler made it. -1 if memory is out. */
static int find_own_file(struct debug_data *data, struct code_unit *code)
{
	struct unit_sources *sources;
	struct unit_source *source;
	const char *path = NULL;

	if (debug_data_source(data, code->unit, &sources, &source) < 0 ||
	    (source && assembled_path(&source->files, data->strings, &path) < 0))
		return -1;
	if (!path)
		return find_old_file(data, code);
	code->whole.filename = path;
	return 0;
}

int code_unit_scan(struct debug_data *data, struct code_unit *code, struct unit *unit, bool outer)
{
	struct code_scan scan = {data, code};

	if (find_own_file(data, code) < 0)
		return -1;
	return die_scan(unit, outer ? &code->skipped : NULL, add_entry, &scan);
}

struct code_unit *code_unit_inner(struct code_unit *code)
{
	if (code->inner)
		return code->inner;
	code->inner = malloc(sizeof(*code->inner));
	if (code->inner)
		*code->inner = (struct code_unit){.unit = code->unit, .whole = code->whole};
	return code->inner;
}

int code_unit_resolve(struct debug_data *data, struct code_unit *code, struct unit *unit,
		      size_t number)
{
	struct code_function *function = &code->functions[number];

	if (function->resolved)
		return 0;
	function->resolved = true;
	if (function_describe(data, unit, function->place, &function->answer) < 0)
		return -1;
	if (code->whole.filename[0]) {
		function->answer.filename = code->whole.filename;
		function->answer.line = 0;
	}
	return 0;
}

int code_unit_resolve_inlined(struct debug_data *data, struct code_unit *code, struct unit *unit,
			      size_t number)
{
	struct inlined *inlined = &code->inlines.list[number];

	if (inlined->answer)
		return 0;
	inlined->answer = calloc(1, sizeof(*inlined->answer));
	if (!inlined->answer)
		return -1;
	return function_describe(data, unit, inlined->place, inlined->answer);
}

void code_unit_free(struct code_unit *code)
{
	free(code->functions);
	ranges_free(&code->ranges);
	inlines_free(&code->inlines);
	if (code->inner)
		code_unit_free(code->inner);
	free(code->inner);
}
