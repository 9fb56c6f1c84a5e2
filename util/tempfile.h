/*
 * Nameless temporary files in $TMPDIR or /tmp: nothing is left behind if the program dies.
 *
 * Errors name the directory, since it is what lacks room or permissions.
 */
#ifndef READPERF_UTIL_TEMPFILE_H
#define READPERF_UTIL_TEMPFILE_H

#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/** Returns a new empty file to read and write, which the caller closes; -1 with @err set. */
int tempfile_create(struct error *err);

enum { TEMPFILE_CALLED_MAX = 4200 };

/** Stores what such a file is called in messages: "a temporary file in DIRECTORY". */
void tempfile_called(char called[TEMPFILE_CALLED_MAX]);

/** Returns the bytes of free space for such files; UINT64_MAX if unknown. */
uint64_t tempfile_room(void);

/** Appends all @len bytes to the file @fd. Returns 0, or -1 with @err set. */
int tempfile_append(int fd, const void *bytes, size_t len, struct error *err);

/** Writes all @len bytes at @offset of the file @fd. Returns 0, or -1 with @err set. */
int tempfile_write(int fd, const void *bytes, size_t len, uint64_t offset, struct error *err);

/** Reads the @len bytes at @offset, which must exist. Returns 0, or -1 with @err set. */
int tempfile_read(int fd, void *to, size_t len, uint64_t offset, struct error *err);

#endif
