/* The zstd codec: the only file that includes libzstd. */
#include "util/array.h"
#include "util/codec/codec.h"
#include "util/codec/zstdpack.h"

#include <stdlib.h>
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

/* ---- the packer ------------------------------------------------------------------------------ */

enum { LEVEL = 3 };

struct codec_zstdpack {
	ZSTD_CCtx *context;
	uint8_t *packed;
	size_t room;
};

struct codec_zstdpack *codec_zstdpack_create(void)
{
	struct codec_zstdpack *pack = calloc(1, sizeof(*pack));

	if (!pack)
		return NULL;
	pack->context = ZSTD_createCCtx();
	if (pack->context)
		return pack;
	free(pack);
	return NULL;
}

size_t codec_zstdpack_run(struct codec_zstdpack *pack, const void *bytes, size_t len,
			  const uint8_t **packed)
{
	size_t done;

	if (!array_grow(pack->packed, pack->room, ZSTD_compressBound(len)))
		return 0;
	done = ZSTD_compressCCtx(pack->context, pack->packed, pack->room, bytes, len, LEVEL);
	*packed = pack->packed;
	return ZSTD_isError(done) ? 0 : done;
}

void codec_zstdpack_destroy(struct codec_zstdpack *pack)
{
	if (!pack)
		return;
	ZSTD_freeCCtx(pack->context);
	free(pack->packed);
	free(pack);
}
