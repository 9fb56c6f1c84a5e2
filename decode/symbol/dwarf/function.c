#include "decode/symbol/dwarf/function.h"

#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/dwarf/value.h"

#include <dwarf.h>
#include <stdbool.h>

enum { MAX_REFERENCES = 16 }; /* that are followed from a function to its declaration */

/*
 * Moves *@die from an instance of a function to its abstract origin, or from there to its
 * declaration. Returns false if there is none.
 */
static bool follow(struct die *die)
{
	struct form_value value = die_value(die, DW_AT_abstract_origin);

	if (!value.form)
		value = die_value(die, DW_AT_specification);
	return value_reference(die->unit, value, die);
}

/*
 * Returns the value of @name of *@die or of an entry it refers to; *@die becomes the entry that has
 * it.
 */
static struct form_value find_value(struct die *die, unsigned name)
{
	struct form_value value = die_value(die, name);

	for (int i = 1; i < MAX_REFERENCES && !value.form && follow(die); i++)
		value = die_value(die, name);
	return value;
}

static bool is_cplusplus(struct unit *unit)
{
	struct die first;

	if (!die_first(unit, &first))
		return false;
	switch (die_value(&first, DW_AT_language).number) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case 0x2b: /* C++17 and C++20, for which not every dwarf.h has names */
	case 0x2c:
		return true;
	default:
		return false;
	}
}

/* Returns the name of @die, "" if it has none; NULL if memory is out. */
static const char *name_of(struct debug_data *data, const struct die *die)
{
	static const unsigned names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
	const char *name = NULL;
	struct die owner = *die;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]) && !name; i++) {
		owner = *die;
		name = value_string(owner.unit, find_value(&owner, names[i]));
	}
	if (name && names[i - 1] == DW_AT_name && is_cplusplus(owner.unit))
		return scoped_names_get(&data->scoped, &owner, name, data->strings);
	return intern_keep(data->strings, name ? name : "");
}

/*
 * Returns the entry that gives the source position of @die. For a lambda's operator() gcc gives it
 * only in the lambda's class, the type that the object pointer's type leads to.
 */
static struct die declared_at(const struct die *die)
{
	struct die owner = *die, class = *die;
	struct form_value value;

	if (find_value(&owner, DW_AT_decl_line).form)
		return *die;
	value = find_value(&class, DW_AT_object_pointer);
	for (int i = 0; i < MAX_REFERENCES && value_reference(class.unit, value, &class); i++) {
		value = die_value(&class, DW_AT_type);
		if (!value.form)
			return class;
	}
	return *die;
}

/* A file number is an index of the file table of the unit whose entry has it. */
static int resolve_file(struct debug_data *data, const struct die *die, struct debug_function *out)
{
	struct die owner = *die;
	const struct form_value number = find_value(&owner, DW_AT_decl_file);
	struct unit_sources *sources;
	struct unit_source *source;

	if (!number.form)
		return 0;
	if (debug_data_source(data, owner.unit, &sources, &source) < 0)
		return -1;
	return source ? unit_source_path(sources, source, number.number, &out->filename) : 0;
}

static uint32_t line_of(struct form_value value)
{
	return value.number <= UINT32_MAX ? (uint32_t)value.number : 0;
}

int function_describe(struct debug_data *data, struct unit *unit, uint64_t place,
		      struct debug_function *out)
{
	struct die die, declaration, owner;

	*out = (struct debug_function){.name = "", .filename = ""};
	if (die_at(unit, place, &die)) {
		out->name = name_of(data, &die);
		declaration = owner = declared_at(&die);
		out->line = line_of(find_value(&owner, DW_AT_decl_line));
		out->call_line = line_of(die_value(&die, DW_AT_call_line));
		if (!out->name || resolve_file(data, &declaration, out) < 0)
			return -1;
	}
	return unit->set->nomem || debug_data_lacks_memory(data) ? -1 : 0;
}
