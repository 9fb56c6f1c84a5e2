#include "decode/symbol/dwarfentry.h"

#include <dwarf.h>
#include <string.h>

enum { MAX_REFERENCES = 16 }; /* from a function to its declaration, that are followed */

int dwarf_entry_ranges(struct dwarf_data *data, Dwarf_Die *die, struct ranges *ranges,
		       uint32_t item, bool *any)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	*any = false;
	while (data->ranges_left && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		data->ranges_left--;
		/* The linker puts functions that it has thrown away at 0. */
		if (start == 0 || end <= start)
			continue;
		if (ranges_add(ranges, start, end, item) < 0)
			return -1;
		*any = true;
	}
	return 0;
}

/* True if the value of @attr is in another file that is not there. libdw would look for it. */
static bool is_elsewhere(const struct dwarf_data *data, Dwarf_Attribute *attr)
{
	switch (dwarf_whatform(attr)) {
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_strp_sup:
		return !data->alternate.dw || dwarf_cu_getdwarf(attr->cu) != data->dw;
	default:
		return false;
	}
}

/* Steps from an instance of a function to its abstract one, or from that to its declaration. */
static bool follow(const struct dwarf_data *data, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die next;

	if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) &&
	    !dwarf_attr(die, DW_AT_specification, &attr))
		return false;
	if (is_elsewhere(data, &attr) || !dwarf_formref_die(&attr, &next))
		return false;
	*die = next;
	return true;
}

/* Finds @name at the function at @die or what it refers to; *@owner gets the entry that has it. */
static bool find_attr(const struct dwarf_data *data, const Dwarf_Die *die, unsigned name,
		      Dwarf_Attribute *attr, Dwarf_Die *owner)
{
	*owner = *die;
	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (dwarf_attr(owner, name, attr))
			return !is_elsewhere(data, attr);
		if (!follow(data, owner))
			return false;
	}
	return false;
}

/* The string at @at among the entries, unless it goes on behind them: libdw would not look. */
static const char *string_in_place(const struct dwarf_data *data, const uint8_t *at)
{
	const struct span places[] = {data->info, data->types, data->alternate.info,
				      data->alternate.types};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (at >= places[i].pos && at < places[i].end)
			return memchr(at, 0, (size_t)(places[i].end - at)) ? (const char *)at
									   : NULL;
	return NULL;
}

const char *dwarf_entry_string(const struct dwarf_data *data, const Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Die owner;

	if (!find_attr(data, die, name, &attr, &owner))
		return NULL;
	if (dwarf_whatform(&attr) == DW_FORM_string)
		return string_in_place(data, attr.valp);
	return dwarf_formstring(&attr);
}

/*
 * Where @die is declared, that is, which entry says so. gcc does not say it of a lambda's
 * operator(), but of the lambda's class: it is the type that the object pointer's type leads to.
 */
static Dwarf_Die declared_at(const struct dwarf_data *data, const Dwarf_Die *die)
{
	Dwarf_Die owner, class = *die;
	Dwarf_Attribute attr;

	if (find_attr(data, die, DW_AT_decl_line, &attr, &owner) ||
	    !find_attr(data, die, DW_AT_object_pointer, &attr, &owner))
		return *die;
	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (is_elsewhere(data, &attr) || !dwarf_formref_die(&attr, &class))
			return *die;
		if (!dwarf_attr(&class, DW_AT_type, &attr))
			return class;
	}
	return *die;
}

int dwarf_entry_source(struct dwarf_data *data, const Dwarf_Die *cu, struct unit_sources *sources,
		       struct unit_source **source)
{
	Dwarf_Attribute attr;
	Dwarf_Word offset;
	Dwarf_Die die = *cu;

	*source = NULL;
	if (!dwarf_attr(&die, DW_AT_stmt_list, &attr) || dwarf_formudata(&attr, &offset) != 0)
		return 0;
	*source = unit_sources_get(sources, offset, dwarf_entry_string(data, cu, DW_AT_comp_dir));
	return *source ? 0 : -1;
}

/* The number of a file counts in the table of the unit whose entry says it. */
static int resolve_file(struct dwarf_data *data, const Dwarf_Die *die, struct dwarf_function *out)
{
	struct unit_sources *sources = &data->sources;
	struct unit_source *source;
	Dwarf_Attribute attr;
	Dwarf_Word number;
	Dwarf_Die owner, cu;

	if (!find_attr(data, die, DW_AT_decl_file, &attr, &owner) ||
	    dwarf_formudata(&attr, &number) != 0 || !dwarf_diecu(&owner, &cu, NULL, NULL))
		return 0;
	if (dwarf_cu_getdwarf(cu.cu) != data->dw)
		sources = &data->alternate.sources;
	if (dwarf_entry_source(data, &cu, sources, &source) < 0)
		return -1;
	return source ? unit_source_path(sources, source, number, &out->filename) : 0;
}

int dwarf_entry_function(struct dwarf_data *data, uint64_t offset, struct dwarf_function *out)
{
	Dwarf_Attribute attr;
	const char *name;
	Dwarf_Die die, owner;
	Dwarf_Word line;

	*out = (struct dwarf_function){.name = "", .filename = ""};
	if (!dwarf_offdie(data->dw, offset, &die))
		return 0;
	name = dwarf_entry_string(data, &die, DW_AT_linkage_name);
	if (!name)
		name = dwarf_entry_string(data, &die, DW_AT_MIPS_linkage_name);
	if (!name)
		name = dwarf_entry_string(data, &die, DW_AT_name);
	out->name = name ? intern_keep(data->strings, name) : "";
	if (!out->name)
		return -1;
	die = declared_at(data, &die);
	if (resolve_file(data, &die, out) < 0)
		return -1;
	if (find_attr(data, &die, DW_AT_decl_line, &attr, &owner) &&
	    dwarf_formudata(&attr, &line) == 0 && line <= UINT32_MAX)
		out->line = (uint32_t)line;
	return 0;
}
