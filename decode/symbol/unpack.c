#include "decode/symbol/unpack.h"

#include "decode/symbol/minidebug.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 256 * 1024 };

static const struct format {
	uint8_t head[UNPACK_HEAD_BYTES];
	size_t len;
	void *(*unpack)(struct span packed, size_t limit, size_t *size, bool *nomem);
} formats[] = {
	{{0x1f, 0x8b}, 2, unpack_gzip},				 /* RFC 1952 */
	{{0xfd, '7', 'z', 'X', 'Z', 0x00}, 6, minidebug_unpack}, /* the .xz file format */
	{{0x28, 0xb5, 0x2f, 0xfd}, 4, unpack_zstd},		 /* RFC 8878 */
};

static const struct format *find_format(const uint8_t *head)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (memcmp(head, formats[i].head, formats[i].len) == 0)
			return &formats[i];
	return NULL;
}

bool unpack_knows(const uint8_t head[UNPACK_HEAD_BYTES])
{
	return find_format(head);
}

void *unpack(struct span packed, size_t limit, size_t *size, bool *nomem)
{
	const struct format *format =
		span_left(&packed) < UNPACK_HEAD_BYTES ? NULL : find_format(packed.pos);

	return format ? format->unpack(packed, limit, size, nomem) : NULL;
}

bool unpack_grow(struct unpack_block *block, bool *nomem)
{
	size_t room = block->room ? block->room * 2 : FIRST_BYTES;
	uint8_t *grown;

	if (block->room >= block->limit)
		return false;
	room = room < block->limit ? room : block->limit;
	grown = realloc(block->bytes, room);
	if (!grown) {
		*nomem = true;
		return false;
	}
	block->bytes = grown;
	block->room = room;
	return true;
}
