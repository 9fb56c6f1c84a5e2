#include "decode/stack/walkedpath.h"

#include "util/array.h"

#include <stdlib.h>

/* How many frames the path before has in common with the @nr @addresses of a chain with @end. */
static size_t count_common(const struct walked_path *known, enum chain_end end,
			   const uint32_t *addresses, size_t nr)
{
	size_t common = 0;

	if (known->end != end)
		return 0;
	while (common < nr && common < known->nr &&
	       known->addresses[common] == addresses[nr - 1 - common])
		common++;
	return common;
}

struct callpath_ref walked_path_to(struct walked_path *known, struct callpath_table *paths,
				   enum chain_end end, const uint32_t *addresses, size_t nr)
{
	const size_t common = count_common(known, end, addresses, nr);
	const struct callpath_ref root = callpath_root(end);

	/* What lies behind a shorter one is still its continuation. */
	if (common < nr || known->end != end)
		known->nr = common;
	known->end = end;
	if (nr == common)
		return nr ? known->paths[nr - 1] : root;
	if (!array_grow(known->addresses, known->addresses_room, nr) ||
	    !array_grow(known->paths, known->paths_room, nr))
		return callpath_none;
	for (size_t at = common; at < nr; at++)
		known->addresses[at] = addresses[nr - 1 - at];
	if (!callpath_get_all(paths, common ? known->paths[common - 1] : root,
			      &known->addresses[common], nr - common, &known->paths[common]))
		return callpath_none;
	known->nr = nr;
	return known->paths[nr - 1];
}

void walked_path_forget(struct walked_path *known)
{
	known->nr = 0;
}

void walked_path_free(struct walked_path *known)
{
	free(known->addresses);
	free(known->paths);
	*known = (struct walked_path){0};
}
