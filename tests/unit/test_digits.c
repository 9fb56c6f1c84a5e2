/* Digits are those of the C library, for all lengths of numbers. */
#include "util/digits.h"
#include "tests/support/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void check(uint64_t value)
{
	char expected[32], got[32] = "";

	*digits_u64(got, value) = '\0';
	snprintf(expected, sizeof(expected), "%" PRIu64, value);
	ck_assert_str_eq(got, expected);
	*digits_hex(got, value) = '\0';
	snprintf(expected, sizeof(expected), "%" PRIx64, value);
	ck_assert_str_eq(got, expected);
}

/* Where the number of digits changes, and where all of them do. */
START_TEST(at_powers)
{
	uint64_t power = 1;

	for (int i = 0; i < 20; i++, power *= 10)
		for (uint64_t times = 1; times < 10; times++)
			for (uint64_t off = 0; off < 3; off++)
				check(power * times - 1 + off);
	for (int bit = 0; bit < 64; bit++)
		for (uint64_t off = 0; off < 3; off++)
			check(((uint64_t)1 << bit) - 1 + off);
	check(UINT64_MAX);
}
END_TEST

/* Each value of the pieces that a number is split into. */
START_TEST(all_pieces)
{
	for (uint64_t i = 0; i < 10000; i++) {
		check(i);
		check(i * 10000 + 9999 - i);
		check(i * 100000000 + i);
		check(i * 1000000000000 + 99990000);
	}
}
END_TEST

START_TEST(anything)
{
	uint64_t random = 88172645463325252;

	for (int i = 0; i < 100000; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		check(random >> (i & 63));
	}
}
END_TEST

/* No more is written than there must be room for. */
START_TEST(room)
{
	char decimal[21], hex[17];

	memset(decimal, '#', sizeof(decimal));
	memset(hex, '#', sizeof(hex));
	ck_assert_ptr_eq(digits_u64(decimal, UINT64_MAX), decimal + 20);
	ck_assert_ptr_eq(digits_hex(hex, UINT64_MAX), hex + 16);
	ck_assert_int_eq(decimal[20], '#');
	ck_assert_int_eq(hex[16], '#');
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("digits");
	TCase *tcase = tcase_create("digits");

	tcase_add_test(tcase, at_powers);
	tcase_add_test(tcase, all_pieces);
	tcase_add_test(tcase, anything);
	tcase_add_test(tcase, room);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
