/* The zstd codec: the only file that includes libzstd. */
#include "util/codec/codec.h"

#include <zstd.h>
#include <zstd_errors.h>

static void *zstd_create(void)
{
	return ZSTD_createDStream();
}

static enum codec_result zstd_run(void *state, const uint8_t **in, size_t *in_len, uint8_t **out,
				  size_t *out_len)
{
	ZSTD_inBuffer from = {.src = *in, .size = *in_len};
	ZSTD_outBuffer to = {.dst = *out, .size = *out_len};
	size_t rc = ZSTD_decompressStream(state, &to, &from);

	*in += from.pos;
	*in_len -= from.pos;
	*out += to.pos;
	*out_len -= to.pos;
	if (ZSTD_isError(rc))
		return ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation ? CODEC_NOMEM
									     : CODEC_DAMAGED;
	return rc == 0 ? CODEC_END : CODEC_MORE;
}

static void zstd_destroy(void *state)
{
	ZSTD_freeDStream(state);
}

const struct codec codec_zstd = {
	.name = "zstd",
	.magic = "\x28\xb5\x2f\xfd",
	.magic_len = 4,
	.create = zstd_create,
	.unpack = zstd_run,
	.destroy = zstd_destroy,
};
