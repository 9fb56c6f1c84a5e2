/* Sections that are compressed: unpacked to exactly what is announced, or not at all. */
#include "decode/symbol/elf/elfpacked.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { UNPACKED = 64, HEADER_MAX = 24, BY_ZLIB = 1, BY_ZSTD = 2 };

/* "abcdefgh" eight times. */
static const uint8_t zlib_bytes[] = {0x78, 0xda, 0x4b, 0x4c, 0x4a, 0x4e, 0x49, 0x4d, 0x4b, 0xcf,
				     0x48, 0x24, 0x93, 0x06, 0x00, 0x2f, 0xad, 0x19, 0x21};

#ifdef HAVE_LIBDEFLATE
static const bool can_zlib = true;
#else
static const bool can_zlib = false; /* libelf unpacks it */
#endif

static size_t put(uint8_t *to, uint64_t value, size_t bytes, bool swap)
{
	for (size_t i = 0; i < bytes; i++)
		to[swap ? bytes - 1 - i : i] = (uint8_t)(value >> 8 * i);
	return bytes;
}

/* Writes a section of @type that announces @size bytes and has the first @len of the stream. */
static struct span put_section(uint8_t section[HEADER_MAX + sizeof(zlib_bytes)], uint32_t type,
			       uint64_t size, size_t len, bool is_64bit, bool swap)
{
	const size_t word = is_64bit ? 8 : 4;
	size_t at = put(section, type, 4, swap);

	if (is_64bit)
		at += put(section + at, 0xdead, 4, swap);
	at += put(section + at, size, word, swap);
	at += put(section + at, 1, word, swap);
	memcpy(section + at, zlib_bytes, len);
	return span_make(section, at + len, swap);
}

/* Opens such a section. */
static void *open_section(uint32_t type, uint64_t size, size_t len, bool is_64bit, bool swap)
{
	uint8_t section[HEADER_MAX + sizeof(zlib_bytes)];
	uint64_t unpacked = 0;
	void *bytes = elfpacked_open(put_section(section, type, size, len, is_64bit, swap),
				     is_64bit, &unpacked);

	ck_assert_uint_eq(unpacked, size);
	return bytes;
}

START_TEST(whole)
{
	char *bytes = open_section(BY_ZLIB, UNPACKED, sizeof(zlib_bytes), _i & 1, _i & 2);

	ck_assert(!bytes == !can_zlib);
	for (size_t i = 0; bytes && i < UNPACKED; i++)
		ck_assert_int_eq(bytes[i], "abcdefgh"[i % 8]);
	free(bytes);
}
END_TEST

/* Sizes that are not those of the bytes, or cannot be; streams that are cut; other ones. */
START_TEST(not_whole)
{
	ck_assert_ptr_null(open_section(BY_ZLIB, UNPACKED - 1, sizeof(zlib_bytes), true, false));
	ck_assert_ptr_null(open_section(BY_ZLIB, UNPACKED + 1, sizeof(zlib_bytes), true, false));
	ck_assert_ptr_null(open_section(BY_ZLIB, 0, sizeof(zlib_bytes), true, false));
	ck_assert_ptr_null(open_section(BY_ZLIB, UINT64_MAX, sizeof(zlib_bytes), true, false));
	ck_assert_ptr_null(open_section(BY_ZSTD, UNPACKED, sizeof(zlib_bytes), true, false));
	ck_assert_ptr_null(open_section(7, UNPACKED, sizeof(zlib_bytes), true, false));
	for (size_t len = 0; len < sizeof(zlib_bytes); len++)
		ck_assert_ptr_null(open_section(BY_ZLIB, UNPACKED, len, true, false));
}
END_TEST

/* Bytes that repeat at all distances and lengths, and some that do not. */
static void fill(uint8_t *bytes, size_t size)
{
	uint32_t seed = 1;

	for (size_t i = 0; i < size; i++) {
		seed = seed * 1664525 + 1013904223;
		bytes[i] = i > 1000 && seed >> 30 ? bytes[i - 1 - i % 900] : (uint8_t)(seed >> 24);
	}
}

/* The first bytes are those of the whole, however they are packed. */
START_TEST(starts)
{
	enum { STEP = 487, SIZE = 411 * STEP };
	static const int levels[] = {0, 1, 6, 9};
	static uint8_t all[SIZE], section[2 * SIZE];
	uLongf len = sizeof(section) - HEADER_MAX;
	struct span packed;

	fill(all, SIZE);
	put(section, BY_ZLIB, 4, false);
	put(section + 8, SIZE, 8, false);
	ck_assert_int_eq(compress2(section + HEADER_MAX, &len, all, SIZE, levels[_i]), Z_OK);
	packed = span_make(section, HEADER_MAX + len, false);
	for (size_t size = 0; size <= SIZE; size += STEP) {
		uint8_t *bytes = elfpacked_start(packed, true, size);

		ck_assert(!bytes == !can_zlib);
		if (bytes)
			ck_assert_mem_eq(bytes, all, size);
		free(bytes);
	}
	ck_assert_ptr_null(elfpacked_start(packed, true, SIZE + 1));
	ck_assert_ptr_null(elfpacked_start(packed, true, UINT64_MAX));
	section[HEADER_MAX + len - 1] ^= 1; /* of the checksum */
	ck_assert_ptr_null(elfpacked_start(packed, true, SIZE));
	section[HEADER_MAX] = 0; /* no zlib header */
	ck_assert_ptr_null(elfpacked_start(packed, true, 1));
	put(section, BY_ZSTD, 4, false);
	ck_assert_ptr_null(elfpacked_start(packed, true, 1));
}
END_TEST

/* A header that is cut. */
START_TEST(no_header)
{
	const uint8_t header[HEADER_MAX] = {BY_ZLIB};
	uint64_t size;

	for (size_t len = 0; len < HEADER_MAX; len++)
		ck_assert_ptr_null(elfpacked_open(span_make(header, len, false), true, &size));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("elfpacked");
	TCase *tcase = tcase_create("elfpacked");

	tcase_add_loop_test(tcase, whole, 0, 4);
	tcase_add_loop_test(tcase, starts, 0, 4);
	tcase_add_test(tcase, not_whole);
	tcase_add_test(tcase, no_header);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
