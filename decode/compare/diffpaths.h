/* The call paths of a comparison: those of both sides through the same functions are one. */
#ifndef READPERF_DECODE_COMPARE_DIFFPATHS_H
#define READPERF_DECODE_COMPARE_DIFFPATHS_H

#include "decode/compare/changes.h"
#include "decode/compare/profile/pathsums.h"
#include "util/error.h"

/**
 * Sets the paths of @diff, whose functions are matched by key and whose rows are made, from @sums,
 * whose words must outlive it.
 *
 * @return 0, or -1 with @err filled; call diffpaths_free() in both cases.
 */
int diffpaths_make(struct diff *diff, const struct pathsums *sums, struct error *err);

/** Frees the paths of @diff. */
void diffpaths_free(struct diff *diff);

#endif
