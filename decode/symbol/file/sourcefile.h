/*
 * The lines of source files, whose paths come from an untrusted recording: only regular files are
 * opened, and only text of a bounded size is taken.
 */
#ifndef READPERF_DECODE_SYMBOL_FILE_SOURCEFILE_H
#define READPERF_DECODE_SYMBOL_FILE_SOURCEFILE_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What was below @old, a path without a slash at its end, is below @dir. "" is every path. */
struct source_dir {
	const char *old;
	size_t old_len;
	const char *dir;
};

/** Directories in the order of the command line. All zero is empty. */
struct source_dirs {
	struct source_dir *list;
	size_t nr, room;
};

/**
 * Adds "OLD=NEW", or "NEW" for all paths; @arg must outlive @dirs. Returns 0, or -1 with @err
 * filled: ERROR_USAGE if NEW is not a directory.
 */
int sourcefile_add_dir(struct source_dirs *dirs, const char *arg, struct error *err);

void sourcefile_free_dirs(struct source_dirs *dirs);

enum {
	SOURCEFILE_MAX = 16 * 1024 * 1024, /* bytes of a file that is read */
	SOURCEFILE_LINE_MAX = 1000,	   /* bytes of a line; the rest is left out */
};

/** A source file in memory. */
struct sourcefile {
	char *bytes;	  /* NULL if there is none */
	uint32_t *starts; /* of each line, and behind the last one */
	uint32_t nr_lines;
	int64_t written;  /* ns since 1970 */
	const char *lack; /* why it was not read, a part of a sentence; "" if it was */
};

/**
 * Reads the source file that is recorded as @path: from the first of @dirs (may be NULL) where it
 * is, else from below @root (NULL: the system's root). A relative path is only looked for in @dirs.
 * Returns -1 if memory is out, else 0; call sourcefile_close() even then.
 */
int sourcefile_read(struct sourcefile *file, const struct source_dirs *dirs, const char *root,
		    const char *path);

/**
 * Returns line @number, from 1, as it is in the file, without its end and not NUL-terminated, with
 * its length in *@len; NULL if there is no such line. Valid until sourcefile_close().
 */
const char *sourcefile_line(const struct sourcefile *file, uint32_t number, size_t *len);

void sourcefile_close(struct sourcefile *file);

#endif
