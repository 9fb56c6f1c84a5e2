/* Unpacks bytes whose unpacked size is known, at once. */
#ifndef READPERF_UTIL_CODEC_UNZLIB_H
#define READPERF_UTIL_CODEC_UNZLIB_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Unpacks the @len bytes at @packed, in zlib's format (RFC 1950), to the @size bytes at @to. Returns
 * false if they do not become exactly so many, if memory is out, or if libdeflate, which does it,
 * is not built in.
 */
bool unzlib(const void *packed, size_t len, void *to, size_t size);

#endif
