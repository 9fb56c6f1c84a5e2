/* The gzip codec, and the packer of raw deflate: the only file that includes zlib. */
#include "util/array.h"
#include "util/codec/codec.h"
#include "util/codec/pack.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
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

/* ---- the packer ------------------------------------------------------------------------------ */

struct packer {
	struct codec_pack pack; /* first: what the caller sees */
	z_stream stream;
};

static struct codec_pack *create_packer(size_t limit, int window_bits, int strategy)
{
	enum { LEVEL = 6, MEMORY = 9 };
	struct packer *packer = calloc(1, sizeof(*packer));

	if (packer && deflateInit2(&packer->stream, LEVEL, Z_DEFLATED, window_bits, MEMORY,
				   strategy) != Z_OK) {
		free(packer);
		return NULL;
	}
	if (!packer)
		return NULL;
	packer->pack.limit = limit;
	return &packer->pack;
}

/* A negative number of window bits: without a header. */
struct codec_pack *codec_pack_create(size_t limit, bool numbers)
{
	return create_packer(limit, -MAX_WBITS, numbers ? Z_FILTERED : Z_DEFAULT_STRATEGY);
}

struct codec_pack *codec_pack_create_gzip(void)
{
	enum { GZIP_HEADER = 16 }; /* without a name, at no time */

	return create_packer(SIZE_MAX, GZIP_HEADER + MAX_WBITS, Z_DEFAULT_STRATEGY);
}

static void keep_packed(struct codec_pack *pack, const uint8_t *bytes, size_t len)
{
	const size_t free_bytes = pack->limit - pack->kept;
	const size_t kept = len < free_bytes ? len : free_bytes;

	pack->size += len;
	if (pack->failed || kept == 0)
		return;
	if (!array_grow(pack->bytes, pack->room, pack->kept + kept)) {
		pack->failed = true;
		return;
	}
	memcpy(pack->bytes + pack->kept, bytes, kept);
	pack->kept += kept;
}

/* Compresses what the stream was given; with Z_FINISH up to its end. */
static void run_packer(struct packer *packer, int flush)
{
	uint8_t out[16384];
	int rc;

	do {
		packer->stream.next_out = out;
		packer->stream.avail_out = sizeof(out);
		rc = deflate(&packer->stream, flush);
		keep_packed(&packer->pack, out, sizeof(out) - packer->stream.avail_out);
	} while (rc == Z_OK && packer->stream.avail_out == 0);
}

void codec_pack_put(struct codec_pack *pack, const void *bytes, size_t len)
{
	struct packer *packer = (struct packer *)(void *)pack;
	const uint8_t *next = bytes;

	while (len > 0) {
		const uInt part = len > UINT_MAX ? UINT_MAX : (uInt)len;

		packer->stream.next_in = (z_const Bytef *)(uintptr_t)next;
		packer->stream.avail_in = part;
		run_packer(packer, Z_NO_FLUSH);
		next += part;
		len -= part;
	}
}

bool codec_pack_end(struct codec_pack *pack)
{
	run_packer((struct packer *)(void *)pack, Z_FINISH);
	return !pack->failed;
}

void codec_pack_destroy(struct codec_pack *pack)
{
	struct packer *packer = (struct packer *)(void *)pack;

	if (!packer)
		return;
	deflateEnd(&packer->stream);
	free(pack->bytes);
	free(packer);
}
