/* Offers renamings: something is gone, and something similar is new. */
#ifndef READPERF_DECODE_COMPARE_REMARKS_RENAMEOFFER_H
#define READPERF_DECODE_COMPARE_REMARKS_RENAMEOFFER_H

#include "decode/compare/changes.h"

/**
 * Adds to the remarks of @diff the options, ready to paste into a shell, that rename what is gone
 * to what is new. Only the event with the most samples is examined.
 *
 * Two binaries are offered if one has samples only on the old side and the other only on the new
 * side, and if functions with the same names have at least half of the value of both. If they have
 * only one name in common, such as main, its code must have nearly the same size, too.
 *
 * Two functions of one binary are offered if each has at least ten samples, on its own side only;
 * if their code sizes differ by at most 10 % and their values by at most 25 % plus what chance
 * allows for so many samples; and if fewer than half a pair as close as this, by size, value and
 * name, is expected by chance among all that are gone and new. Names that other functions share are
 * left out, because a renaming affects them all.
 *
 * Each function or binary is offered once, the best pairs first. At most five of a kind are shown,
 * the largest; names that are too long for a line of 4 KB are only counted.
 */
void renameoffer_tell(struct diff *diff);

#endif
