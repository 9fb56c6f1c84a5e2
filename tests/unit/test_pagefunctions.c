/* The order in which the page has functions, and their columns. */
#include "report/export/pagefunctions.h"

#include "tests/support/inflated.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { NR = 4 };

/* As results.csv has them: two of one period, whose names tell their order. */
static const struct function_stat functions[NR] = {
	{.function = "walk",
	 .binary = "/a",
	 .filename = "a.c",
	 .build_id = "",
	 .reason = "",
	 .self = {3, 30},
	 .line = 7,
	 .size = 300},
	{.function = "list",
	 .binary = "/a",
	 .filename = "b.c",
	 .build_id = "",
	 .reason = "",
	 .self = {1, 20},
	 .line = 9,
	 .size = 5},
	{.function = "list",
	 .binary = "/b",
	 .filename = "",
	 .build_id = "",
	 .reason = "",
	 .self = {1, 20}},
	{.function = "[unknown]",
	 .binary = "/c",
	 .filename = "",
	 .build_id = "5e",
	 .reason = "stripped",
	 .self = {0, 0},
	 .code = CODE_KERNEL},
};

START_TEST(functions_are_in_the_order_of_names)
{
	static const uint32_t rows[] = {3, 1, 2, 0}, places[] = {3, 1, 2, 0};
	struct pagefunctions order;

	ck_assert(pagefunctions_sort(&order, functions, NR));
	ck_assert(order.by_name);
	ck_assert_mem_eq(order.rows, rows, sizeof(rows));
	ck_assert_mem_eq(order.places, places, sizeof(places));
	pagefunctions_free(&order);
}
END_TEST

/* Where periods and names do not tell their order, functions stay as they are. */
START_TEST(another_order_is_kept)
{
	static const uint32_t same[] = {0, 1, 2, 3};
	struct function_stat other[NR];
	struct pagefunctions order;

	for (size_t i = 0; i < NR; i++)
		other[i] = functions[i];
	if (_i == 0)
		other[3].self.period = 31; /* more than those before it */
	else
		other[1].binary = "/c"; /* after the one of the same period and name */
	ck_assert(pagefunctions_sort(&order, other, NR));
	ck_assert(!order.by_name);
	ck_assert_mem_eq(order.rows, same, sizeof(same));
	ck_assert_mem_eq(order.places, same, sizeof(same));
	pagefunctions_free(&order);
}
END_TEST

START_TEST(columns_are_by_place)
{
	/* strings: 0 "", 1 [unknown], 2 list, 3 walk, 4 /c, 5 /a, 6 /b, 7 b.c, 8 a.c, 9 5e, 10
	 * stripped */
	static const uint8_t expected[] = {/* names: 1 from 0; 2, the next one; 2 again; 3 */
					   2,		0, 1, 0,    4, 5, 6, 5, /* binaries */
					   0,		7, 0, 8,		/* files */
					   9,		0, 0, 0,		/* build ids */
					   10,		0, 0, 0,		/* reasons */
					   0,		9, 0, 7,		/* lines */
					   0,		5, 0, 0xac, 2,		/* sizes */
					   CODE_KERNEL, 0, 0, 0};
	struct intern strings = {0};
	struct pagefunctions order;
	struct pagenumbers packed;
	uint8_t bytes[64];

	ck_assert(pagefunctions_sort(&order, functions, NR));
	ck_assert(pagenumbers_start(&packed, SIZE_MAX, true));
	ck_assert(pagefunctions_put(&order, &packed, &strings));
	ck_assert(pagenumbers_end(&packed));
	ck_assert_uint_eq(inflated_bytes(&packed, bytes, sizeof(bytes)), sizeof(expected));
	ck_assert_mem_eq(bytes, expected, sizeof(expected));
	pagenumbers_free(&packed);
	pagefunctions_free(&order);
	intern_free(&strings);
}
END_TEST

START_TEST(no_functions_are_in_order)
{
	struct pagefunctions order;

	ck_assert(pagefunctions_sort(&order, NULL, 0));
	ck_assert(order.by_name);
	pagefunctions_free(&order);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("pagefunctions");
	TCase *tc = tcase_create("pagefunctions");

	tcase_add_test(tc, functions_are_in_the_order_of_names);
	tcase_add_loop_test(tc, another_order_is_kept, 0, 2);
	tcase_add_test(tc, columns_are_by_place);
	tcase_add_test(tc, no_functions_are_in_order);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
