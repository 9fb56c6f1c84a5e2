/* Sections that are compressed: unpacked to exactly what is announced, or not at all. */
#include "decode/symbol/elf/elfpacked.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

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

/* Opens a section of @type that announces @size bytes and has the first @len bytes of the stream.
 */
static void *open_section(uint32_t type, uint64_t size, size_t len, bool is_64bit, bool swap)
{
	uint8_t section[HEADER_MAX + sizeof(zlib_bytes)];
	const size_t word = is_64bit ? 8 : 4;
	uint64_t unpacked = 0;
	size_t at = put(section, type, 4, swap);
	void *bytes;

	if (is_64bit)
		at += put(section + at, 0xdead, 4, swap);
	at += put(section + at, size, word, swap);
	at += put(section + at, 1, word, swap);
	memcpy(section + at, zlib_bytes, len);
	bytes = elfpacked_open(span_make(section, at + len, swap), is_64bit, &unpacked);
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
	tcase_add_test(tcase, not_whole);
	tcase_add_test(tcase, no_header);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
