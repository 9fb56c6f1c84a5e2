/* Reports that one side has no names for code that has names on the other side. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_LACKNAMES_H
#define READPERF_DECODE_COMPARE_REMARKS_LACKNAMES_H

#include "decode/compare/changes.h"

#include <stdbool.h>

/**
 * Adds to the remarks of @diff, whose rows must be judged, the binary with the most samples that
 * have no name on one side only, if functions of this binary are on the other side only, so that
 * they look new or gone; and how many binaries are so, too. What has no name must be at least a
 * quarter of these functions: a few addresses without a symbol do not explain them. Only the first
 * event with such a binary is reported. @gated: a gate uses the rows; it passes over such
 * functions.
 */
void lacknames_tell(struct diff *diff, bool gated);

#endif
