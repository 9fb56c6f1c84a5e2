/* util/coredistance.c: how far the cores are from each other. */
#include "tests/support/onecore.h"
#include "tests/support/suite.h"
#include "util/coredistance.h"

#include <check.h>

/* Figures of machines whose cores were far at one time, and near at another; and of one core. */
START_TEST(by_what_was_measured)
{
	ck_assert(coredistance_means_far(540));
	ck_assert(coredistance_means_far(280));
	ck_assert(!coredistance_means_far(220));
	ck_assert(!coredistance_means_far(50));
	ck_assert(!coredistance_means_far(0));
}
END_TEST

/* One core has no other to be far from. Where there are several, either answer may be right. */
START_TEST(one_core)
{
	cpu_set_t before;

	(void)coredistance_is_far();
	before = onecore_take();
	for (int i = 0; i < 20; i++)
		ck_assert(!coredistance_is_far());
	onecore_end(&before);
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
