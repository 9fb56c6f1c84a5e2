/* What to know about a comparison beside its rows: lines of text that are printed before them. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_REMARKS_H
#define READPERF_DECODE_COMPARE_REMARKS_REMARKS_H

#include "decode/compare/changes.h"
#include "decode/compare/match/matched.h"
#include "util/error.h"

#include <stdbool.h>

/**
 * Whether the matched runs of @diff can be compared by its measure.
 *
 * @return 0, or -1 with @err filled.
 */
int remarks_check(const struct diff *diff, struct error *err);

/**
 * Adds remarks to @diff, whose rows are judged, at most one of each kind: what is compared and why,
 * which events and renamings fit nothing, how runs differ besides their functions, how far the
 * verdicts can be trusted, and which renamings may be missing. @input is what was matched; @gated:
 * a gate judges the rows.
 *
 * @return 0, or -1 with @err filled if memory is out.
 */
int remarks_make(struct diff *diff, const struct match_input *input, bool gated, struct error *err);

#endif
