/*
 * Files of symbols that lie packed on disk, as distributions pack kernel modules: by gzip, xz or
 * zstd.
 */
#ifndef READPERF_DECODE_SYMBOL_UNPACK_H
#define READPERF_DECODE_SYMBOL_UNPACK_H

#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNPACK_HEAD_BYTES = 6 }; /* what tells a packed file */

/** True if a file that begins with @head is one of a kind that unpack() knows. */
bool unpack_knows(const uint8_t head[UNPACK_HEAD_BYTES]);

/**
 * Unpacks the whole file @packed, by the format that it begins with.
 *
 * @return its bytes, fewer than @limit, their number in *@size, for the caller to free; NULL if it
 * is damaged, cut off, larger or of no known format, or with *@nomem set if memory is out.
 */
void *unpack(struct span packed, size_t limit, size_t *size, bool *nomem);

/** As unpack(), of one format. */
void *unpack_gzip(struct span packed, size_t limit, size_t *size, bool *nomem);
void *unpack_zstd(struct span packed, size_t limit, size_t *size, bool *nomem);

/** A block that is being filled; all zero but the limit is empty. */
struct unpack_block {
	uint8_t *bytes;
	size_t room, limit;
};

/** Makes the block larger, up to its limit. False if that is reached, or with *@nomem set. */
bool unpack_grow(struct unpack_block *block, bool *nomem);

#endif
