#include "util/codec/wrappedfile.h"

#include <stdlib.h>

enum { OUT_BYTES = 256 * 1024 };

int wrappedfile_start(struct wrappedfile *unwrap, const uint8_t *head, size_t len, uint64_t limit,
		      struct error *err)
{
	*unwrap = (struct wrappedfile){.codec = codec_by_magic(head, len), .limit = limit};
	unwrap->state = unwrap->codec->create();
	unwrap->out = malloc(OUT_BYTES);
	if (unwrap->state && unwrap->out)
		return 0;
	wrappedfile_free(unwrap);
	return error_nomem(err, "decompressing a file");
}

int wrappedfile_put(struct wrappedfile *unwrap, struct spool *copy, const uint8_t *bytes,
		    size_t len, struct error *err)
{
	unwrap->nr_in += len;
	for (;;) {
		uint8_t *out = unwrap->out;
		size_t room = OUT_BYTES;
		enum codec_result result =
			unwrap->codec->unpack(unwrap->state, &bytes, &len, &out, &room);

		unwrap->too_large = OUT_BYTES - room > unwrap->limit - copy->size;
		if (unwrap->too_large)
			return 0;
		if (spool_put(copy, unwrap->out, OUT_BYTES - room, err) < 0)
			return -1;
		if (unwrap->recording &&
		    codec_check_ratio(unwrap->recording, unwrap->nr_in, copy->size, err) < 0)
			return -1;
		if (result == CODEC_NOMEM)
			return error_nomem(err, "decompressing a file");
		unwrap->damaged = result == CODEC_DAMAGED;
		unwrap->ended = result == CODEC_END;
		if (unwrap->damaged)
			return 0;
		if (len == 0 && (room > 0 || unwrap->ended))
			return 1;
	}
}

bool wrappedfile_is_whole(const struct wrappedfile *unwrap)
{
	return unwrap->ended && !unwrap->damaged && !unwrap->too_large;
}

void wrappedfile_free(struct wrappedfile *unwrap)
{
	if (unwrap->state)
		unwrap->codec->destroy(unwrap->state);
	free(unwrap->out);
	*unwrap = (struct wrappedfile){0};
}
