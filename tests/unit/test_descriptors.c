/* How many files may be open, if some were left open by whoever started the program. */
#include "main/descriptors.h"

#include "tests/support/suite.h"

#include <check.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FREE_UP_TO = 200 };

/* Leaves the @nr descriptors behind the standard streams open, and none of those that follow. */
static void leave_open(int nr)
{
	for (int fd = 3; fd < 3 + nr; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			ck_assert_int_eq(dup2(STDERR_FILENO, fd), fd);
	for (int fd = 3 + nr; fd < FREE_UP_TO; fd++)
		close(fd);
}

static void set_limit(rlim_t soft, rlim_t hard)
{
	const struct rlimit limit = {soft, hard};

	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static rlim_t soft_limit(void)
{
	struct rlimit limit;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	return limit.rlim_cur;
}

START_TEST(a_few_that_are_left_open_fit_in)
{
	struct error err = {0};

	leave_open(DESCRIPTORS_LEFT_OPEN);
	set_limit(40, 200);
	ck_assert_int_eq(descriptors_ensure(64, &err), 0);
	ck_assert_uint_eq(soft_limit(), 64);
	set_limit(65, 200);
	ck_assert_int_eq(descriptors_ensure(64, &err), 0);
	ck_assert_uint_eq(soft_limit(), 65);
}
END_TEST

START_TEST(many_that_are_left_open_take_places)
{
	struct error err = {0};

	leave_open(DESCRIPTORS_LEFT_OPEN + 40);
	set_limit(64, 200);
	ck_assert_int_eq(descriptors_ensure(64, &err), 0);
	ck_assert_uint_eq(soft_limit(), 104);
	set_limit(64, 103);
	ck_assert_int_eq(descriptors_ensure(64, &err), -1);
	ck_assert_str_eq(err.text, "at most 103 files may be open at a time, 104 are needed: see "
				   "'ulimit -n'");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("descriptors");
	TCase *tc = tcase_create("descriptors");

	tcase_add_test(tc, a_few_that_are_left_open_fit_in);
	tcase_add_test(tc, many_that_are_left_open_take_places);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
