/* Unpacking what zstd has packed. */
#include "decode/symbol/unpack.h"

#include <stdlib.h>
#include <zstd.h>

enum { MAX_WINDOW_LOG = 27 }; /* 128 MiB, as the zstd program allows by itself */

/* Unpacks until the end of the frame; false if it is damaged, cut off or too large. */
static bool unpack_frame(ZSTD_DStream *stream, struct span packed, struct unpack_block *block,
			 size_t *used, bool *nomem)
{
	ZSTD_inBuffer in = {packed.pos, span_left(&packed), 0};
	size_t rest = 1;

	while (rest) {
		ZSTD_outBuffer out;
		size_t taken = in.pos;

		if (*used == block->room && !unpack_grow(block, nomem))
			return false;
		out = (ZSTD_outBuffer){block->bytes, block->room, *used};
		rest = ZSTD_decompressStream(stream, &out, &in);
		if (ZSTD_isError(rest) || (rest && in.pos == taken && out.pos == *used))
			return false;
		*used = out.pos;
	}
	return true;
}

void *unpack_zstd(struct span packed, size_t limit, size_t *size, bool *nomem)
{
	struct unpack_block block = {.limit = limit};
	ZSTD_DStream *stream = ZSTD_createDStream();

	*size = 0;
	if (!stream) {
		*nomem = true;
		return NULL;
	}
	ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, MAX_WINDOW_LOG);
	if (!unpack_frame(stream, packed, &block, size, nomem)) {
		free(block.bytes);
		block.bytes = NULL;
	}
	ZSTD_freeDStream(stream);
	return block.bytes;
}
