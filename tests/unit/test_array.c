/* Growing arrays: contents survive, room grows by half, impossible sizes are refused. */
#include "util/array.h"

#include "tests/support/suite.h"

#include <check.h>

START_TEST(contents_survive_growth)
{
	uint32_t *numbers = NULL;
	size_t room = 0, moves = 0;

	for (uint32_t i = 0; i < 100000; i++) {
		size_t before = room;

		if (!array_grow(numbers, room, i + 1))
			ck_abort_msg("out of memory");
		moves += room != before;
		numbers[i] = i * 3;
	}
	for (uint32_t i = 0; i < 100000; i++) {
		if (numbers[i] != i * 3)
			ck_abort_msg("number %u is %u", i, numbers[i]);
	}
	ck_assert_uint_lt(moves, 30); /* room grows by half each time */
	free(numbers);
}
END_TEST

START_TEST(enough_room_is_left_alone)
{
	char *bytes = NULL, *before;
	size_t room = 0;

	ck_assert(array_grow(bytes, room, 0));
	ck_assert_ptr_null(bytes);
	ck_assert(array_grow(bytes, room, 100));
	ck_assert_uint_ge(room, 100);
	before = bytes;
	ck_assert(array_grow(bytes, room, room));
	ck_assert_ptr_eq(bytes, before);
	free(bytes);
}
END_TEST

START_TEST(products_are_checked)
{
	uint64_t *numbers = NULL, *before;
	size_t room = 0;

	ck_assert(array_grow(numbers, room, 4));
	numbers[3] = 42;
	before = numbers;
	/* times 8: wraps round to 8 bytes */
	ck_assert(!array_grow(numbers, room, SIZE_MAX / 8 + 2));
	ck_assert(!array_grow(numbers, room, SIZE_MAX));
	ck_assert_ptr_eq(numbers, before);
	ck_assert_uint_lt(room, 100);
	ck_assert_uint_eq(numbers[3], 42);
	free(numbers);
}
END_TEST

START_TEST(reserve_gives_the_block)
{
	size_t room = 0;
	char *bytes = array_reserve(NULL, &room, 3, 1);

	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_ge(room, 3);
	ck_assert_ptr_eq(array_reserve(bytes, &room, 2, 1), bytes);
	free(bytes);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("array");
	TCase *tcase = tcase_create("array");

	tcase_add_test(tcase, contents_survive_growth);
	tcase_add_test(tcase, enough_room_is_left_alone);
	tcase_add_test(tcase, products_are_checked);
	tcase_add_test(tcase, reserve_gives_the_block);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
