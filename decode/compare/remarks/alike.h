/* Whether all functions of an event changed by one ratio. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_ALIKE_H
#define READPERF_DECODE_COMPARE_REMARKS_ALIKE_H

#include "decode/compare/changes.h"

#include <stdbool.h>

/**
 * Whether nearly all large functions of @event changed as its whole did, which then has changed by
 * *@ratio, by 3 % at least, and, unless there is but one run a side, by more than noise: that is
 * more likely the machine or the amount of work than the code of some function.
 *
 * Large are those with 1 % of the whole of a side. There must be five at least, with four fifths of
 * both sides' wholes. Nine of ten of them, by number and by value, must agree: the interval of the
 * function holds the whole's ratio, or its own ratio is off by a quarter of the whole's change at
 * most. And lest functions agree that can show nothing, those with three quarters of the value must
 * be off by half of it at most. Ratios count by their logarithms.
 */
bool alike_ratio(const struct diff *diff, const struct diff_event *event, double *ratio);

#endif
