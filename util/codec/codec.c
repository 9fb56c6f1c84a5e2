#include "util/codec/codec.h"

#include <inttypes.h>
#include <string.h>

const struct codec *codec_by_magic(const uint8_t *head, size_t len)
{
	static const struct codec *const codecs[] = {&codec_gzip, &codec_xz, &codec_zstd,
						     &codec_bzip2};

	for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++) {
		if (len >= codecs[i]->magic_len &&
		    memcmp(head, codecs[i]->magic, codecs[i]->magic_len) == 0)
			return codecs[i];
	}
	return NULL;
}

size_t codec_start(const struct codec *codec, const void *packed, size_t len, void *to, size_t size)
{
	const uint8_t *in = packed;
	uint8_t *out = to;
	size_t left = size;
	void *state = codec->create();

	if (!state)
		return 0;
	(void)codec->unpack(state, &in, &len, &out, &left);
	codec->destroy(state);
	return size - left;
}

int codec_check_ratio(const char *name, uint64_t nr_in, uint64_t nr_out, struct error *err)
{
	/* Samples that differ only in their time are compressed to a thirtieth. */
	enum { RATIO_MAX = 200, FREE_BYTES = 64 << 20 };

	if (nr_out <= FREE_BYTES || (nr_out - FREE_BYTES) / RATIO_MAX <= nr_in)
		return 0;
	return error_set(err, ERROR_FORMAT,
			 "%s: %" PRIu64 " compressed bytes expand to more than %" PRIu64
			 ", expected at most %d times as many",
			 name, nr_in, nr_out, RATIO_MAX);
}
