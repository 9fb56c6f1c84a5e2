/* Checks whether all functions of an event changed by the same ratio. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_ALIKE_H
#define READPERF_DECODE_COMPARE_REMARKS_ALIKE_H

#include "decode/compare/changes.h"

#include <stdbool.h>

/**
 * Whether nearly all large functions of @event changed by the ratio of its total, which is stored
 * in *@ratio. Then the machine or the amount of work is a likelier cause than the code. The total
 * must have changed by at least 3 % and, if there are several runs, by more than noise.
 *
 * A function is large if it has 1 % of the total on either side. There must be at least five large
 * functions, with four fifths of the total on both sides. Nine tenths of them, by number and by
 * value, must agree: the function's interval includes the ratio, or its own ratio is off by at most
 * a quarter of the change. A wide interval shows little, so functions with three quarters of the
 * value must also be off by at most half of the change. Ratios are compared by their logarithms.
 */
bool alike_ratio(const struct diff *diff, const struct diff_event *event, double *ratio);

#endif
