#include "decode/symbol/dwarf/value.h"

#include "decode/symbol/elf/strtab.h"

#include <dwarf.h>

bool value_element(struct span array, uint64_t base, unsigned size, uint64_t *number)
{
	span_skip(&array, base);
	if ((size != 4 && size != 8) || !span_holds(&array, *number, size))
		return false;
	span_skip(&array, *number * size);
	*number = form_take(&array, size);
	return !array.failed;
}

/* ---- bases ----------------------------------------------------------------------------------- */

/* Returns the number in attribute @name, or @otherwise if there is none. */
static uint64_t number_or(const struct die *die, unsigned name, uint64_t otherwise)
{
	const struct form_value value = die_value(die, name);

	return value.form ? value.number : otherwise;
}

/*
 * The bases of a unit without attributes for them: the start of the section before version 5, the
 * end of its first header since. Compilers write only one header in a split unit.
 */
static struct unit_bases default_bases(const struct unit *unit)
{
	const bool is_64bit = unit->sizes.offset == 8;
	struct unit_bases bases = {0};

	if (unit->sizes.version >= 5) {
		bases.str_offsets = is_64bit ? 16 : 8;
		bases.rnglists = is_64bit ? 20 : 12;
	}
	return bases;
}

static void read_bases(struct unit *unit, const struct die *first)
{
	struct unit_bases *bases = &unit->bases;

	bases->str_offsets = number_or(first, DW_AT_str_offsets_base, bases->str_offsets);
	bases->rnglists = number_or(first, DW_AT_rnglists_base, bases->rnglists);
	bases->addresses = number_or(first, DW_AT_GNU_addr_base, bases->addresses);
	bases->addresses = number_or(first, DW_AT_addr_base, bases->addresses);
	/* Some versions of gcc write DW_AT_entry_pc instead (DWARF 3, draft 4). */
	if (!value_address(unit, die_value(first, DW_AT_low_pc), &bases->low_pc))
		value_address(unit, die_value(first, DW_AT_entry_pc), &bases->low_pc);
}

const struct unit_bases *value_bases(struct unit *unit)
{
	struct die first;

	if (unit->has_bases)
		return &unit->bases;
	unit->has_bases = true; /* set first: DW_AT_low_pc may itself need a base */
	unit->bases = default_bases(unit);
	if (die_first(unit, &first))
		read_bases(unit, &first);
	return &unit->bases;
}

/* ---- values ---------------------------------------------------------------------------------- */

const char *value_string(struct unit *unit, struct form_value value)
{
	const struct debug_sections *sections = &unit->set->sections;

	switch (value.form) {
	case DW_FORM_string:
		return value.text;
	case DW_FORM_strp:
		return strtab_at(&sections->str, value.number);
	case DW_FORM_line_strp:
		return strtab_at(&sections->line_str, value.number);
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_strp_sup:
		if (!unit->set->alternate)
			return NULL;
		return strtab_at(&unit->set->alternate->sections.str, value.number);
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		if (!value_element(sections->str_offsets, value_bases(unit)->str_offsets,
				   unit->sizes.offset, &value.number))
			return NULL;
		return strtab_at(&sections->str, value.number);
	default:
		return NULL;
	}
}

uint64_t value_address_at(struct unit *unit, uint64_t number)
{
	if (!value_element(unit->set->sections.addresses, value_bases(unit)->addresses,
			   unit->sizes.address, &number))
		return 0;
	return number;
}

bool value_address(struct unit *unit, struct form_value value, uint64_t *address)
{
	switch (value.form) {
	case DW_FORM_addr:
		*address = value.number;
		return unit->sizes.address == 4 || unit->sizes.address == 8;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		*address = value_address_at(unit, value.number);
		return true;
	default:
		return false;
	}
}

/* Reads the entry at @offset from the header of @unit. */
static bool entry_at(struct unit *unit, uint64_t offset, struct die *die)
{
	return unit && offset >= unit->header_len && die_at(unit, offset - unit->header_len, die);
}

/* Reads the entry at @offset of .debug_info. */
static bool entry_of_section(struct unit_set *set, uint64_t offset, struct die *die)
{
	struct unit *unit = set ? unit_set_at(set, offset) : NULL;

	return unit && entry_at(unit, offset - unit->offset, die);
}

bool value_reference(struct unit *unit, struct form_value value, struct die *die)
{
	struct unit *type;

	switch (value.form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		return entry_at(unit, value.number, die);
	case DW_FORM_ref_addr:
		return entry_of_section(unit->set, value.number, die);
	case DW_FORM_ref_sig8:
		type = unit_set_type(unit->set, value.number);
		return type && entry_at(type, type->type_at, die);
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
		return entry_of_section(unit->set->alternate, value.number, die);
	default:
		return false;
	}
}
