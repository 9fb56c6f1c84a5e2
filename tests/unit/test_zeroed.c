/* Memory of zeros, whatever was in it before. */
#include "util/zeroed.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const size_t sizes[] = {1, 24, 4096, 300000};

START_TEST(all_is_zero)
{
	const size_t size = sizes[_i];

	for (int round = 0; round < 3; round++) {
		uint8_t *bytes = zeroed_get(size, 2);

		ck_assert_ptr_nonnull(bytes);
		ck_assert_uint_eq((uintptr_t)bytes % 64, 0);
		for (size_t i = 0; i < 2 * size; i++)
			ck_assert_uint_eq(bytes[i], 0);
		memset(bytes, 0xa5, 2 * size);
		free(bytes);
	}
}
END_TEST

START_TEST(too_much_is_refused)
{
	ck_assert_ptr_null(zeroed_get(SIZE_MAX / 8 + 2, 8));
	ck_assert_ptr_null(zeroed_get(SIZE_MAX, 1));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("zeroed");
	TCase *tc = tcase_create("zeroed");

	tcase_add_loop_test(tc, all_is_zero, 0, sizeof(sizes) / sizeof(sizes[0]));
	tcase_add_test(tc, too_much_is_refused);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
