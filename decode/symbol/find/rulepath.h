/* Paths of files that are looked for, made of rules such as "%C/.build-id/%b/elf". */
#ifndef READPERF_DECODE_SYMBOL_FIND_RULEPATH_H
#define READPERF_DECODE_SYMBOL_FIND_RULEPATH_H

#include "decode/symbol/dso.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RULEPATH_ID = 2 * DSO_BUILD_ID_MAX + 2 }; /* bytes of a build id with '/' and NUL */

/** A rule that says where a file may be. */
struct rulepath {
	const char *name; /* as it is shown to the user: "recorded-path", ... */
	const char *path; /* a letter behind % stands for a part */
	unsigned flags;	  /* of the file that has the rule */
};

/**
 * Writes to @path what @rule says, with @part_of(@arg, LETTER) in the place of each %LETTER. False
 * if one of them is NULL, or the path is too long.
 */
bool rulepath_make(char path[PATH_MAX], const char *rule,
		   const char *(*part_of)(const void *arg, char letter), const void *arg);

/** Writes a build id of 2 to DSO_BUILD_ID_MAX bytes as directory and name: "ab/cdef". */
void rulepath_set_build_id(char text[RULEPATH_ID], const uint8_t *id, size_t len);

/** Writes where perf's cache of binaries is: @given, or if that is NULL ~/.debug. */
void rulepath_set_cache(char path[PATH_MAX], const char *given);

#endif
