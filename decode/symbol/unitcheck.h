/*
 * Whether libdw may read the units of a file. It keeps the abbreviations of each unit by
 * themselves, reads them until it meets the one it looks for, and walks all attributes of an entry
 * for each question: 100,000 units of a few bytes that share one long table would take hours.
 */
#ifndef READPERF_DECODE_SYMBOL_UNITCHECK_H
#define READPERF_DECODE_SYMBOL_UNITCHECK_H

#include "util/span.h"

#include <stdbool.h>

/**
 * Whether the units in @info (.debug_info or .debug_types) ask for as many abbreviations of
 * @abbrevs (.debug_abbrev) as units of that size can need. False, with *@nomem set, if memory is
 * out.
 */
bool units_can_be_read(struct span info, struct span abbrevs, bool *nomem);

#endif
