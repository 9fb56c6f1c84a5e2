/*
 * The second step of matching, when the events are known: which rows are of one function. Rows with
 * one key on one side are an entry; entries of one event, binary and name are a group; and a group
 * is one function, or several if source files tell these apart.
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
