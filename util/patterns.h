/*
 * Shell patterns for names, as users give them.
 */
#ifndef READPERF_UTIL_PATTERNS_H
#define READPERF_UTIL_PATTERNS_H

#include <stdbool.h>

/**
 * Whether one of @patterns, a NULL-terminated list, is @name or matches it, as fnmatch(3) does. A
 * name that is not UTF-8 may also be meant as tables show it, since users copy it from there.
 */
bool patterns_match(char *const *patterns, const char *name);

/** The same for the function @name, also without the version of its symbol (util/versioned.h). */
bool patterns_match_function(char *const *patterns, const char *name);

#endif
