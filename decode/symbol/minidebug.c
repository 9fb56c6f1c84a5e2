#include "decode/symbol/minidebug.h"

#include <lzma.h>
#include <stdlib.h>

enum {
	FIRST_BYTES = 256 * 1024,
	MAX_BYTES = 256 * 1024 * 1024, /* of symbols; those of a browser have 20 MB */
	MAX_DICTIONARY = 128 * 1024 * 1024,
};

/* Unpacks until the end of the stream; the block at *@bytes grows up to @limit. */
static lzma_ret unpack_all(lzma_stream *stream, size_t limit, uint8_t **bytes)
{
	size_t room = 0;
	lzma_ret ret = LZMA_OK;

	while (ret == LZMA_OK) {
		if (stream->avail_out == 0) {
			size_t used = room;
			uint8_t *grown;

			if (room >= limit)
				return LZMA_MEMLIMIT_ERROR;
			room = room ? room * 2 : FIRST_BYTES;
			room = room < limit ? room : limit;
			grown = realloc(*bytes, room);
			if (!grown)
				return LZMA_MEM_ERROR;
			*bytes = grown;
			stream->next_out = grown + used;
			stream->avail_out = room - used;
		}
		ret = lzma_code(stream, LZMA_FINISH);
	}
	return ret;
}

void *minidebug_unpack(struct span packed, size_t limit, size_t *size, bool *nomem)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	uint8_t *bytes = NULL;
	lzma_ret ret = lzma_stream_decoder(&stream, MAX_DICTIONARY, 0);

	if (ret == LZMA_OK) {
		stream.next_in = packed.pos;
		stream.avail_in = span_left(&packed);
		ret = unpack_all(&stream, limit, &bytes);
	}
	*size = (size_t)stream.total_out;
	lzma_end(&stream);
	if (ret == LZMA_STREAM_END)
		return bytes;
	*nomem |= ret == LZMA_MEM_ERROR;
	free(bytes);
	return NULL;
}

struct elf_file *minidebug_open(const struct elf_file *file, bool *nomem)
{
	struct span packed = elf_section_bytes(file, elf_section_named(file, ".gnu_debugdata"));
	struct elf_file *unpacked;
	size_t size;
	void *bytes;

	if (!span_left(&packed))
		return NULL;
	bytes = minidebug_unpack(packed, MAX_BYTES, &size, nomem);
	if (!bytes)
		return NULL;
	unpacked = elf_file_adopt(bytes, size, nomem);
	if (unpacked && (unpacked->is_truncated || unpacked->machine != file->machine)) {
		elf_file_close(unpacked);
		return NULL;
	}
	return unpacked;
}
