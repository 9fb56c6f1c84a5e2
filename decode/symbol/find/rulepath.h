/* Builds paths to search from rules such as "%C/.build-id/%b/elf". */
#ifndef READPERF_DECODE_SYMBOL_FIND_RULEPATH_H
#define READPERF_DECODE_SYMBOL_FIND_RULEPATH_H

#include "decode/symbol/dso.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A build id to search for files with. All zero: unknown. */
struct rulepath_id {
	uint8_t bytes[DSO_BUILD_ID_MAX];
	size_t len;
	char path[2 * DSO_BUILD_ID_MAX + 2]; /* as directory and file name: "ab/cdef" */
};

/** A rule for where a file may be. */
struct rulepath {
	const char *name; /* as printed: "recorded-path", ... */
	const char *path; /* path in which %LETTER stands for a part */
	unsigned flags;	  /* bits private to the file with the rules */
};

/**
 * Writes @rule to @path, with each %LETTER replaced by @part_of(@arg, LETTER). Returns false if one
 * of these is NULL or the path is too long.
 */
bool rulepath_make(char path[PATH_MAX], const char *rule,
		   const char *(*part_of)(const void *arg, char letter), const void *arg);

/** Sets @id, unless @len is less than 2 or more than DSO_BUILD_ID_MAX. */
void rulepath_set_id(struct rulepath_id *id, const uint8_t *bytes, size_t len);

/** Writes the directory of perf's build-id cache: @given, or $HOME/.debug if that is NULL. */
void rulepath_set_cache(char path[PATH_MAX], const char *given);

#endif
