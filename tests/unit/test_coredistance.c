/* util/coredistance.c: how far the cores are from each other. */
#include "tests/support/suite.h"
#include "util/coredistance.h"

#include <check.h>
#include <sched.h>

/* Figures of a machine whose cores were far at one time, and near at another; and of one core. */
START_TEST(by_what_was_measured)
{
	ck_assert(coredistance_means_far(1900, 420));
	ck_assert(coredistance_means_far(1700, 470));
	ck_assert(!coredistance_means_far(690, 401));
	ck_assert(!coredistance_means_far(560, 740));
	ck_assert(!coredistance_means_far(0, 0));
}
END_TEST

/* Where there is one core, there is no other one to be far; several are as they are. */
START_TEST(one_core)
{
	cpu_set_t before, one;

	if (sched_getaffinity(0, sizeof(before), &before) != 0)
		return; /* more than 1,024 processors */
	(void)coredistance_is_far();
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

	tcase_add_test(tcase, by_what_was_measured);
	tcase_add_test(tcase, one_core);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
