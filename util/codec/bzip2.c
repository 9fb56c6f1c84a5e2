/* The bzip2 codec: the only file that includes libbz2. */
#include "util/codec/codec.h"

#include <bzlib.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

struct bzip2 {
	bz_stream stream;
	bool ended;
};

static bool bzip2_start(struct bzip2 *bzip2)
{
	return BZ2_bzDecompressInit(&bzip2->stream, 0, 0) == BZ_OK;
}

static void *bzip2_create(void)
{
	struct bzip2 *bzip2 = calloc(1, sizeof(*bzip2));

	if (bzip2 && !bzip2_start(bzip2)) {
		free(bzip2);
		return NULL;
	}
	return bzip2;
}

/* On failure, the stream stays ended and may be destroyed. */
static bool bzip2_restart(struct bzip2 *bzip2)
{
	BZ2_bzDecompressEnd(&bzip2->stream);
	bzip2->stream = (bz_stream){0};
	return bzip2_start(bzip2);
}

static enum codec_result bzip2_run(void *state, const uint8_t **in, size_t *in_len, uint8_t **out,
				   size_t *out_len)
{
	struct bzip2 *bzip2 = state;
	bz_stream *stream = &bzip2->stream;
	unsigned in_room = *in_len > UINT_MAX ? UINT_MAX : (unsigned)*in_len;
	unsigned out_room = *out_len > UINT_MAX ? UINT_MAX : (unsigned)*out_len;
	int rc;

	if (bzip2->ended && *in_len == 0)
		return CODEC_END;
	if (bzip2->ended && !bzip2_restart(bzip2))
		return CODEC_NOMEM;
	bzip2->ended = false;
	stream->next_in = (char *)(uintptr_t)*in;
	stream->avail_in = in_room;
	stream->next_out = (char *)*out;
	stream->avail_out = out_room;
	rc = BZ2_bzDecompress(stream);
	*in += in_room - stream->avail_in;
	*in_len -= in_room - stream->avail_in;
	*out += out_room - stream->avail_out;
	*out_len -= out_room - stream->avail_out;
	bzip2->ended = rc == BZ_STREAM_END;
	if (rc == BZ_STREAM_END)
		return CODEC_END;
	if (rc == BZ_MEM_ERROR)
		return CODEC_NOMEM;
	return rc == BZ_OK ? CODEC_MORE : CODEC_DAMAGED;
}

static void bzip2_destroy(void *state)
{
	struct bzip2 *bzip2 = state;

	BZ2_bzDecompressEnd(&bzip2->stream);
	free(bzip2);
}

const struct codec codec_bzip2 = {
	.name = "bzip2",
	.magic = "BZh",
	.magic_len = 3,
	.create = bzip2_create,
	.unpack = bzip2_run,
	.destroy = bzip2_destroy,
};
