#include "perffile/order/compressed.h"

#include "util/codec/codec.h"

#include <string.h>

/*
 * COMPRESSED2 has the size of its zstd bytes, followed by padding to whole words. Some writers give
 * a larger size, and perf record --aio before 7.2 wrote neither size nor padding, so an impossible
 * size is ignored.
 */
struct span compressed_bytes(const struct raw_record *raw, bool swap)
{
	struct span body = raw_body(raw, swap);
	uint64_t size, left;

	if (raw->type != RECORD_COMPRESSED2)
		return body;
	size = span_u64(&body);
	left = span_left(&body);
	if (raw->size % 8 != 0 || size > left || left - size >= 8)
		size = left;
	return span_take(&body, size);
}

bool compressed_starts_frame(struct span bytes)
{
	return span_left(&bytes) >= codec_zstd.magic_len &&
	       memcmp(bytes.pos, codec_zstd.magic, codec_zstd.magic_len) == 0;
}

/* RFC 8878, 3.1.1.1: the magic, a descriptor, then fields whose sizes are in the descriptor. */
static void skip_frame_header(struct span *s)
{
	static const uint8_t dictionary_bytes[] = {0, 1, 2, 4};
	uint8_t descriptor, content;
	bool single;

	span_skip(s, codec_zstd.magic_len);
	descriptor = span_u8(s);
	single = descriptor & 1 << 5;
	content = descriptor >> 6;
	span_skip(s, single ? 0 : 1);
	span_skip(s, dictionary_bytes[descriptor & 3]);
	span_skip(s, content ? (uint64_t)1 << content : single);
}

/* RFC 8878, 3.1.1.2: three bytes, lowest first: bit 0 last block, bits 1-2 type, then the size. */
static void skip_block(struct span *s)
{
	enum { BLOCK_RLE = 1, BLOCK_RESERVED = 3 };
	uint32_t header = span_u8(s), type;

	header |= (uint32_t)span_u8(s) << 8;
	header |= (uint32_t)span_u8(s) << 16;
	type = header >> 1 & 3;
	if (type == BLOCK_RESERVED)
		span_fail(s);
	span_skip(s, type == BLOCK_RLE ? 1 : header >> 3);
}

bool compressed_is_filled(const struct raw_record *raw, bool swap)
{
	struct span s = compressed_bytes(raw, swap);

	if (span_left(&s) == 0)
		return false;
	if (compressed_starts_frame(s))
		skip_frame_header(&s);
	while (span_left(&s) > 0)
		skip_block(&s);
	return !s.failed;
}
