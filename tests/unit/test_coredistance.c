/* util/coredistance.c: how far the cores are from each other. */
#include "tests/support/suite.h"
#include "util/coredistance.h"

#include <check.h>
#include <sched.h>

/* What a core has written itself is near. */
START_TEST(one_core_is_not_far)
{
	cpu_set_t before, one;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
	CPU_ZERO(&one);
	for (size_t cpu = 0; CPU_COUNT(&one) == 0; cpu++)
		if (CPU_ISSET(cpu, &before))
			CPU_SET(cpu, &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	for (int i = 0; i < 20; i++)
		ck_assert(!coredistance_is_far());
	ck_assert_int_eq(sched_setaffinity(0, sizeof(before), &before), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("coredistance");
	TCase *tcase = tcase_create("distance");

	tcase_add_test(tcase, one_core_is_not_far);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
