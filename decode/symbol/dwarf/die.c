#include "decode/symbol/dwarf/die.h"

#include "util/leb.h"

#include <dwarf.h>

static struct die make(struct unit *unit, const struct abbrev *abbrev, struct span values)
{
	return (struct die){unit, abbrev_attributes(abbrev), values, abbrev->has_children};
}

bool die_at(struct unit *unit, uint64_t place, struct die *die)
{
	const struct abbrevs *abbrevs = unit_abbrevs(unit);
	struct span entries = unit_entries(unit);
	const struct abbrev *abbrev;
	uint64_t code;

	span_skip(&entries, place);
	code = span_uleb(&entries);
	abbrev = abbrevs && code && !entries.failed ? abbrevs_find(abbrevs, code) : NULL;
	if (!abbrev)
		return false;
	*die = make(unit, abbrev, entries);
	return true;
}

/* Keeps the last abbreviation read: the first entries of units often share it. */
bool die_first(struct unit *unit, struct die *die)
{
	struct unit_set *set = unit->set;
	struct span entries = unit_entries(unit), table = set->sections.abbrevs;
	const uint64_t code = span_uleb(&entries);

	if (unit->abbrevs)
		return die_at(unit, 0, die);
	if (!code || entries.failed)
		return false;
	if (set->first.code != code || set->first_at != unit->abbrevs_at) {
		span_skip(&table, unit->abbrevs_at);
		set->first_at = unit->abbrevs_at;
		if (!abbrev_read_one(&set->first, &table, code, &set->first_left))
			set->first.code = 0;
		unit_set_took_abbrevs(set, &table);
		if (!set->first.code)
			return false;
	}
	*die = make(unit, &set->first, entries);
	return true;
}

struct form_value die_value(const struct die *die, unsigned name)
{
	const struct form_context *sizes = &die->unit->sizes;
	struct span attributes = die->attributes, values = die->values;
	struct abbrev_attribute attribute;
	struct form_value value = {0};
	const struct form_value none = {0};

	while (abbrev_next(&attributes, &attribute) && !values.failed) {
		if (attribute.name == name) {
			value = form_read(&values, attribute.form, attribute.constant, sizes);
			break;
		}
		form_skip(&values, form_size(attribute.form, sizes));
	}
	return values.failed ? none : value;
}

static void skip_values(const struct abbrevs *abbrevs, const struct abbrev *abbrev,
			struct span *entries)
{
	for (uint32_t i = 0; i < abbrev->nr_parts; i++)
		form_skip(entries, abbrevs->parts[abbrev->first_part + i]);
}

/*
 * Moves @entries, which are behind the values of an entry that has_sibling, behind its children.
 * Returns false if its sibling is not after it in @unit.
 */
static bool skip_children(const struct unit *unit, struct span *entries)
{
	struct span offset = *entries, sibling = unit->bytes;

	if (entries->failed)
		return false;
	offset.pos -= sizeof(uint32_t);
	span_skip(&sibling, span_u32(&offset));
	if (sibling.failed || sibling.pos <= entries->pos)
		return false;
	*entries = sibling;
	return true;
}

int die_scan(struct unit *unit, bool *skipped,
	     int (*found)(void *arg, const struct die_entry *entry), void *arg)
{
	const struct abbrevs *abbrevs = unit_abbrevs(unit);
	struct span entries = unit_entries(unit);
	const uint8_t *start = entries.pos;
	uint32_t depth = 0, least_depth = 0;

	if (skipped)
		*skipped = false;
	if (!abbrevs)
		return -1;
	while (span_left(&entries) && !entries.failed) {
		const size_t place = (size_t)(entries.pos - start);
		const uint64_t code = span_uleb(&entries);
		const struct span values = entries;
		const uint32_t own_depth = depth;
		const struct abbrev *abbrev;

		if (code == 0) { /* the end of a list of children */
			depth -= depth > 0;
			least_depth = depth < least_depth ? depth : least_depth;
			continue;
		}
		abbrev = abbrevs_find(abbrevs, code);
		if (!abbrev)
			return 0;
		skip_values(abbrevs, abbrev, &entries);
		if (skipped && abbrev->may_be_skipped && skip_children(unit, &entries))
			*skipped = true;
		else
			depth += abbrev->has_children && depth < UINT32_MAX;
		if (abbrev->kind == ABBREV_OTHER || entries.failed)
			continue;
		if (found(arg, &(struct die_entry){.die = make(unit, abbrev, values),
						   .kind = abbrev->kind,
						   .place = place,
						   .depth = own_depth,
						   .least_depth = least_depth}) < 0)
			return -1;
		least_depth = depth;
	}
	return 0;
}

/* ---- scopes ---------------------------------------------------------------------------------- */

static bool is_nameless_class(const struct die_scope *scope)
{
	const bool is_class = scope->tag == DW_TAG_structure_type ||
			      scope->tag == DW_TAG_class_type || scope->tag == DW_TAG_union_type;

	return is_class && !die_value(&scope->die, DW_AT_name).form;
}

/* Numbers @scope, which is in the last of @scopes, if it is a class without a name. */
static void number_nameless(struct die_scope *scope, struct die_scope *scopes, size_t nr)
{
	if (!is_nameless_class(scope))
		return;
	while (nr > 1 && scopes[nr - 1].tag == DW_TAG_lexical_block)
		nr--;
	if (nr > 0)
		scope->number = ++scopes[nr - 1].nr_nameless;
}

/*
 * Moves @entries, which are behind the values of an entry with @abbrev, behind its children if
 * these end before @place. Blocks are walked through: classes in them are numbered.
 */
static bool skip_unless_around(const struct unit *unit, const struct abbrev *abbrev,
			       const uint8_t *place, struct span *entries)
{
	struct span next = *entries;

	if (!abbrev->has_sibling || abbrev->tag == DW_TAG_lexical_block ||
	    !skip_children(unit, &next) || next.pos > place)
		return false;
	*entries = next;
	return true;
}

size_t die_scopes(const struct die *die, struct die_scope *scopes, size_t max, uint64_t *entries)
{
	const struct abbrevs *abbrevs = unit_abbrevs(die->unit);
	struct span rest = unit_entries(die->unit);
	size_t nr = 0;

	for (; abbrevs && !rest.failed && rest.pos < die->values.pos; ++*entries) {
		const uint64_t code = span_uleb(&rest);
		const struct abbrev *abbrev = code ? abbrevs_find(abbrevs, code) : NULL;
		struct die_scope scope;

		if (code == 0) {
			nr -= nr > 0;
			continue;
		}
		if (rest.pos == die->values.pos)
			return nr;
		if (!abbrev)
			return 0;
		scope = (struct die_scope){.die = make(die->unit, abbrev, rest),
					   .tag = abbrev->tag};
		number_nameless(&scope, scopes, nr);
		skip_values(abbrevs, abbrev, &rest);
		if (!abbrev->has_children ||
		    skip_unless_around(die->unit, abbrev, die->values.pos, &rest))
			continue;
		if (nr == max)
			return 0;
		scopes[nr++] = scope;
	}
	return 0;
}
