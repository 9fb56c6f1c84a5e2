/* Paths of files that are looked for, made of rules such as "%C/.build-id/%b/elf". */
#ifndef READPERF_DECODE_SYMBOL_FIND_RULEPATH_H
#define READPERF_DECODE_SYMBOL_FIND_RULEPATH_H

#include "decode/symbol/dso.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A build id that files are looked for by. All zero: not known. */
struct rulepath_id {
	uint8_t bytes[DSO_BUILD_ID_MAX];
	size_t len;
	char path[2 * DSO_BUILD_ID_MAX + 2]; /* as directory and name: "ab/cdef" */
};

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

/** Sets @id, unless @len is less than 2 or more than DSO_BUILD_ID_MAX. */
void rulepath_set_id(struct rulepath_id *id, const uint8_t *bytes, size_t len);

/** Writes where perf's cache of binaries is: @given, or if that is NULL ~/.debug. */
void rulepath_set_cache(char path[PATH_MAX], const char *given);

#endif
