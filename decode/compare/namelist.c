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

bool namelist_add(struct namelist *list, uint32_t exact, uint32_t common, unsigned sides)
{
	struct paired_name *last = list->nr ? &list->names[list->nr - 1] : NULL;

	if (last && last->exact == exact) {
		last->sides |= sides;
		return true;
	}
	if (!array_grow(list->names, list->room, list->nr + 1))
		return false;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): room is not 0 */
	list->names[list->nr++] = (struct paired_name){exact, common, sides, exact};
	return true;
}

static int compare_exact(const void *a, const void *b)
{
	const struct paired_name *x = a, *y = b;

	return x->exact < y->exact ? -1 : x->exact > y->exact;
}

/* Makes one element of all those of a name. */
static void merge(struct namelist *list)
{
	size_t nr = 0;

	if (list->nr > 1)
		qsort(list->names, list->nr, sizeof(*list->names), compare_exact);
	for (size_t i = 0; i < list->nr; i++) {
		if (nr > 0 && list->names[nr - 1].exact == list->names[i].exact)
			list->names[nr - 1].sides |= list->names[i].sides;
		else
			list->names[nr++] = list->names[i];
	}
	list->nr = nr;
}

void namelist_pair(struct namelist *list, bool join, uint32_t *class_of)
{
	merge(list);
	pairing_make(list->names, list->nr, join);
	for (size_t i = 0; i < list->nr; i++)
		class_of[list->names[i].exact] = list->names[i].class;
}

void namelist_free(struct namelist *list)
{
	free(list->names);
	*list = (struct namelist){0};
}
