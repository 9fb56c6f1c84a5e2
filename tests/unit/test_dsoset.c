/* A set of dsos. */
#include "decode/process/dsoset.h"
#include "tests/support/suite.h"

#include <check.h>

START_TEST(it_has_what_was_added)
{
	const struct dso dsos[] = {{.number = 0}, {.number = 1}, {.number = 2},
				   {.number = 3}, {.number = 4}, {.number = 1000}};
	struct dso_set set = {0};

	for (size_t i = 0; i < 6; i++)
		ck_assert(!dso_set_has(&set, &dsos[i]));
	ck_assert(dso_set_add(&set, &dsos[3]));
	ck_assert(dso_set_add(&set, &dsos[1]));
	ck_assert(dso_set_add(&set, &dsos[3]));
	ck_assert(dso_set_add(&set, &dsos[5]));
	for (size_t i = 0; i < 6; i++)
		ck_assert(dso_set_has(&set, &dsos[i]) == i % 2);
	dso_set_free(&set);
	ck_assert(!dso_set_has(&set, &dsos[3]));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dsoset");
	TCase *tcase = tcase_create("dsoset");

	tcase_add_test(tcase, it_has_what_was_added);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
