#include "report/export/thrift.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>

enum { SHORT_LIST = 15, SHORT_STEP = 15 };

void thrift_clear(struct thrift *to)
{
	to->len = 0;
	to->depth = 0;
	to->last[0] = 0;
}

void thrift_raw(struct thrift *to, const void *bytes, size_t len)
{
	to->failed |= !array_grow(to->bytes, to->room, to->len + len);
	if (to->failed || !len)
		return;
	memcpy(to->bytes + to->len, bytes, len);
	to->len += len;
}

static void put_byte(struct thrift *to, unsigned byte)
{
	const uint8_t value = (uint8_t)byte;

	thrift_raw(to, &value, 1);
}

void thrift_varint(struct thrift *to, uint64_t value)
{
	uint8_t bytes[10];
	size_t len = 0;

	for (; value > 0x7f; value >>= 7)
		bytes[len++] = (uint8_t)(value | 0x80);
	bytes[len++] = (uint8_t)value;
	thrift_raw(to, bytes, len);
}

static void put_signed(struct thrift *to, int64_t value)
{
	thrift_varint(to, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

void thrift_field(struct thrift *to, unsigned field, enum thrift_type type)
{
	const unsigned step = field - to->last[to->depth];

	if (field == 0)
		return;
	if (step <= SHORT_STEP) {
		put_byte(to, step << 4 | type);
	} else {
		put_byte(to, type);
		put_signed(to, field);
	}
	to->last[to->depth] = field;
}

void thrift_i32(struct thrift *to, unsigned field, int32_t value)
{
	thrift_field(to, field, THRIFT_I32);
	put_signed(to, value);
}

void thrift_i64(struct thrift *to, unsigned field, int64_t value)
{
	thrift_field(to, field, THRIFT_I64);
	put_signed(to, value);
}

void thrift_bytes(struct thrift *to, unsigned field, const void *bytes, size_t len)
{
	thrift_field(to, field, THRIFT_BYTES);
	thrift_varint(to, len);
	thrift_raw(to, bytes, len);
}

void thrift_list(struct thrift *to, unsigned field, enum thrift_type type, size_t nr)
{
	thrift_field(to, field, THRIFT_LIST);
	put_byte(to, (nr < SHORT_LIST ? (unsigned)nr : SHORT_LIST) << 4 | type);
	if (nr >= SHORT_LIST)
		thrift_varint(to, nr);
}

void thrift_open(struct thrift *to, unsigned field)
{
	thrift_field(to, field, THRIFT_STRUCT);
	to->last[++to->depth] = 0;
}

void thrift_close(struct thrift *to)
{
	put_byte(to, 0);
	if (to->depth)
		to->depth--;
}

void thrift_free(struct thrift *to)
{
	free(to->bytes);
	*to = (struct thrift){0};
}
