/* Decompresses bytes in memory into a heap block. */
#ifndef READPERF_UTIL_CODEC_UNPACK_H
#define READPERF_UTIL_CODEC_UNPACK_H

#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNPACK_HEAD_BYTES = 6 }; /* enough to detect each format */

/** True if unpack() can decompress a file that begins with @head. */
bool unpack_knows(const uint8_t head[UNPACK_HEAD_BYTES]);

/**
 * Decompresses @packed, which begins with a bzip2, gzip, xz or zstd stream; bytes after that stream
 * are ignored.
 *
 * @return the result, owned by the caller, with its size in *@size; NULL if it exceeds @limit
 * bytes, if the stream is damaged, truncated or of an unknown format, or with *@nomem set if memory
 * is out.
 */
void *unpack(struct span packed, size_t limit, size_t *size, bool *nomem);

#endif
