/* Unpacks a file on disk that is compressed as a whole. */
#ifndef READPERF_UTIL_CODEC_UNWRAPPED_H
#define READPERF_UTIL_CODEC_UNWRAPPED_H

#include "util/error.h"

#include <stddef.h>

/**
 * Reads the first @size bytes at most of what the regular file @fd holds into @start: if a codec
 * recognizes the file, of what is unpacked from it. Returns their number, 0 if there are none.
 */
size_t unwrapped_start(int fd, char *start, size_t size);

/**
 * Unpacks the regular file @fd, called @name, into a temporary file, if a codec recognizes it.
 * Returns the temporary file, which the caller closes, or @fd itself, either at its first byte; -1
 * with @err set if not all of it can be unpacked.
 */
int unwrapped_file(int fd, const char *name, struct error *err);

#endif
