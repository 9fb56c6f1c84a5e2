/* Strings of which a hostile input could make gigabytes of output are cut. */
#ifndef READPERF_UTIL_CUTSTRING_H
#define READPERF_UTIL_CUTSTRING_H

#include "util/intern.h"

/** Maximum bytes of a string that is kept here: one may be in many rows, and is whole in each. */
enum { CUTSTRING_MAX = 64 * 1024 };

/**
 * Interns the UTF-8 string @str. A longer one than CUTSTRING_MAX is cut and ends in "..." and 16
 * hexadecimal digits that are made of the whole, so that strings with the same beginning stay
 * different. They are the same in every run. Returns the interned string; NULL as intern_keep().
 */
const char *cutstring_keep(struct intern *strings, const char *str);

#endif
