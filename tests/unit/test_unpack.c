/* Unpacking: what the writers of packed files make, whole and damaged. */
#include "util/codec/unpack.h"

#include "tests/support/suite.h"
#include "tests/writer/mkperf.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 700 * 1024 }; /* more than the first block */

static uint8_t *text;

static void setup(void)
{
	uint32_t value = 1;

	text = malloc(TEXT_BYTES);
	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < TEXT_BYTES; i++) {
		value = value * 1103515245 + 12345;
		text[i] = (uint8_t)(value >> 24);
	}
}

static void teardown(void)
{
	free(text);
}

/* Unpacks the first @len bytes of what @wrapper makes of the text. */
static void *unpack_part(int wrapper, size_t cut, size_t limit, size_t *size)
{
	size_t len = 0;
	uint8_t *packed = mkperf_wrap((enum mkperf_wrapper)wrapper, text, TEXT_BYTES, &len);
	bool nomem = false;
	void *bytes;

	ck_assert_ptr_nonnull(packed);
	ck_assert(unpack_knows(packed));
	bytes = unpack(span_make(packed, len - cut, false), limit, size, &nomem);
	ck_assert(!nomem);
	free(packed);
	return bytes;
}

START_TEST(all_formats_give_back_what_was_packed)
{
	size_t size = 0;
	uint8_t *bytes = unpack_part(_i, 0, 2 * TEXT_BYTES, &size);

	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq(size, TEXT_BYTES);
	ck_assert_mem_eq(bytes, text, TEXT_BYTES);
	free(bytes);
}
END_TEST

START_TEST(what_is_cut_off_or_too_large_gives_nothing)
{
	size_t size = 0;

	for (size_t cut = 1; cut < TEXT_BYTES / 2; cut = cut * 3 + 1)
		ck_assert_ptr_null(unpack_part(_i, cut, 2 * TEXT_BYTES, &size));
	ck_assert_ptr_null(unpack_part(_i, 0, TEXT_BYTES - 1, &size));
	ck_assert_ptr_null(unpack_part(_i, 0, 0, &size));
}
END_TEST

START_TEST(damaged_bytes_give_nothing_or_other_bytes)
{
	size_t len = 0, size = 0;
	uint8_t *packed = mkperf_wrap((enum mkperf_wrapper)_i, text, TEXT_BYTES, &len);
	bool nomem = false;

	ck_assert_ptr_nonnull(packed);
	for (size_t at = UNPACK_HEAD_BYTES; at < len; at = at * 2) {
		uint8_t before = packed[at];

		packed[at] ^= 0xff;
		free(unpack(span_make(packed, len, false), 2 * TEXT_BYTES, &size, &nomem));
		packed[at] = before;
	}
	ck_assert(!nomem);
	free(packed);
}
END_TEST

START_TEST(other_bytes_are_not_known)
{
	const uint8_t elf[UNPACK_HEAD_BYTES] = {0x7f, 'E', 'L', 'F', 2, 1};
	bool nomem = false;
	size_t size = 0;

	ck_assert(!unpack_knows(elf));
	ck_assert_ptr_null(unpack(span_make(elf, sizeof(elf), false), 100, &size, &nomem));
	ck_assert_ptr_null(unpack(span_make("\x1f\x8b", 2, false), 100, &size, &nomem));
	ck_assert_ptr_null(unpack(span_make("", 0, false), 100, &size, &nomem));
	ck_assert(!nomem);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("unpack");
	TCase *tc = tcase_create("unpack");

	tcase_set_timeout(tc, 0);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, all_formats_give_back_what_was_packed, 0, MKPERF_BZIP2);
	tcase_add_loop_test(tc, what_is_cut_off_or_too_large_gives_nothing, 0, MKPERF_BZIP2);
	tcase_add_loop_test(tc, damaged_bytes_give_nothing_or_other_bytes, 0, MKPERF_BZIP2);
	tcase_add_test(tc, other_bytes_are_not_known);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
