/* Whether all functions of an event changed by one ratio. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_ALIKE_H
#define READPERF_DECODE_COMPARE_REMARKS_ALIKE_H

#include "decode/compare/changes.h"

#include <stdbool.h>

/**
 * Whether nearly all large functions of @event changed by the ratio of its whole, *@ratio: then the
 * machine or the amount of work is a likelier cause than code. The whole must have changed by at
 * least 3 % and, if there are several runs, by more than noise.
 *
 * A function is large if it has 1 % of the whole on either side. There must be at least five, with
 * four fifths of the whole on both sides. Nine tenths of them, by number and by value, must agree:
 * the function's interval includes the ratio, or its own ratio is off by at most a quarter of the
 * change. Lest functions agree that cannot show anything, those with three quarters of the value
 * must be off by at most half of it. Ratios are compared by their logarithms.
 */
bool alike_ratio(const struct diff *diff, const struct diff_event *event, double *ratio);

#endif
