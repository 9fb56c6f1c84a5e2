/* What --tag takes, and what the tags make of the last columns of a table. */
#include "report/runtags.h"

#include "report/report.h"
#include "report/table.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static const char *const refused[] = {
	"", "=", "=1", "key", "1=2", "a-b=1", "a b=1", "a\n=1", "\xc3\xa4=1", "a,b=1",
};

START_TEST(keys_are_names)
{
	struct runtags tags = {0};
	struct error err = {0};

	ck_assert_int_eq(runtags_add(&tags, refused[_i], &err), -1);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_uint_eq(tags.nr, 0);
	ck_assert(!tags.on);
}
END_TEST

START_TEST(values_are_any_text)
{
	struct runtags tags = {0};
	struct error err = {0};

	ck_assert_int_eq(runtags_add(&tags, "_a1=b=c, \"\n", &err), 0);
	ck_assert_int_eq(runtags_add(&tags, "B=", &err), 0);
	ck_assert(tags.on);
	ck_assert_uint_eq(tags.nr, 2);
	ck_assert_str_eq(tags.list[0].key, "_a1");
	ck_assert_str_eq(tags.list[0].value, "b=c, \"\n");
	ck_assert_str_eq(tags.list[1].key, "B");
	ck_assert_str_eq(tags.list[1].value, "");
}
END_TEST

/* The longest key and value, and one byte more. */
START_TEST(lengths)
{
	char arg[RUNTAGS_KEY_MAX + RUNTAGS_VALUE_MAX + 8];
	struct runtags tags = {0};
	struct error err = {0};

	for (int more_key = 0; more_key < 2; more_key++)
		for (int more = 0; more < 2; more++) {
			memset(arg, 'k', sizeof(arg));
			arg[RUNTAGS_KEY_MAX + more_key] = '=';
			arg[RUNTAGS_KEY_MAX + more_key + 1 + RUNTAGS_VALUE_MAX + more] = '\0';
			tags.nr = 0;
			ck_assert_int_eq(runtags_add(&tags, arg, &err), more || more_key ? -1 : 0);
		}
}
END_TEST

START_TEST(as_many_as_there_is_room_for)
{
	struct runtags tags = {0};
	struct error err = {0};
	char args[RUNTAGS_MAX + 1][16];

	for (int i = 0; i <= RUNTAGS_MAX; i++) {
		snprintf(args[i], sizeof(args[i]), "k%d=v", i);
		ck_assert_int_eq(runtags_add(&tags, args[i], &err), i < RUNTAGS_MAX ? 0 : -1);
	}
	ck_assert_str_eq(err.text, "option --tag: at most 16 may be given");
}
END_TEST

/* The run and the tags; in run.csv only these; without tags and several runs, nothing. */
START_TEST(last_cells)
{
	struct table_file file = {.table = table_list[REPORT_NUMBER_stat].table},
			  run = {.table = table_list[REPORT_NUMBER_run].table};
	struct runtags tags = {.known = true, .run = 0xabc};
	struct error err = {0};

	table_set_run(&file, &tags);
	ck_assert_uint_eq(file.nr_tail, 0);
	tags.on = true;
	table_set_run(&file, &tags);
	ck_assert_uint_eq(file.nr_tail, 1);
	ck_assert_int_eq(runtags_add(&tags, "a=b", &err), 0);
	table_set_run(&file, &tags);
	ck_assert_uint_eq(file.nr_tail, 2);
	ck_assert_int_eq(file.tail[0].type, CELL_HEX);
	ck_assert_uint_eq(file.tail[0].u64, 0xabc);
	ck_assert_int_eq(file.tail[1].type, CELL_TEXT);
	table_set_run(&run, &tags);
	ck_assert_uint_eq(run.nr_tail, 1);
	tags.known = false;
	table_set_run(&file, &tags);
	ck_assert_int_eq(file.tail[0].type, CELL_EMPTY);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("runtags");
	TCase *tcase = tcase_create("runtags");

	tcase_add_loop_test(tcase, keys_are_names, 0, (int)(sizeof(refused) / sizeof(refused[0])));
	tcase_add_test(tcase, values_are_any_text);
	tcase_add_test(tcase, lengths);
	tcase_add_test(tcase, as_many_as_there_is_room_for);
	tcase_add_test(tcase, last_cells);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
