/* Remarks on a comparison: lines of text that are printed before its rows. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_REMARKS_H
#define READPERF_DECODE_COMPARE_REMARKS_REMARKS_H

#include "decode/compare/changes.h"
#include "decode/compare/match/matched.h"
#include "util/error.h"

#include <stdbool.h>

/**
 * Checks whether the matched runs of @diff can be compared by its measure.
 *
 * @return 0, or -1 with @err filled.
 */
int remarks_check(const struct diff *diff, struct error *err);

/**
 * Adds remarks to @diff, whose rows must be judged, at most one of each kind: what is compared and
 * why, which events and renamings match nothing, how runs differ besides their functions, how
 * reliable the verdicts are, and which renamings may be missing. @input: what was matched. @gated:
 * a gate uses the rows.
 *
 * @return 0, or -1 with @err filled if memory is out.
 */
int remarks_make(struct diff *diff, const struct match_input *input, bool gated, struct error *err);

#endif
