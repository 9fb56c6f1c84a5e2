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
	       known->frames[common].address == part->addresses[part->nr - 1 - common])
		common++;
	return common;
}

uint32_t user_path_walk(struct user_path *known, struct callpath_table *paths,
			const struct user_part *part, bool is_sampled)
{
	const size_t nr = part->nr - (is_sampled && part->nr > 0);
	size_t at = count_common(known, part, nr);
	uint32_t path = at ? known->frames[at - 1].path : (uint32_t)part->end;

	if (!array_grow(known->frames, known->room, nr))
		return CALLPATH_NONE;
	/* What lies behind a shorter one is still its continuation. */
	if (at < nr || known->end != part->end)
		known->nr = at;
	known->end = part->end;
	for (; at < nr; at++) {
		const uint32_t address = part->addresses[part->nr - 1 - at];

		path = callpath_get(paths, path, address);
		if (path == CALLPATH_NONE)
			return CALLPATH_NONE;
		known->frames[at] = (struct user_path_frame){address, path};
		known->nr = at + 1;
	}
	return path;
}

void user_path_forget(struct user_path *known)
{
	known->nr = 0;
}

void user_path_free(struct user_path *known)
{
	free(known->frames);
	*known = (struct user_path){0};
}
