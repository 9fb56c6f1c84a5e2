/*
 * Temporary files without a name, in $TMPDIR or /tmp: whatever happens, nothing is left behind.
 *
 * Errors name the directory, for that is where room or a permission is missing.
 */
#ifndef READPERF_UTIL_TEMPFILE_H
#define READPERF_UTIL_TEMPFILE_H

#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/** An empty file to read and write: a descriptor that the caller closes, or -1 with @err filled. */
int tempfile_create(struct error *err);

/** The bytes that such files may still have, as far as the file system says; else UINT64_MAX. */
uint64_t tempfile_room(void);

/** Appends all @len bytes to the file @fd. Returns 0, or -1 with @err filled. */
int tempfile_append(int fd, const void *bytes, size_t len, struct error *err);

/** Reads the @len bytes at @offset, which must be there. Returns 0, or -1 with @err filled. */
int tempfile_read(int fd, void *to, size_t len, uint64_t offset, struct error *err);

#endif
