/*
 * The path of an unwound stack, or of all of a chain. One stack after another has most of its
 * callers in common, so the frames that two have in common, from the outermost on, are not looked
 * up again.
 */
#ifndef READPERF_DECODE_STACK_WALKEDPATH_H
#define READPERF_DECODE_STACK_WALKEDPATH_H

#include "decode/stack/callpath.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The path that was walked last: its frames, outermost first. All zero is empty. */
struct walked_path {
	enum chain_end end;
	uint32_t *addresses;
	struct callpath_ref *paths; /* to each frame */
	size_t nr, addresses_room, paths_room;
};

/**
 * Returns the path in @paths to the @nr @addresses, innermost first, of a chain with this @end. Its
 * number is CALLPATH_NONE if memory is out.
 */
struct callpath_ref walked_path_to(struct walked_path *known, struct callpath_table *paths,
				   enum chain_end end, const uint32_t *addresses, size_t nr);

/** Call it when the table of paths was replaced. */
void walked_path_forget(struct walked_path *known);

void walked_path_free(struct walked_path *known);

#endif
