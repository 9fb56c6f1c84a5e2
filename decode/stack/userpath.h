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

/** A frame and the path to it. */
struct user_path_frame {
	uint32_t address, path;
};

/** The user part that was walked last, outermost frame first. All zero is empty. */
struct user_path {
	enum chain_end end;
	struct user_path_frame *frames;
	size_t nr, room;
};

/**
 * Returns the path in @paths of the frames of @part; without the innermost one if that is the
 * sample's own address (@is_sampled). CALLPATH_NONE if memory is out.
 */
uint32_t user_path_walk(struct user_path *known, struct callpath_table *paths,
			const struct user_part *part, bool is_sampled);

/** Call it when the table of paths was replaced. */
void user_path_forget(struct user_path *known);

void user_path_free(struct user_path *known);

#endif
