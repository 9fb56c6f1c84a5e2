#include "tests/support/inflated.h"

#include "tests/support/suite.h"

#include <zlib.h>

size_t inflated_bytes(const struct pagenumbers *packed, uint8_t *bytes, size_t room)
{
	z_stream stream = {.next_in = packed->pack->bytes,
			   .avail_in = (uInt)packed->pack->kept,
			   .next_out = bytes,
			   .avail_out = (uInt)room};

	ck_assert_int_eq(inflateInit2(&stream, -MAX_WBITS), Z_OK);
	ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
	inflateEnd(&stream);
	return stream.total_out;
}

uint64_t inflated_number(const uint8_t **at)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		const uint8_t byte = *(*at)++;

		value |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return value;
	}
}

void inflated_column(const uint8_t **at, uint64_t *column, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		column[i] = inflated_number(at);
}

void inflated_planes(const uint8_t **at, int64_t *column, size_t nr)
{
	const uint8_t *low = *at, *high = low + nr;

	*at += 2 * nr;
	for (size_t i = 0; i < nr; i++) {
		const uint64_t rest = inflated_number(at);

		column[i] =
			(int64_t)(rest >> 1 ^ (0 - (rest & 1))) * 65536 + high[i] * 256 + low[i];
	}
}
