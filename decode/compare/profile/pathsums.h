/*
 * The call paths of runs: a tree whose frames are numbers, and what two sides counted on each path.
 *
 * A path that several runs have is stored once, so memory grows with distinct paths, not with runs.
 */
#ifndef READPERF_DECODE_COMPARE_PROFILE_PATHSUMS_H
#define READPERF_DECODE_COMPARE_PROFILE_PATHSUMS_H

#include "decode/compare/profile/profile.h"
#include "util/error.h"
#include "util/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Numbers below this are roots: 0 of whole paths, others of paths that were cut for one reason. */
enum { PATHSUMS_ROOTS = 32 };

/** A frame below the path @parent. */
struct pathsum {
	uint32_t parent;      /* a lower number than its own, or a root's */
	uint32_t key;	      /* what the frame is: the number of a row's key, or of a function */
	bool inlined;	      /* into the frame of @parent */
	struct tally self[2]; /* of the old and the new side */
};

/** All zero is empty. */
struct pathsums {
	struct pathsum *paths; /* path number PATHSUMS_ROOTS + i is paths[i] */
	size_t room;
	struct index index; /* of @paths; its nr is theirs */
	/* by root: why its paths were cut (path_stat.end); NULL: of whole paths, or unused */
	const char *words[PATHSUMS_ROOTS];
};

#define PATHSUMS_NOMEM UINT32_MAX

/**
 * The number of the path that continues @parent, which is made if it is new; PATHSUMS_NOMEM if
 * memory is out.
 */
uint32_t pathsums_get(struct pathsums *sums, uint32_t parent, uint32_t key, bool inlined);

/**
 * Adds the paths of a run of @side (0: old, 1: new), whose @results were asked for pathstat_paths.
 * The keys of the frames are those of @profile, which profile_from_results() made of @results as
 * PROFILE_FUNCTIONS; the profiles of all runs must share their keys, which own the words.
 *
 * @return 0, or -1 with @err filled if memory is out.
 */
int pathsums_add(struct pathsums *sums, const struct results *results,
		 const struct profile *profile, int side, struct error *err);

void pathsums_free(struct pathsums *sums);

#endif
