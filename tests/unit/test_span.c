/* The bounds-checked cursor: every reader at every number of bytes left, in both byte orders. */
#include "util/span.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { BYTES = 12 };

/* 1, 2, ... BYTES in a heap block of exactly @len bytes, so that a sanitizer sees a byte too far.
 */
static uint8_t *counting_bytes(size_t len)
{
	uint8_t *bytes = malloc(len ? len : 1);

	ck_assert_ptr_nonnull(bytes);
	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)(i + 1);
	return bytes;
}

/* The value of @width counting bytes from @first on, the first one lowest or, if @big, highest. */
static uint64_t value_of(size_t width, size_t first, bool big)
{
	uint64_t value = 0;

	for (size_t i = 0; i < width; i++)
		value |= (uint64_t)(first + i + 1) << 8 * (big ? width - 1 - i : i);
	return value;
}

static bool reads_big(bool swap)
{
	return swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static uint64_t read_u8(struct span *s)
{
	return span_u8(s);
}

static uint64_t read_u16(struct span *s)
{
	return span_u16(s);
}

static uint64_t read_u32(struct span *s)
{
	return span_u32(s);
}

static uint64_t read_u64(struct span *s)
{
	return span_u64(s);
}

static const struct {
	size_t width;
	uint64_t (*read)(struct span *s);
} readers[] = {{1, read_u8}, {2, read_u16}, {4, read_u32}, {8, read_u64}};

/* Reads on until nothing is left: whole values first, then a failure that stays. */
START_TEST(integers)
{
	size_t width = readers[_i / 2].width;
	bool swap = _i % 2;

	for (size_t len = 0; len <= BYTES; len++) {
		uint8_t *bytes = counting_bytes(len);
		struct span s = span_make(bytes, len, swap);
		size_t at = 0;

		for (; len - at >= width; at += width) {
			ck_assert_uint_eq(span_left(&s), len - at);
			ck_assert_uint_eq(readers[_i / 2].read(&s),
					  value_of(width, at, reads_big(swap)));
			ck_assert(!s.failed);
		}
		ck_assert_uint_eq(readers[_i / 2].read(&s), 0);
		ck_assert(s.failed);
		ck_assert_uint_eq(span_left(&s), 0);
		/* Even a smaller read must not hand out the rest now. */
		ck_assert_uint_eq(span_u8(&s), 0);
		ck_assert(s.failed);
		free(bytes);
	}
}
END_TEST

/* At every offset of every number of bytes; the cursor, which is one byte in, stays. */
START_TEST(peek)
{
	for (size_t len = 1; len <= BYTES; len++) {
		uint8_t *bytes = counting_bytes(len);

		for (size_t offset = 0; offset <= BYTES; offset++) {
			struct span s = span_make(bytes, len, _i != 0);
			const uint64_t there = 1 + offset + 8 <= len
						       ? value_of(8, 1 + offset, reads_big(_i != 0))
						       : 0;

			span_skip(&s, 1);
			ck_assert_uint_eq(span_peek_u64(&s, offset), there);
			ck_assert_uint_eq(span_left(&s), len - 1);
			ck_assert(!s.failed);
		}
		free(bytes);
	}
}
END_TEST

START_TEST(take_and_skip)
{
	for (size_t len = 0; len <= BYTES; len++) {
		uint8_t *bytes = counting_bytes(len);

		for (size_t want = 0; want <= BYTES + 1; want++) {
			struct span s = span_make(bytes, len, true), skipped = s;
			struct span part = span_take(&s, want);
			bool fits = want <= len;

			span_skip(&skipped, want);
			ck_assert(s.failed == !fits && part.failed == !fits);
			ck_assert(skipped.failed == !fits && skipped.pos == s.pos);
			ck_assert_uint_eq(span_left(&part), fits ? want : 0);
			ck_assert_uint_eq(span_left(&s), fits ? len - want : 0);
			ck_assert(part.swap);
			if (fits && want)
				ck_assert_uint_eq(span_u8(&part), 1);
		}
		free(bytes);
	}
}
END_TEST

START_TEST(bytes_are_copied_or_zeroed)
{
	for (size_t len = 0; len <= BYTES; len++) {
		uint8_t *bytes = counting_bytes(len);

		for (size_t want = 0; want <= BYTES; want++) {
			struct span s = span_make(bytes, len, false);
			uint8_t to[BYTES + 1];

			memset(to, 0xee, sizeof(to));
			span_bytes(&s, to, want);
			ck_assert(s.failed == (want > len));
			for (size_t i = 0; i < want; i++)
				ck_assert_uint_eq(to[i], want <= len ? i + 1 : 0);
			ck_assert_uint_eq(to[want], 0xee);
		}
		free(bytes);
	}
}
END_TEST

START_TEST(holds_survives_overflow)
{
	uint8_t bytes[24] = {0};
	struct span s = span_make(bytes, sizeof(bytes), false);

	ck_assert(span_holds(&s, 0, 8));
	ck_assert(span_holds(&s, 3, 8));
	ck_assert(!span_holds(&s, 4, 8));
	ck_assert(!span_holds(&s, 2, 16));
	ck_assert(span_holds(&s, 24, 1));
	ck_assert(!span_holds(&s, UINT64_MAX, 1));
	ck_assert(!span_holds(&s, UINT64_C(1) << 61, 8)); /* times 8: 0 */
	ck_assert(!span_holds(&s, (UINT64_C(1) << 61) + 1, 8));
	ck_assert(!span_holds(&s, UINT64_MAX, SIZE_MAX));
	ck_assert(!span_holds(&s, 1, SIZE_MAX));
	(void)span_u64(&s);
	ck_assert(span_holds(&s, 2, 8));
	ck_assert(!span_holds(&s, 3, 8));
	ck_assert(span_take(&s, UINT64_MAX).failed && s.failed);
	ck_assert(!span_holds(&s, 1, 1));
}
END_TEST

START_TEST(strings)
{
	static const char text[] = "ab\0\0c";
	struct span s = span_make(text, sizeof(text) - 1, false);
	size_t len = 99;

	ck_assert_str_eq(span_cstr(&s, &len), "ab");
	ck_assert_uint_eq(len, 2);
	ck_assert_str_eq(span_cstr(&s, &len), "");
	ck_assert_uint_eq(len, 0);
	ck_assert_uint_eq(span_left(&s), 1);
	ck_assert_ptr_null(span_cstr(&s, &len)); /* "c" has no NUL inside */
	ck_assert(s.failed);
	ck_assert_uint_eq(span_left(&s), 0);
	ck_assert_ptr_null(span_cstr(&s, NULL));
}
END_TEST

/* With @len bytes left and the NUL at byte @nul of them. */
START_TEST(strings_at_every_length)
{
	for (size_t len = 0; len <= BYTES; len++) {
		for (size_t nul = 0; nul <= len; nul++) {
			uint8_t *bytes = counting_bytes(len);
			struct span s = span_make(bytes, len, false);
			size_t found = 99;

			if (nul < len)
				bytes[nul] = 0;
			ck_assert((span_cstr(&s, &found) != NULL) == (nul < len));
			ck_assert_uint_eq(found, nul < len ? nul : 99);
			ck_assert_uint_eq(span_left(&s), nul < len ? len - nul - 1 : 0);
			ck_assert(s.failed == (nul == len));
			free(bytes);
		}
	}
}
END_TEST

/* An all-zero span is what a missing section looks like. */
START_TEST(no_bytes_at_all)
{
	struct span s = span_make(NULL, 0, false);
	uint8_t to[4] = {1, 1, 1, 1};

	ck_assert_uint_eq(span_left(&s), 0);
	span_bytes(&s, to, 0);
	ck_assert(!s.failed);
	ck_assert(!span_take(&s, 0).failed);
	ck_assert_ptr_null(span_cstr(&s, NULL));
	span_bytes(&s, to, sizeof(to));
	ck_assert_uint_eq(to[3], 0);
	ck_assert_uint_eq(span_u64(&s), 0);
	ck_assert(s.failed);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("span");
	TCase *tcase = tcase_create("span");

	tcase_add_loop_test(tcase, integers, 0, 8);
	tcase_add_loop_test(tcase, peek, 0, 2);
	tcase_add_test(tcase, take_and_skip);
	tcase_add_test(tcase, bytes_are_copied_or_zeroed);
	tcase_add_test(tcase, holds_survives_overflow);
	tcase_add_test(tcase, strings);
	tcase_add_test(tcase, strings_at_every_length);
	tcase_add_test(tcase, no_bytes_at_all);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
