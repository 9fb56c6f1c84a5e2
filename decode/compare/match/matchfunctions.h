/*
 * The second step of matching, after the events: finds which rows are of the same function. Rows
 * with the same key on the same side are an entry; entries with the same event, binary and name are
 * a group; a group is one function, or several if source files distinguish them.
 */
#ifndef READPERF_DECODE_COMPARE_MATCH_MATCHFUNCTIONS_H
#define READPERF_DECODE_COMPARE_MATCH_MATCHFUNCTIONS_H

#include "decode/compare/match/matcher.h"

/**
 * Makes the entries, and numbers the matched functions of those that count. Returns 0, or -1 with
 * the matcher's err filled.
 */
int matchfunctions_find(struct matcher *m);

#endif
