#include "util/codec/wrappedfile.h"

#include <stdlib.h>

enum { OUT_BYTES = 256 * 1024 };

int wrappedfile_start(struct wrappedfile *wrapped, const char *name, const uint8_t *head,
		      size_t len, uint64_t limit, struct error *err)
{
	*wrapped = (struct wrappedfile){
		.codec = codec_by_magic(head, len), .name = name, .limit = limit};
	wrapped->state = wrapped->codec->create();
	wrapped->out = malloc(OUT_BYTES);
	if (wrapped->state && wrapped->out)
		return 0;
	wrappedfile_free(wrapped);
	return error_nomem(err, "decompressing a file");
}

int wrappedfile_put(struct wrappedfile *wrapped, struct spool *copy, const uint8_t *bytes,
		    size_t len, struct error *err)
{
	wrapped->nr_in += len;
	for (;;) {
		uint8_t *out = wrapped->out;
		size_t room = OUT_BYTES;
		enum codec_result result =
			wrapped->codec->unpack(wrapped->state, &bytes, &len, &out, &room);

		wrapped->too_large = OUT_BYTES - room > wrapped->limit - copy->size;
		if (wrapped->too_large)
			return 0;
		if (spool_put(copy, wrapped->out, OUT_BYTES - room, err) < 0)
			return -1;
		if (codec_check_ratio(wrapped->name, wrapped->nr_in, copy->size, err) < 0)
			return -1;
		if (result == CODEC_NOMEM)
			return error_nomem(err, "decompressing a file");
		wrapped->damaged = result == CODEC_DAMAGED;
		wrapped->ended = result == CODEC_END;
		if (wrapped->damaged)
			return 0;
		if (len == 0 && (room > 0 || wrapped->ended))
			return 1;
	}
}

bool wrappedfile_is_whole(const struct wrappedfile *wrapped)
{
	return wrapped->ended && !wrapped->damaged && !wrapped->too_large;
}

void wrappedfile_free(struct wrappedfile *wrapped)
{
	if (wrapped->state)
		wrapped->codec->destroy(wrapped->state);
	free(wrapped->out);
	*wrapped = (struct wrappedfile){0};
}
