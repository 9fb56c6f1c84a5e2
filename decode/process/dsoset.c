#include "decode/process/dsoset.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>

bool dso_set_add(struct dso_set *set, const struct dso *dso)
{
	const size_t need = (size_t)dso->number + 1;

	if (need > set->nr) {
		if (!array_grow(set->has, set->room, need))
			return false;
		memset(&set->has[set->nr], 0, need - set->nr);
		set->nr = need;
	}
	set->has[dso->number] = true;
	return true;
}

void dso_set_free(struct dso_set *set)
{
	free(set->has);
	*set = (struct dso_set){0};
}
