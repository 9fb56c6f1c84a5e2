/*
 * The path of an unwound user part. One stack after another has most of its callers in common, so
 * the frames that two have in common, from the outermost on, are not looked up again.
 */
#ifndef READPERF_DECODE_STACK_USERPATH_H
#define READPERF_DECODE_STACK_USERPATH_H

#include "decode/stack/callpath.h"
#include "decode/stack/userpart.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The user part that was walked last: its frames, outermost first. All zero is empty. */
struct user_path {
	enum chain_end end;
	uint32_t *addresses;
	struct callpath_ref *paths; /* to each frame */
	size_t nr, addresses_room, paths_room;
};

/**
 * Returns the path in @paths of the frames of @part; without the innermost one if that is the
 * sample's own address (@is_sampled). Its number is CALLPATH_NONE if memory is out.
 */
struct callpath_ref user_path_walk(struct user_path *known, struct callpath_table *paths,
				   const struct user_part *part, bool is_sampled);

/** Call it when the table of paths was replaced. */
void user_path_forget(struct user_path *known);

void user_path_free(struct user_path *known);

#endif
