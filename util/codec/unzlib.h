/* Unpacks bytes whose unpacked size is known, at once. */
#ifndef READPERF_UTIL_CODEC_UNZLIB_H
#define READPERF_UTIL_CODEC_UNZLIB_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of room that unzlib_start() needs behind those that it unpacks. */
enum { UNZLIB_SPARE = 64 * 1024 };

/**
 * Unpacks the @len bytes at @packed, in zlib's format (RFC 1950), to the @size bytes at @to.
 * Returns false if they do not become exactly so many, if memory is out, or if libdeflate, which
 * does it, is not built in.
 */
bool unzlib(const void *packed, size_t len, void *to, size_t size);

/**
 * As unzlib() for the first @size bytes of what @packed becomes; the next UNZLIB_SPARE bytes at @to
 * are overwritten, too. The checksum, which is that of all bytes, is not checked. Returns false if
 * they do not become so many.
 */
bool unzlib_start(const void *packed, size_t len, void *to, size_t size);

#endif
