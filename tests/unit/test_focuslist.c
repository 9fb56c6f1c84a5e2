/* The calls around functions: which functions are meant by a name. */
#include "decode/answer/focuslist.h"

#include "tests/support/suite.h"
#include "util/text.h"

#include <check.h>

static const struct event event = {.number = 0};
static const struct event_stat events[] = {{.event = &event}};
static const struct function_stat functions[] = {
	{.event = &event, .function = "main", .number = 0},
	{.event = &event, .function = "caf\xe9", .number = 1},
};
static struct path_stat rows[] = {
	{.function = &functions[0], .parent = PATH_NO_PARENT, .total = {3, 30}, .end = ""},
	{.function = &functions[1], .parent = 0, .depth = 1, .total = {2, 20}, .end = ""},
};
static const struct path_list paths = {.rows = rows, .nr = 2};

/* Checks that --callers=@pattern shows how main calls the other function. */
static void check_callers(char *pattern)
{
	char *const patterns[] = {pattern, NULL};
	const struct focus_input input = {&paths, events, patterns, true};
	struct focus_list list;

	ck_assert(focuslist_make(&list, &input));
	ck_assert_uint_eq(list.nr, 2);
	ck_assert_ptr_eq(list.rows[0].function, &functions[1]);
	ck_assert_uint_eq(list.rows[0].depth, 0);
	ck_assert_ptr_eq(list.rows[1].function, &functions[0]);
	ck_assert_uint_eq(list.rows[1].depth, 1);
	ck_assert_uint_eq(list.rows[1].total.period, 20);
	focuslist_free(&list);
}

/* A name that is not UTF-8 may be written as tables show it, or as it is, as for --symbol. */
START_TEST(names_as_tables_show_them)
{
	static char shown[] = "caf" TEXT_REPLACEMENT, part[] = "*f" TEXT_REPLACEMENT,
		    raw[] = "caf\xe9", other[] = "caf";
	char *const patterns[] = {other, NULL};
	const struct focus_input input = {&paths, events, patterns, true};
	struct focus_list list;

	check_callers(raw);
	check_callers(shown);
	check_callers(part);
	ck_assert(focuslist_make(&list, &input));
	ck_assert_uint_eq(list.nr, 0);
	focuslist_free(&list);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("focuslist");
	TCase *tc = tcase_create("names");

	tcase_add_test(tc, names_as_tables_show_them);
	suite_add_tcase(suite, tc);
	return suite_run(suite);
}
