/* Names of source files. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_PATH_H
#define READPERF_DECODE_SYMBOL_DWARF_PATH_H

/**
 * Puts the name of @file together, seen from directory @dir, itself seen from @base; either may be
 * NULL or "", and none counts that stands before an absolute one. "x/./y", "x//y" and "x/d/../y"
 * become "x/y", by the text alone: the directories need not exist.
 *
 * @return the string for the caller to free, or NULL if memory is out.
 */
char *path_join(const char *base, const char *dir, const char *file);

#endif
