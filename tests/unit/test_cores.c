/* util/cores.c: how many threads are worth having. */
#include "tests/support/onecore.h"
#include "tests/support/suite.h"
#include "util/cores.h"

#include <check.h>
#include <stdlib.h>

START_TEST(a_number_that_is_given_is_used)
{
	ck_assert_uint_eq(cores_choose(1), 1);
	ck_assert_uint_eq(cores_choose(300), 300);
}
END_TEST

START_TEST(one_core_in_the_affinity_is_one)
{
	const cpu_set_t before = onecore_take();
	const size_t nr = cores_choose(0);

	onecore_end(&before);
	ck_assert_uint_eq(nr, 1);
	ck_assert_uint_ge(cores_choose(0), 1);
	ck_assert_uint_le(cores_choose(0), (size_t)CPU_COUNT(&before));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cores");
	TCase *tcase = tcase_create("chosen");

	tcase_add_test(tcase, a_number_that_is_given_is_used);
	tcase_add_test(tcase, one_core_in_the_affinity_is_one);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
