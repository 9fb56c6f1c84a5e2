/* Interned strings: equal ones get one number and one pointer, for good. */
#include "util/intern.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(equal_strings_are_one)
{
	struct intern table = {0};
	char copy[] = "main";
	uint32_t main_number = intern_string(&table, "main");
	uint32_t other = intern_string(&table, "mai");

	ck_assert_uint_eq(main_number, 1);
	ck_assert_uint_eq(other, 2);
	ck_assert_uint_eq(intern_string(&table, copy), main_number);
	ck_assert_str_eq(intern_get(&table, main_number), "main");
	ck_assert_str_eq(intern_get(&table, other), "mai");
	ck_assert_ptr_eq(intern_keep(&table, copy), intern_get(&table, main_number));
	ck_assert_ptr_ne(intern_keep(&table, copy), copy);
	intern_free(&table);
}
END_TEST

START_TEST(number_0_is_the_empty_string)
{
	struct intern table = {0};

	ck_assert_str_eq(intern_get(&table, 0), "");
	ck_assert_uint_eq(intern_string(&table, ""), 0);
	ck_assert_uint_eq(intern(&table, "abc", 0), 0);
	ck_assert_uint_eq(intern(&table, "\0\0\0", 3), 0);
	ck_assert_uint_eq(intern_string(&table, "first"), 1);
	intern_free(&table);
}
END_TEST

/* As names stand in a recording: not ended by a NUL, or padded with some. */
START_TEST(length_counts)
{
	struct intern table = {0};
	static const char bytes[] = {'a', 'b', 'c', 0, 0, 0};
	uint32_t abc = intern(&table, bytes, sizeof(bytes));
	uint32_t ab = intern(&table, bytes, 2);

	ck_assert_uint_ne(abc, ab);
	ck_assert_str_eq(intern_get(&table, abc), "abc");
	ck_assert_str_eq(intern_get(&table, ab), "ab");
	ck_assert_uint_eq(intern(&table, bytes, 3), abc);
	ck_assert_uint_eq(intern_string(&table, "abc"), abc);
	ck_assert_uint_eq(intern_string(&table, "ab"), ab);
	intern_free(&table);
}
END_TEST

/* Numbers ascend in the order of first sight; pointers survive every growth of the table. */
START_TEST(many_strings)
{
	enum { NR = 50000 };
	struct intern table = {0};
	const char **kept = calloc(NR, sizeof(*kept));
	bool right = kept != NULL;
	char text[32];

	for (uint32_t i = 0; i < NR && right; i++) {
		snprintf(text, sizeof(text), "function_%u", i * 7919u % NR);
		right = intern_string(&table, text) == i + 1;
		kept[i] = intern_get(&table, i + 1);
	}
	ck_assert(right);
	for (uint32_t i = 0; i < NR && right; i++) {
		snprintf(text, sizeof(text), "function_%u", i * 7919u % NR);
		right = intern_string(&table, text) == i + 1 &&
			intern_get(&table, i + 1) == kept[i] && strcmp(kept[i], text) == 0;
	}
	ck_assert(right);
	free(kept);
	intern_free(&table);
}
END_TEST

/* Longer than a block of the table's bytes, between short ones. */
START_TEST(long_strings)
{
	enum { LONG = 300000 };
	struct intern table = {0};
	char *text = malloc(LONG + 1);
	uint32_t before, number;

	ck_assert_ptr_nonnull(text);
	memset(text, 'x', LONG);
	text[LONG] = '\0';
	before = intern_string(&table, "before");
	number = intern_string(&table, text);
	ck_assert_uint_eq(intern_string(&table, text), number);
	ck_assert_uint_ne(intern(&table, text, LONG - 1), number);
	ck_assert_uint_eq(strlen(intern_get(&table, number)), LONG);
	ck_assert_str_eq(intern_keep(&table, "after"), "after");
	ck_assert_str_eq(intern_get(&table, before), "before");
	free(text);
	intern_free(&table);
}
END_TEST

START_TEST(freed_table_is_an_empty_one)
{
	struct intern table = {0};

	intern_free(&table);
	ck_assert_uint_eq(intern_string(&table, "a"), 1);
	intern_free(&table);
	ck_assert_uint_eq(intern_string(&table, "b"), 1);
	ck_assert_str_eq(intern_get(&table, 1), "b");
	intern_free(&table);
}
END_TEST

/* All that is given to it counts, kept before or not: looking at it takes time. */
START_TEST(a_limit)
{
	struct intern table = {.limit = 10};
	const char *kept = intern_keep(&table, "1234");

	ck_assert_str_eq(kept, "1234");
	ck_assert_ptr_eq(intern_keep(&table, "1234"), kept);
	ck_assert_ptr_null(intern_keep(&table, "567"));
	ck_assert(table.is_full);
	ck_assert_uint_eq(intern_string(&table, "567"), INTERN_NOMEM);
	ck_assert_str_eq(intern_keep(&table, "56"), "56");
	ck_assert_str_eq(intern_keep(&table, ""), "");
	ck_assert_ptr_null(intern_keep(&table, "5"));
	ck_assert_uint_eq(table.taken, 10);
	intern_free(&table);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("intern");
	TCase *tcase = tcase_create("intern");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, equal_strings_are_one);
	tcase_add_test(tcase, a_limit);
	tcase_add_test(tcase, number_0_is_the_empty_string);
	tcase_add_test(tcase, length_counts);
	tcase_add_test(tcase, many_strings);
	tcase_add_test(tcase, long_strings);
	tcase_add_test(tcase, freed_table_is_an_empty_one);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
