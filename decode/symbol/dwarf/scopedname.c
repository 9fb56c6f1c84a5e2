#include "decode/symbol/dwarf/scopedname.h"

#include "decode/symbol/dwarf/value.h"
#include "util/array.h"
#include "util/hash.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_SCOPES = 32,
	MAX_FUNCTIONS = 8, /* one in the other */
	MAX_NAME = 4096,
	MAX_REFERENCES = 16, /* from a function to the entry with its name */
	/* Entries that are read for the names of a file: damage may have each name cost a unit. */
	MAX_ENTRIES = 1 << 26,
};

struct name_text {
	char text[MAX_NAME];
	size_t len;
	bool is_cut;
};

static void put(struct name_text *out, const char *name, const char *end)
{
	const size_t room = sizeof(out->text) - out->len;
	const int len = snprintf(out->text + out->len, room, "%s%s", name, end);

	out->is_cut |= len < 0 || (size_t)len >= room;
	out->len += out->is_cut ? 0 : (size_t)len;
}

/* Moves *@die to the entry that has the name of the function *@die. NULL if it has none. */
static const char *find_name(struct die *die)
{
	struct form_value value = die_value(die, DW_AT_name);

	for (int i = 0; i < MAX_REFERENCES && !value.form; i++) {
		struct form_value origin = die_value(die, DW_AT_abstract_origin);

		if (!origin.form)
			origin = die_value(die, DW_AT_specification);
		if (!value_reference(die->unit, origin, die))
			return NULL;
		value = die_value(die, DW_AT_name);
	}
	return value_string(die->unit, value);
}

/* @inner is the name of what is in the scope. */
static void put_nameless_class(struct name_text *out, uint32_t number, const char *inner)
{
	const char *what = strncmp(inner, "operator()", 10) == 0 ? "lambda" : "unnamed type";
	char name[64];

	snprintf(name, sizeof(name), "{%s#%u}", what, (unsigned)number);
	put(out, name, "::");
}

static void put_scope(struct name_text *out, const struct die_scope *scope, const char *inner)
{
	const char *name = value_string(scope->die.unit, die_value(&scope->die, DW_AT_name));

	switch (scope->tag) {
	case DW_TAG_namespace:
		put(out, name ? name : "(anonymous namespace)", "::");
		break;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		if (scope->number)
			put_nameless_class(out, scope->number, inner);
		else if (name)
			put(out, name, "::");
		break;
	}
}

static void put_scopes(struct name_text *out, struct scoped_names *names, const struct die *die,
		       const char *inner, unsigned functions);

/* Puts the function @die as a scope, with the scopes that its declaration is in. */
static void put_function(struct name_text *out, struct scoped_names *names, struct die die,
			 unsigned functions)
{
	const char *name = find_name(&die);

	if (!name)
		return;
	put_scopes(out, names, &die, name, functions);
	put(out, name, "()::");
}

/* The name of the scope at @i + 1, or @inner. */
static const char *inner_name(const struct die_scope *scopes, size_t nr, size_t i,
			      const char *inner)
{
	const struct die_scope *next = &scopes[i + 1];

	if (i + 1 == nr)
		return inner;
	inner = value_string(next->die.unit, die_value(&next->die, DW_AT_name));
	return inner ? inner : "";
}

static void put_scopes(struct name_text *out, struct scoped_names *names, const struct die *die,
		       const char *inner, unsigned functions)
{
	struct die_scope scopes[MAX_SCOPES];
	const size_t nr = die_scopes(die, scopes, MAX_SCOPES, &names->entries);
	size_t first = nr;

	while (first > 0 && scopes[first - 1].tag != DW_TAG_subprogram)
		first--;
	if (first > 0 && functions < MAX_FUNCTIONS)
		put_function(out, names, scopes[first - 1].die, functions + 1);
	for (size_t i = first; i < nr; i++)
		put_scope(out, &scopes[i], inner_name(scopes, nr, i, inner));
}

/* -1 if memory is out. */
static int keep(struct scoped_names *names, const struct die *die, const char *name, uint64_t hash)
{
	const size_t nr = names->by_entry.nr;

	if (!name || !array_grow(names->list, names->room, nr + 1))
		return -1;
	names->list[nr] = (struct scoped_name){die->values.pos, name};
	return index_add(&names->by_entry, hash) ? 0 : -1;
}

const char *scoped_names_get(struct scoped_names *names, const struct die *die, const char *name,
			     struct intern *strings)
{
	const uint64_t hash = hash_u64((uint64_t)(uintptr_t)die->values.pos);
	struct name_text full = {.len = 0};
	const char *kept;
	uint32_t number;

	for (size_t at = index_first(&names->by_entry, hash);
	     index_next(&names->by_entry, hash, &at, &number);)
		if (names->list[number].entry == die->values.pos)
			return names->list[number].name;
	if (names->entries < MAX_ENTRIES)
		put_scopes(&full, names, die, name, 0);
	put(&full, name, "");
	kept = intern_keep(strings, full.is_cut ? name : full.text);
	return keep(names, die, kept, hash) < 0 ? NULL : kept;
}

void scoped_names_free(struct scoped_names *names)
{
	free(names->list);
	index_free(&names->by_entry);
}
