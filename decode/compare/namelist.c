#include "decode/compare/namelist.h"

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
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): room is not 0 */
	list->names[list->nr++] = (struct paired_name){exact, common, sides, exact};
	list->places[exact] = (uint32_t)list->nr;
	return true;
}

void namelist_pair(struct namelist *list, bool join)
{
	pairing_make(list->names, list->nr, join);
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
