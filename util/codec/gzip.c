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
	bool padded; /* zeros have come after the end */
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

/* Passes over zeros behind the last member: blocks of tapes and disks are padded with them. */
static void skip_padding(struct gzip *gzip, const uint8_t **in, size_t *in_len)
{
	while (*in_len > 0 && **in == 0) {
		gzip->padded = true;
		(*in)++;
		(*in_len)--;
	}
}

static enum codec_result gzip_run(void *state, const uint8_t **in, size_t *in_len, uint8_t **out,
				  size_t *out_len)
{
	struct gzip *gzip = state;
	z_stream *stream = &gzip->stream;
	int rc;

	if (gzip->ended)
		skip_padding(gzip, in, in_len);
	if (gzip->ended && *in_len == 0)
		return CODEC_END;
	if (gzip->padded || (gzip->ended && inflateReset(stream) != Z_OK))
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

/* Numbers are packed piece by piece: small ones are cheap, of large ones a part is tried. */
enum { LEVEL = 6, MEMORY = 9, PIECE = 1 << 20, CHEAP = 1 << 17, TRIAL = 1 << 14 };

struct packer {
	struct codec_pack pack; /* first: what the caller sees */
	z_stream stream;
	bool numbers;
	uint8_t *piece; /* numbers that wait, up to PIECE bytes */
	size_t nr_waiting, room;
};

/* The window bits of zlib's functions: negative ones, without a header, or a header of gzip's. */
enum { BARE = -MAX_WBITS, GZIP = 16 + MAX_WBITS };

static bool start_deflate(z_stream *stream, int window_bits, int strategy)
{
	return deflateInit2(stream, LEVEL, Z_DEFLATED, window_bits, MEMORY, strategy) == Z_OK;
}

static struct codec_pack *create_packer(size_t limit, int window_bits, bool numbers)
{
	struct packer *packer = calloc(1, sizeof(*packer));

	if (packer && !start_deflate(&packer->stream, window_bits,
				     numbers ? Z_FILTERED : Z_DEFAULT_STRATEGY)) {
		free(packer);
		return NULL;
	}
	if (!packer)
		return NULL;
	packer->pack.limit = limit;
	packer->numbers = numbers;
	return &packer->pack;
}

struct codec_pack *codec_pack_create(size_t limit, bool numbers)
{
	return create_packer(limit, BARE, numbers);
}

/* The header has no name and no time. */
struct codec_pack *codec_pack_create_gzip(void)
{
	return create_packer(SIZE_MAX, GZIP, false);
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

static void pack_bytes(struct packer *packer, const uint8_t *next, size_t len)
{
	while (len > 0) {
		const uInt part = len > UINT_MAX ? UINT_MAX : (uInt)len;

		packer->stream.next_in = (z_const Bytef *)(uintptr_t)next;
		packer->stream.avail_in = part;
		run_packer(packer, Z_NO_FLUSH);
		next += part;
		len -= part;
	}
}

/* Returns how many bytes the TRIAL bytes at @bytes become; 0 if memory is out. */
static size_t try_strategy(const uint8_t *bytes, int strategy)
{
	z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)bytes, .avail_in = TRIAL};
	uint8_t out[16384];
	int rc;

	if (!start_deflate(&stream, BARE, strategy))
		return 0;
	do {
		stream.next_out = out;
		stream.avail_out = sizeof(out);
		rc = deflate(&stream, Z_FINISH);
	} while (rc == Z_OK);
	deflateEnd(&stream);
	return stream.total_out;
}

/* Looking for repetitions takes ten times as long as looking for runs alone. */
static int choose_strategy(const uint8_t *bytes, size_t len)
{
	const uint8_t *middle = bytes + len / 2 - TRIAL / 2;
	size_t by_runs, by_repetitions;

	if (len < CHEAP)
		return Z_FILTERED;
	by_runs = try_strategy(middle, Z_RLE);
	by_repetitions = try_strategy(middle, Z_FILTERED);
	return by_repetitions < by_runs - by_runs / 10 ? Z_FILTERED : Z_RLE;
}

static void pack_piece(struct packer *packer)
{
	uint8_t out[1024];

	if (packer->nr_waiting == 0)
		return;
	run_packer(packer, Z_BLOCK);
	packer->stream.next_out = out;
	packer->stream.avail_out = sizeof(out);
	deflateParams(&packer->stream, LEVEL, choose_strategy(packer->piece, packer->nr_waiting));
	keep_packed(&packer->pack, out, sizeof(out) - packer->stream.avail_out);
	pack_bytes(packer, packer->piece, packer->nr_waiting);
	packer->nr_waiting = 0;
}

static void put_numbers(struct packer *packer, const uint8_t *bytes, size_t len)
{
	while (len > 0 && !packer->pack.failed) {
		const size_t free_bytes = PIECE - packer->nr_waiting;
		const size_t part = len < free_bytes ? len : free_bytes;

		if (!array_grow(packer->piece, packer->room, packer->nr_waiting + part)) {
			packer->pack.failed = true;
			return;
		}
		memcpy(packer->piece + packer->nr_waiting, bytes, part);
		packer->nr_waiting += part;
		bytes += part;
		len -= part;
		if (packer->nr_waiting == PIECE)
			pack_piece(packer);
	}
}

void codec_pack_put(struct codec_pack *pack, const void *bytes, size_t len)
{
	struct packer *packer = (struct packer *)(void *)pack;

	if (packer->numbers)
		put_numbers(packer, bytes, len);
	else
		pack_bytes(packer, bytes, len);
}

void codec_pack_divide(struct codec_pack *pack)
{
	struct packer *packer = (struct packer *)(void *)pack;

	pack_piece(packer);
	run_packer(packer, Z_BLOCK);
}

bool codec_pack_end(struct codec_pack *pack)
{
	struct packer *packer = (struct packer *)(void *)pack;

	pack_piece(packer);
	run_packer(packer, Z_FINISH);
	return !pack->failed;
}

void codec_pack_destroy(struct codec_pack *pack)
{
	struct packer *packer = (struct packer *)(void *)pack;

	if (!packer)
		return;
	deflateEnd(&packer->stream);
	free(packer->piece);
	free(pack->bytes);
	free(packer);
}
