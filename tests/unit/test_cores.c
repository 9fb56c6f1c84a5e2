/* util/cores.c: how many threads are worth having. */
#include "tests/support/suite.h"
#include "util/cores.h"

#include <check.h>
#include <sched.h>
#include <stdlib.h>

START_TEST(a_number_that_is_given_is_used)
{
	ck_assert_uint_eq(cores_choose(1), 1);
	ck_assert_uint_eq(cores_choose(300), 300);
}
END_TEST

START_TEST(one_core_in_the_affinity_is_one)
{
	cpu_set_t before, one;
	size_t nr;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
	CPU_ZERO(&one);
	for (size_t cpu = 0; CPU_COUNT(&one) == 0; cpu++)
		if (CPU_ISSET(cpu, &before))
			CPU_SET(cpu, &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	nr = cores_choose(0);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(before), &before), 0);
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
