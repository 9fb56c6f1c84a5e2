/*
 * Matching: finds which rows of several runs are the same function.
 *
 * Rows match if event, function and binary are the same, as decode/compare/names/name.h and
 * namelist.h define it. Source files distinguish functions with the same name in a binary (static
 * functions) if both sides have them; a function that moved to another file is the same function.
 * Rows without a name match if binary and reason are the same. Matching rows of one run are added
 * up.
 */
#ifndef READPERF_DECODE_COMPARE_MATCH_MATCH_H
#define READPERF_DECODE_COMPARE_MATCH_MATCH_H

#include "decode/compare/match/matched.h"
#include "util/error.h"

/** Fills the empty @match. Returns 0, or -1 with @err filled; call match_free() even then. */
int match_make(struct match *match, const struct match_input *input, struct error *err);

void match_free(struct match *match);

#endif
