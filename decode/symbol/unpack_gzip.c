/* Unpacking what gzip has packed. */
#include "decode/symbol/unpack.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

/* Unpacks until the end of the stream; *@used gets the number of bytes in @block. */
static int inflate_all(z_stream *stream, struct unpack_block *block, size_t *used, bool *nomem)
{
	int ret = Z_OK;

	while (ret == Z_OK) {
		size_t room;

		if (*used == block->room && !unpack_grow(block, nomem))
			return Z_BUF_ERROR;
		room = block->room - *used < UINT_MAX ? block->room - *used : UINT_MAX;
		stream->next_out = block->bytes + *used;
		stream->avail_out = (unsigned)room;
		ret = inflate(stream, Z_NO_FLUSH);
		*used += room - stream->avail_out;
	}
	return ret;
}

void *unpack_gzip(struct span packed, size_t limit, size_t *size, bool *nomem)
{
	const int gzip_only = 16 + MAX_WBITS; /* zlib.h, inflateInit2 */
	struct unpack_block block = {.limit = limit};
	z_stream stream = {0};
	int ret;

	*size = 0;
	if (span_left(&packed) > UINT_MAX)
		return NULL;
	stream.next_in = (z_const Bytef *)packed.pos;
	stream.avail_in = (unsigned)span_left(&packed);
	ret = inflateInit2(&stream, gzip_only);
	if (ret == Z_OK) {
		ret = inflate_all(&stream, &block, size, nomem);
		inflateEnd(&stream);
	}
	if (ret == Z_STREAM_END)
		return block.bytes;
	*nomem |= ret == Z_MEM_ERROR;
	free(block.bytes);
	return NULL;
}
