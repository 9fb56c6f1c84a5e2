/* Decompressing bytes that are in memory as a whole into a block on the heap. */
#ifndef READPERF_UTIL_CODEC_UNPACK_H
#define READPERF_UTIL_CODEC_UNPACK_H

#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNPACK_HEAD_BYTES = 6 }; /* enough to recognize each format */

/** True if a file that begins with @head is one that unpack() can decompress. */
bool unpack_knows(const uint8_t head[UNPACK_HEAD_BYTES]);

/**
 * Decompresses @packed, which begins with a bzip2, gzip, xz or zstd stream; what follows that
 * stream is ignored.
 *
 * @return its bytes, at most @limit, their number in *@size, for the caller to free; NULL if they
 * are more, if the stream is damaged, truncated or of no known format, or with *@nomem set if
 * memory is out.
 */
void *unpack(struct span packed, size_t limit, size_t *size, bool *nomem);

#endif
