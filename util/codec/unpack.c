#include "util/codec/unpack.h"

#include "util/codec/codec.h"

#include <stdlib.h>

enum { FIRST_BYTES = 256 * 1024 };

/* The output block. */
struct unpacked {
	uint8_t *bytes;
	size_t used, room, limit;
};

bool unpack_knows(const uint8_t head[UNPACK_HEAD_BYTES])
{
	return codec_by_magic(head, UNPACK_HEAD_BYTES) != NULL;
}

/* Enlarges the block, at most to its limit. False if it is at its limit, or with *@nomem set. */
static bool grow(struct unpacked *block, bool *nomem)
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

/* Decompresses @packed. True if the end of the stream was reached. */
static bool fill(struct unpacked *block, const struct codec *codec, void *state, struct span packed,
		 bool *nomem)
{
	const uint8_t *in = packed.pos;
	size_t left = span_left(&packed);

	for (;;) {
		const size_t had_in = left, had_out = block->used;
		enum codec_result result;
		uint8_t *out;
		size_t room;

		if (block->used == block->room && !grow(block, nomem))
			return false;
		out = block->bytes + block->used;
		room = block->room - block->used;
		result = codec->unpack(state, &in, &left, &out, &room);
		block->used = block->room - room;
		*nomem |= result == CODEC_NOMEM;
		if (result != CODEC_MORE)
			return result == CODEC_END;
		if (left == had_in && block->used == had_out)
			return false; /* truncated */
	}
}

void *unpack(struct span packed, size_t limit, size_t *size, bool *nomem)
{
	const struct codec *codec = codec_by_magic(packed.pos, span_left(&packed));
	/* One byte more: a stream that has filled its block may need another call to reach its
	 * end. */
	struct unpacked block = {.limit = limit < SIZE_MAX ? limit + 1 : limit};
	void *state;
	bool whole;

	*size = 0;
	if (!codec)
		return NULL;
	state = codec->create();
	if (!state) {
		*nomem = true;
		return NULL;
	}
	whole = fill(&block, codec, state, packed, nomem);
	codec->destroy(state);
	*size = block.used;
	if (whole && block.used <= limit)
		return block.bytes;
	free(block.bytes);
	return NULL;
}
