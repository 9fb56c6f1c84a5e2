/* The names of functions and variables as they are shown. */
#ifndef READPERF_DECODE_SYMBOL_SHOWNNAME_H
#define READPERF_DECODE_SYMBOL_SHOWNNAME_H

#include "decode/symbol/demangle.h"
#include "util/intern.h"

/** Maximum bytes of a shown name. Rows, also those of single addresses, have whole names. */
enum { SHOWN_NAME_MAX = 64 * 1024 };

/**
 * Interns @name, demangled as @style says. A longer name than SHOWN_NAME_MAX is cut and ends in
 * "..." and 16 hexadecimal digits that are made of the whole name, so that names with the same
 * beginning stay different. They are the same in every run. Returns the interned string; NULL as
 * intern_keep().
 */
const char *shown_name_keep(struct intern *strings, const char *name, enum demangle style);

#endif
