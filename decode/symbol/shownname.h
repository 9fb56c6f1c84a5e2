/* The names of functions and variables as they are shown. */
#ifndef READPERF_DECODE_SYMBOL_SHOWNNAME_H
#define READPERF_DECODE_SYMBOL_SHOWNNAME_H

#include "decode/symbol/demangle.h"
#include "util/intern.h"

/**
 * Interns @name, demangled as @style says, cut as cutstring_keep() does. Returns the interned
 * string; NULL as intern_keep().
 */
const char *shown_name_keep(struct intern *strings, const char *name, enum demangle style);

#endif
