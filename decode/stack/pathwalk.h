/*
 * A table of call paths in the order of a walk through its trees: each path before those that
 * extend it, with none between that does not. What was counted on a path is added to all that it
 * extends.
 */
#ifndef READPERF_DECODE_STACK_PATHWALK_H
#define READPERF_DECODE_STACK_PATHWALK_H

#include "decode/count/addressrows.h"
#include "decode/stack/callpath.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A path in the order. */
struct path_step {
	uint32_t path, depth; /* its number, and how many paths are on the way to it, with it */
};

/** All zero is empty. */
struct path_walk {
	struct callpath *paths; /* owned; `here` has what was counted on all that extend it, too */
	size_t nr;
	struct path_step *steps; /* nr */
	uint32_t deepest;
};

/** A path that is entered or left. */
struct path_visit {
	uint32_t number, caller;   /* of the path, and of the path of its caller */
	const struct tally *total; /* what was counted on it and on all paths that extend it */
	/* functions at its address; their callers are those of @caller */
	struct row_list functions;
	enum chain_end end; /* why the outermost path has no caller */
	/* it is entered only because the first of the steps that are visited extends it; not set
	 * when it is left */
	bool is_context;
};

/** Callbacks for a traversal; callers are entered before their callees. */
struct path_visitor {
	void (*enter)(void *arg, const struct path_visit *visit);
	/* Called when all paths that extend it were left. */
	void (*leave)(void *arg, const struct path_visit *visit);
	void *arg;
};

/**
 * Puts the @nr @paths, which are the walk's from now on, in order. Returns false if memory is out:
 * then it is empty, and they are freed.
 */
bool path_walk_make(struct path_walk *walk, struct callpath *paths, size_t nr);

/**
 * Enters and leaves the paths of the steps [@from, @to); @rows has the functions of their
 * addresses. Before them come those that the first one extends. The depth is not limited. Threads
 * may visit a walk at once. Returns false, with nothing entered, if memory is out.
 */
bool path_walk_visit(const struct path_walk *walk, size_t from, size_t to,
		     const struct address_rows *rows, const struct path_visitor *visitor);

void path_walk_free(struct path_walk *walk);

#endif
