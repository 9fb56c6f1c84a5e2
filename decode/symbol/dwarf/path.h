/* Paths of source files. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_PATH_H
#define READPERF_DECODE_SYMBOL_DWARF_PATH_H

#include "util/intern.h"

/**
 * Joins @base, @dir and @file: @file is seen from @dir, and @dir from @base. @base and @dir may be
 * NULL or ""; what comes before an absolute part is ignored. "x/./y", "x//y" and "x/d/../y" become
 * "x/y", by the text alone: the directories need not exist.
 *
 * @return the string for the caller to free, or NULL if memory is out.
 */
char *path_join(const char *base, const char *dir, const char *file);

/**
 * Interns @path, cut as cutstring_keep() does, and frees it. Returns the interned string; NULL if
 * @path is NULL, or as intern_keep().
 */
const char *path_keep(struct intern *strings, char *path);

#endif
