/* The xz codec: the only file that includes liblzma. */
#include "util/codec/codec.h"

#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>

struct xz {
	lzma_stream stream;
	bool ended;
};

static bool xz_start(struct xz *xz)
{
	/* The amount that xz needs at its highest setting. */
	const uint64_t memory_limit = UINT64_C(256) << 20;

	return lzma_stream_decoder(&xz->stream, memory_limit, 0) == LZMA_OK;
}

static void *xz_create(void)
{
	struct xz *xz = calloc(1, sizeof(*xz));

	if (!xz)
		return NULL;
	xz->stream = (lzma_stream)LZMA_STREAM_INIT;
	if (!xz_start(xz)) {
		free(xz);
		return NULL;
	}
	return xz;
}

static enum codec_result xz_run(void *state, const uint8_t **in, size_t *in_len, uint8_t **out,
				size_t *out_len)
{
	struct xz *xz = state;
	lzma_ret rc;

	if (xz->ended && *in_len == 0)
		return CODEC_END;
	if (xz->ended && !xz_start(xz))
		return CODEC_NOMEM;
	xz->ended = false;
	xz->stream.next_in = *in;
	xz->stream.avail_in = *in_len;
	xz->stream.next_out = *out;
	xz->stream.avail_out = *out_len;
	rc = lzma_code(&xz->stream, LZMA_RUN);
	*in = xz->stream.next_in;
	*in_len = xz->stream.avail_in;
	*out = xz->stream.next_out;
	*out_len = xz->stream.avail_out;
	xz->ended = rc == LZMA_STREAM_END;
	if (rc == LZMA_STREAM_END)
		return CODEC_END;
	if (rc == LZMA_MEM_ERROR)
		return CODEC_NOMEM;
	return rc == LZMA_OK || rc == LZMA_BUF_ERROR ? CODEC_MORE : CODEC_DAMAGED;
}

static void xz_destroy(void *state)
{
	struct xz *xz = state;

	lzma_end(&xz->stream);
	free(xz);
}

const struct codec codec_xz = {
	.name = "xz",
	.magic = "\xfd"
		 "7zXZ",
	.magic_len = 6, /* including its NUL */
	.create = xz_create,
	.unpack = xz_run,
	.destroy = xz_destroy,
};
