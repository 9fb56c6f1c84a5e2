/* Whole files wrapped by the libraries themselves. */
#include "tests/writer/mkperf.h"

#include <bzlib.h>
#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

/* Room for anything that does not compress. */
static size_t room_for(size_t len)
{
	return len + len / 8 + 65536;
}

static bool wrap_gzip(const uint8_t *bytes, size_t len, uint8_t *out, size_t room, size_t *out_len)
{
	enum { GZIP_ONLY = 16, MEMORY_LEVEL = 8 };
	z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)bytes,
			   .avail_in = (uInt)len,
			   .next_out = out,
			   .avail_out = (uInt)room};
	bool done;

	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_ONLY + MAX_WBITS,
			 MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
	*out_len = stream.total_out;
	deflateEnd(&stream);
	return done;
}

static bool wrap_xz(const uint8_t *bytes, size_t len, uint8_t *out, size_t room, size_t *out_len)
{
	*out_len = 0;
	return lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, bytes, len, out, out_len, room) ==
	       LZMA_OK;
}

static bool wrap_zstd(const uint8_t *bytes, size_t len, uint8_t *out, size_t room, size_t *out_len)
{
	*out_len = ZSTD_compress(out, room, bytes, len, 1);
	return !ZSTD_isError(*out_len);
}

static bool wrap_bzip2(const uint8_t *bytes, size_t len, uint8_t *out, size_t room, size_t *out_len)
{
	enum { BLOCK_100K = 1, QUIET = 0, DEFAULT_WORK = 0 };
	unsigned used = (unsigned)room;
	char *in = (char *)(uintptr_t)(bytes ? (const void *)bytes : ""); /* NULL is refused */
	int rc = BZ2_bzBuffToBuffCompress((char *)out, &used, in, (unsigned)len, BLOCK_100K, QUIET,
					  DEFAULT_WORK);

	*out_len = used;
	return rc == BZ_OK;
}

uint8_t *mkperf_wrap(enum mkperf_wrapper wrapper, const uint8_t *bytes, size_t len,
		     size_t *wrapped_len)
{
	size_t room = room_for(len);
	uint8_t *out = malloc(room);
	bool done = false;

	if (out && wrapper == MKPERF_GZIP)
		done = wrap_gzip(bytes, len, out, room, wrapped_len);
	else if (out && wrapper == MKPERF_XZ)
		done = wrap_xz(bytes, len, out, room, wrapped_len);
	else if (out && wrapper == MKPERF_BZIP2)
		done = wrap_bzip2(bytes, len, out, room, wrapped_len);
	else if (out)
		done = wrap_zstd(bytes, len, out, room, wrapped_len);
	if (done)
		return out;
	free(out);
	return NULL;
}
