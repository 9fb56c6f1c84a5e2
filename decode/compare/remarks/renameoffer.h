/*
 * Renamings that may be missing: a function or binary is gone, and a new one is its like.
 */
#ifndef READPERF_DECODE_COMPARE_REMARKS_RENAMEOFFER_H
#define READPERF_DECODE_COMPARE_REMARKS_RENAMEOFFER_H

#include "decode/compare/changes.h"

/**
 * Adds to the remarks of @diff the options, to be pasted into a shell, that would take what is gone
 * for what is new, by the event with the most samples:
 *
 * Two binaries, if one has samples on the old side only and the other on the new one, and functions
 * of the same names have at least half of the value of both. One name alone, as main, must have
 * code of nearly the same size, too.
 *
 * Two functions of one binary, if each has ten samples at least, on its side only, their code
 * differs by 10 % at most, and their values by 25 %, beside what so many samples may by chance; and
 * if, by size, value and name, less than one pair in two as near would come by chance among all
 * that are gone and new. Names that other functions have as well are left alone: a renaming is for
 * all.
 *
 * Each is offered once, the best pairs first; at most five of a kind are shown, the largest.
 */
void renameoffer_tell(struct diff *diff);

#endif
