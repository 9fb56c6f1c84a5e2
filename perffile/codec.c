#include "perffile/codec.h"

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
