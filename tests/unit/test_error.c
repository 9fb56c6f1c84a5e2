/* Errors: exact texts, nothing in them that a terminal would obey, never longer than their room. */
#include "util/error.h"

#include "tests/support/suite.h"

#include <check.h>
#include <errno.h>
#include <string.h>

START_TEST(text_and_kind)
{
	struct error err = {0};

	ck_assert_int_eq(error_set(&err, ERROR_FORMAT, "%s: attr size %d", "perf.data", 12), -1);
	ck_assert_int_eq(err.kind, ERROR_FORMAT);
	ck_assert_str_eq(err.text, "perf.data: attr size 12");
	ck_assert_int_eq(error_set(&err, ERROR_USAGE, "again"), -1);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_str_eq(err.text, "again");
}
END_TEST

START_TEST(system_calls_and_memory)
{
	struct error err = {0};

	ck_assert_int_eq(error_io(&err, "a/b", "cannot open it", ENOENT), -1);
	ck_assert_int_eq(err.kind, ERROR_IO);
	ck_assert_str_eq(err.text, "a/b: cannot open it: No such file or directory");
	ck_assert_int_eq(error_nomem(&err, "reading the events"), -1);
	ck_assert_int_eq(err.kind, ERROR_NOMEM);
	ck_assert_str_eq(err.text, "out of memory while reading the events");
}
END_TEST

START_TEST(nobody_needs_to_listen)
{
	ck_assert_int_eq(error_set(NULL, ERROR_FORMAT, "x"), -1);
	ck_assert_int_eq(error_io(NULL, "a", "b", EIO), -1);
	ck_assert_int_eq(error_nomem(NULL, "x"), -1);
}
END_TEST

START_TEST(controls_are_shown)
{
	struct error err = {0};

	error_set(&err, ERROR_FORMAT, "%s", "a\033[31mb\r\n\t\x7f\x01z\xc3\xa4");
	ck_assert_str_eq(err.text, "a\\x1b[31mb\\x0d\\x0a\\x09\\x7f\\x01z\xc3\xa4");
	/* U+009B does in UTF-8 what ESC [ does; 0x9b alone does it on an 8-bit terminal. */
	error_set(&err, ERROR_FORMAT, "%s",
		  "a\xc2\x9b"
		  "31m\x9b"
		  "1m");
	ck_assert_str_eq(err.text, "a\\xc2\\x9b31m\\x9b1m");
}
END_TEST

/* The reason is said, however long the path is. */
START_TEST(of_a_long_path_the_end_is_shown)
{
	struct error err = {0};
	char path[3000], expected[600] = "...";

	memset(path, 'n', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	memset(expected + 3, 'n', 500);
	strcpy(expected + 503, ": cannot open it: No such file or directory");
	error_io(&err, path, "cannot open it", ENOENT);
	ck_assert_str_eq(err.text, expected);
}
END_TEST

START_TEST(long_texts_are_cut)
{
	struct error err = {0};
	char name[2 * sizeof(err.text)];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	error_set(&err, ERROR_IO, "%s: gone", name);
	ck_assert_uint_lt(strlen(err.text), sizeof(err.text));
	ck_assert_uint_gt(strlen(err.text), sizeof(err.text) - 20);
	ck_assert_uint_eq(strspn(err.text, "n"), strlen(err.text));
	/* Each of these needs four columns: the cut falls between two of them, not into one. */
	memset(name, '\n', sizeof(name) - 1);
	error_set(&err, ERROR_IO, "%s", name);
	ck_assert_uint_lt(strlen(err.text), sizeof(err.text));
	ck_assert_uint_eq(strlen(err.text) % 4, 0);
	ck_assert_str_eq(err.text + strlen(err.text) - 4, "\\x0a");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("error");
	TCase *tcase = tcase_create("error");

	tcase_add_test(tcase, text_and_kind);
	tcase_add_test(tcase, system_calls_and_memory);
	tcase_add_test(tcase, nobody_needs_to_listen);
	tcase_add_test(tcase, controls_are_shown);
	tcase_add_test(tcase, of_a_long_path_the_end_is_shown);
	tcase_add_test(tcase, long_texts_are_cut);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
