/*
 * Matching: which rows of several runs are one function.
 *
 * Rows are one if event, function and binary are the same, as decode/compare/names/name.h and
 * namelist.h define it. Source files tell functions of one name in one binary (static ones) apart
 * if both sides have them; a function that moved to another file is the same function. Rows without
 * a name are one if binary and reason are the same. Rows of a run that fall together are added up.
 */
#ifndef READPERF_DECODE_COMPARE_MATCH_MATCH_H
#define READPERF_DECODE_COMPARE_MATCH_MATCH_H

#include "decode/compare/match/matched.h"
#include "util/error.h"

/** Fills the empty @match. 0, or -1 with @err filled; match_free() is due in both cases. */
int match_make(struct match *match, const struct match_input *input, struct error *err);

void match_free(struct match *match);

#endif
