#include "decode/stack/userpath.h"

#include "util/array.h"

#include <stdlib.h>

/* How many frames the path before has in common with @part, of which @nr are walked. */
static size_t count_common(const struct user_path *known, const struct user_part *part, size_t nr)
{
	size_t common = 0;

	if (known->end != part->end)
		return 0;
	while (common < nr && common < known->nr &&
	       known->addresses[common] == part->addresses[part->nr - 1 - common])
		common++;
	return common;
}

struct callpath_ref user_path_walk(struct user_path *known, struct callpath_table *paths,
				   const struct user_part *part, bool is_sampled)
{
	const size_t nr = part->nr - (is_sampled && part->nr > 0);
	const size_t common = count_common(known, part, nr);
	const struct callpath_ref root = callpath_root(part->end);

	/* What lies behind a shorter one is still its continuation. */
	if (common < nr || known->end != part->end)
		known->nr = common;
	known->end = part->end;
	if (nr == common)
		return nr ? known->paths[nr - 1] : root;
	if (!array_grow(known->addresses, known->addresses_room, nr) ||
	    !array_grow(known->paths, known->paths_room, nr))
		return callpath_none;
	for (size_t at = common; at < nr; at++)
		known->addresses[at] = part->addresses[part->nr - 1 - at];
	if (!callpath_get_all(paths, common ? known->paths[common - 1] : root,
			      &known->addresses[common], nr - common, &known->paths[common]))
		return callpath_none;
	known->nr = nr;
	return known->paths[nr - 1];
}

void user_path_forget(struct user_path *known)
{
	known->nr = 0;
}

void user_path_free(struct user_path *known)
{
	free(known->addresses);
	free(known->paths);
	*known = (struct user_path){0};
}
