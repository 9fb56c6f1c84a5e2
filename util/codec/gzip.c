/* The gzip codec: the only file that includes zlib. */
#include "util/codec/codec.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

struct gzip {
	z_stream stream;
	bool ended;
};

static void *gzip_create(void)
{
	enum { GZIP_ONLY = 16 }; /* in the window bits: no zlib headers, no raw streams */
	struct gzip *gzip = calloc(1, sizeof(*gzip));

	if (gzip && inflateInit2(&gzip->stream, GZIP_ONLY + MAX_WBITS) != Z_OK) {
		free(gzip);
		return NULL;
	}
	return gzip;
}

static enum codec_result gzip_run(void *state, const uint8_t **in, size_t *in_len, uint8_t **out,
				  size_t *out_len)
{
	struct gzip *gzip = state;
	z_stream *stream = &gzip->stream;
	int rc;

	if (gzip->ended && *in_len == 0)
		return CODEC_END;
	if (gzip->ended && inflateReset(stream) != Z_OK)
		return CODEC_DAMAGED;
	gzip->ended = false;
	stream->next_in = (z_const Bytef *)(uintptr_t)*in;
	stream->avail_in = *in_len > UINT_MAX ? UINT_MAX : (uInt)*in_len;
	stream->next_out = *out;
	stream->avail_out = *out_len > UINT_MAX ? UINT_MAX : (uInt)*out_len;
	rc = inflate(stream, Z_NO_FLUSH);
	*in_len -= (size_t)(stream->next_in - *in);
	*in = stream->next_in;
	*out_len -= (size_t)(stream->next_out - *out);
	*out = stream->next_out;
	gzip->ended = rc == Z_STREAM_END;
	if (rc == Z_STREAM_END)
		return CODEC_END;
	if (rc == Z_MEM_ERROR)
		return CODEC_NOMEM;
	return rc == Z_OK || rc == Z_BUF_ERROR ? CODEC_MORE : CODEC_DAMAGED;
}

static void gzip_destroy(void *state)
{
	struct gzip *gzip = state;

	inflateEnd(&gzip->stream);
	free(gzip);
}

const struct codec codec_gzip = {
	.name = "gzip",
	.magic = "\x1f\x8b",
	.magic_len = 2,
	.create = gzip_create,
	.unpack = gzip_run,
	.destroy = gzip_destroy,
};
