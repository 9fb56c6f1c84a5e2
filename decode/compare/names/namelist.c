#include "decode/compare/names/namelist.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>

uint32_t namelist_intern(struct intern *strings, const char *name,
			 void (*name_of)(char *to, const char *name))
{
	char *common = malloc(strlen(name) + 1);
	uint32_t number = INTERN_NOMEM;

	if (common) {
		name_of(common, name);
		number = intern_string(strings, common);
	}
	free(common);
	return number;
}

bool namelist_has(struct namelist *list, uint32_t exact, unsigned sides)
{
	if (exact >= list->nr_places || !list->places[exact])
		return false;
	list->names[list->places[exact] - 1].sides |= sides;
	return true;
}

bool namelist_add(struct namelist *list, uint32_t exact, uint32_t common, unsigned sides)
{
	if (!array_grow(list->names, list->room, list->nr + 1) ||
	    !array_grow(list->places, list->places_room, (size_t)exact + 1))
		return false;
	if (exact >= list->nr_places) {
		memset(list->places + list->nr_places, 0,
		       (exact + 1 - list->nr_places) * sizeof(*list->places));
		list->nr_places = (size_t)exact + 1;
	}
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): array_grow() made room */
	list->names[list->nr++] = (struct paired_name){exact, common, sides, exact};
	list->places[exact] = (uint32_t)list->nr;
	return true;
}

/* Names that both sides have come last; the others are sorted by their common form. */
static int compare_names(const void *a, const void *b)
{
	const struct paired_name *x = a, *y = b;

	if ((x->sides == SIDE_BOTH) != (y->sides == SIDE_BOTH))
		return x->sides == SIDE_BOTH ? 1 : -1;
	if (x->common != y->common)
		return x->common < y->common ? -1 : 1;
	return x->exact < y->exact ? -1 : x->exact > y->exact;
}

/* Puts the names from @first on with the common form of @first into one class. Returns how many. */
static size_t make_class(struct paired_name *first, size_t nr, unsigned *sides)
{
	size_t i;

	*sides = 0;
	for (i = 0; i < nr && first[i].sides != SIDE_BOTH && first[i].common == first->common;
	     i++) {
		first[i].class = first->exact;
		*sides |= first[i].sides;
	}
	return i;
}

/* Joins the classes that only one side has, if both sides have such classes. */
static void join_rest(struct paired_name *names, size_t nr)
{
	const struct paired_name *rest = NULL;
	unsigned sides, all = 0;

	for (size_t i = 0; i < nr && names[i].sides != SIDE_BOTH;) {
		size_t size = make_class(&names[i], nr - i, &sides);

		all |= sides == SIDE_BOTH ? 0 : sides;
		i += size;
	}
	for (size_t i = 0; all == SIDE_BOTH && i < nr && names[i].sides != SIDE_BOTH;) {
		size_t size = make_class(&names[i], nr - i, &sides);

		if (sides != SIDE_BOTH) {
			rest = rest ? rest : &names[i];
			for (size_t k = i; k < i + size; k++)
				names[k].class = rest->exact;
		}
		i += size;
	}
}

static void pair(struct paired_name *names, size_t nr, bool join)
{
	unsigned sides;
	size_t i = 0;

	if (nr > 1)
		qsort(names, nr, sizeof(*names), compare_names);
	while (i < nr && names[i].sides != SIDE_BOTH)
		i += make_class(&names[i], nr - i, &sides);
	for (; i < nr; i++)
		names[i].class = names[i].exact;
	if (join)
		join_rest(names, nr);
}

void namelist_pair(struct namelist *list, bool join)
{
	pair(list->names, list->nr, join);
	for (size_t i = 0; i < list->nr; i++)
		list->places[list->names[i].exact] = (uint32_t)i + 1;
}

void namelist_clear(struct namelist *list)
{
	for (size_t i = 0; i < list->nr; i++)
		list->places[list->names[i].exact] = 0;
	list->nr = 0;
}

void namelist_free(struct namelist *list)
{
	free(list->names);
	free(list->places);
	*list = (struct namelist){0};
}
