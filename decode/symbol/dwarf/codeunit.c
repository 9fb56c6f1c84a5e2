#include "decode/symbol/dwarf/codeunit.h"

#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/dwarf/extent.h"
#include "decode/symbol/dwarf/function.h"
#include "util/array.h"

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

int code_unit_scan(struct debug_data *data, struct code_unit *code, struct unit *unit)
{
	struct code_scan scan = {data, code};

	return die_scan(unit, add_entry, &scan);
}

int code_unit_resolve(struct debug_data *data, struct code_unit *code, struct unit *unit,
		      size_t number)
{
	struct code_function *function = &code->functions[number];

	if (function->resolved)
		return 0;
	function->resolved = true;
	return function_describe(data, unit, function->place, &function->answer);
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
}
