/*
 * Renamings that may be missing: something is gone, and something new is much like it.
 */
#ifndef READPERF_DECODE_COMPARE_REMARKS_RENAMEOFFER_H
#define READPERF_DECODE_COMPARE_REMARKS_RENAMEOFFER_H

#include "decode/compare/changes.h"

/**
 * Adds to the remarks of @diff the options, to be pasted into a shell, that would rename what is
 * gone to what is new. The event with the most samples decides.
 *
 * Two binaries, if one has samples on the old side only and the other on the new side only, and if
 * functions with the same names have at least half of the value of both. A single name, such as
 * main, must have code of nearly the same size, too.
 *
 * Two functions of one binary, if each has at least ten samples, on its side only; if their code
 * differs by at most 10 % and their values by at most 25 %, in addition to what chance does with so
 * many samples; and if chance would make fewer than one pair in two as near, by size, value and
 * name, among all that are gone and new. Names that other functions share are left out, because a
 * renaming affects them all.
 *
 * Each is offered once, the best pairs first. At most five of a kind are shown, the largest.
 */
void renameoffer_tell(struct diff *diff);

#endif
