#include "report/export/protobuf.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

void protobuf_number(struct protobuf *message, uint64_t value)
{
	enum { LEB128_MAX = 10 };

	if (!array_grow(message->bytes, message->room, message->len + LEB128_MAX)) {
		message->failed = true;
		return;
	}
	for (; value > 0x7f; value >>= 7)
		message->bytes[message->len++] = (uint8_t)(value | 0x80);
	message->bytes[message->len++] = (uint8_t)value;
}

void protobuf_u64(struct protobuf *message, unsigned field, uint64_t value)
{
	if (!value)
		return;
	protobuf_number(message, field << 3 | WIRE_VARINT);
	protobuf_number(message, value);
}

void protobuf_raw(struct protobuf *message, const void *bytes, size_t len)
{
	if (!len)
		return;
	if (!array_grow(message->bytes, message->room, message->len + len)) {
		message->failed = true;
		return;
	}
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): @len is not 0 */
	memcpy(message->bytes + message->len, bytes, len);
	message->len += len;
}

void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t len)
{
	protobuf_number(message, field << 3 | WIRE_BYTES);
	protobuf_number(message, len);
	protobuf_raw(message, bytes, len);
}

void protobuf_message(struct protobuf *message, unsigned field, const struct protobuf *inner)
{
	message->failed |= inner->failed;
	protobuf_bytes(message, field, inner->bytes, inner->len);
}

void protobuf_free(struct protobuf *message)
{
	free(message->bytes);
	*message = (struct protobuf){0};
}
