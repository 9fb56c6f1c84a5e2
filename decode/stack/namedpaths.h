/*
 * Call paths that wait to be counted, by the numbers of their addresses: who finds the addresses
 * need not have the table of paths.
 */
#ifndef READPERF_DECODE_STACK_NAMEDPATHS_H
#define READPERF_DECODE_STACK_NAMEDPATHS_H

#include "decode/stack/chainend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zero is empty. */
struct named_paths {
	uint32_t *words; /* one path after the other */
	size_t nr, room;
	size_t open; /* where the path begins that addresses are added to */
};

/** A path, and the period of the sample on it. */
struct named_path {
	enum chain_end end;
	const uint32_t *addresses; /* innermost first: in the words, until some are added */
	size_t nr;
	uint64_t period;
};

/** Begins a path with this @end, of a sample of @period, at its own address @leaf. Returns false if
 * memory is out. */
bool named_paths_begin(struct named_paths *paths, enum chain_end end, uint64_t period,
		       uint32_t leaf);

/** Adds the @nr @addresses of callers, innermost first, to the path that was begun last. As
 * named_paths_begin(). */
bool named_paths_add(struct named_paths *paths, const uint32_t *addresses, size_t nr);

/** The same for addresses that have the outermost first. */
bool named_paths_add_reversed(struct named_paths *paths, const uint32_t *addresses, size_t nr);

/** Takes the path at *@at, 0 at first, which is moved behind it. Returns false if there is none. */
bool named_paths_next(const struct named_paths *paths, size_t *at, struct named_path *path);

/** Empties @paths, which keeps its memory for the next ones. */
static inline void named_paths_clear(struct named_paths *paths)
{
	paths->nr = 0;
}

void named_paths_free(struct named_paths *paths);

#endif
