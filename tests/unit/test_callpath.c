/* Call paths against a model that keeps every stack and counts by looking at each of them. */
#include "decode/address.h"
#include "decode/callpath.h"

#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { NR_STACKS = 500, DEPTH_MAX = 12, NR_ADDRESSES = 20, NR_LINKS = 12, NR_ROWS = 7 };

struct stack {
	uint32_t addresses[DEPTH_MAX]; /* outermost first */
	size_t depth;
	uint64_t period;
};

/* Rows of functions, some inlined into others. */
struct model {
	struct row_link links[NR_LINKS];
	uint32_t link_of[NR_ADDRESSES];
};

static void make_model(struct model *model)
{
	for (uint32_t i = 0; i < NR_LINKS; i++) {
		bool inlined = rand() % 2 && i + 1 < NR_LINKS;

		model->links[i].row = (uint32_t)rand() % NR_ROWS;
		model->links[i].outer =
			inlined ? i + 1 + (uint32_t)rand() % (NR_LINKS - i - 1) : LINK_NONE;
	}
	for (size_t i = 0; i < NR_ADDRESSES; i++)
		model->link_of[i] = (uint32_t)rand() % NR_LINKS;
}

static bool holds_row(const struct stack *stack, const struct model *model, uint32_t row)
{
	for (size_t i = 0; i < stack->depth; i++) {
		uint32_t link = model->link_of[stack->addresses[i]];

		for (; link != LINK_NONE; link = model->links[link].outer)
			if (model->links[link].row == row)
				return true;
	}
	return false;
}

START_TEST(each_row_counts_once_per_stack)
{
	static struct stack stacks[NR_STACKS];
	struct callpath_table table = {0};
	struct tally totals[NR_ROWS] = {0};
	struct model model;

	srand((unsigned)_i + 1);
	make_model(&model);
	for (size_t i = 0; i < NR_STACKS; i++) {
		struct stack *stack = &stacks[i];
		uint32_t path = CALLPATH_ROOT;

		stack->depth = (size_t)rand() % DEPTH_MAX + 1;
		stack->period = (uint64_t)rand();
		for (size_t k = 0; k < stack->depth; k++) {
			stack->addresses[k] = (uint32_t)rand() % (k < 3 ? 3 : NR_ADDRESSES);
			path = callpath_get(&table, path, stack->addresses[k]);
			ck_assert_uint_ne(path, CALLPATH_NONE);
		}
		tally_add(&callpath_at(&table, path)->here, 1, stack->period);
	}
	ck_assert_int_eq(callpath_fold(table.paths, callpath_count(&table), model.links,
				       model.link_of, NR_ROWS, totals),
			 0);
	for (uint32_t row = 0; row < NR_ROWS; row++) {
		struct tally expected = {0};

		for (size_t i = 0; i < NR_STACKS; i++) {
			if (holds_row(&stacks[i], &model, row))
				tally_add(&expected, 1, stacks[i].period);
		}
		ck_assert_uint_eq(totals[row].samples, expected.samples);
		ck_assert_uint_eq(totals[row].period, expected.period);
	}
	callpath_table_free(&table);
}
END_TEST

START_TEST(equal_paths_are_one)
{
	struct callpath_table table = {0};
	uint32_t a = callpath_get(&table, CALLPATH_ROOT, 5);
	uint32_t b = callpath_get(&table, a, 6);

	ck_assert_uint_eq(callpath_get(&table, CALLPATH_ROOT, 5), a);
	ck_assert_uint_eq(callpath_get(&table, a, 6), b);
	ck_assert_uint_ne(callpath_get(&table, CALLPATH_ROOT, 6), b);
	ck_assert_uint_eq(callpath_count(&table), 3);
	callpath_table_free(&table);
}
END_TEST

START_TEST(no_paths_fold_to_nothing)
{
	struct tally totals[1] = {0};

	ck_assert_int_eq(callpath_fold(NULL, 0, NULL, NULL, 1, totals), 0);
	ck_assert_uint_eq(totals[0].samples, 0);
}
END_TEST

START_TEST(recursion_a_million_deep_needs_no_stack)
{
	enum { DEPTH = 1000000 };
	struct callpath_table table = {0};
	struct tally totals[1] = {0};
	const struct row_link link = {0, LINK_NONE};
	uint32_t path = CALLPATH_ROOT, link_of[1] = {0};

	for (int i = 0; i < DEPTH; i++)
		path = callpath_get(&table, path, 0);
	tally_add(&callpath_at(&table, path)->here, 3, 30);
	ck_assert_int_eq(callpath_fold(table.paths, DEPTH, &link, link_of, 1, totals), 0);
	ck_assert_uint_eq(totals[0].samples, 3);
	ck_assert_uint_eq(totals[0].period, 30);
	callpath_table_free(&table);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("callpath");
	TCase *tc = tcase_create("callpath");

	tcase_add_loop_test(tc, each_row_counts_once_per_stack, 0, 20);
	tcase_add_test(tc, equal_paths_are_one);
	tcase_add_test(tc, no_paths_fold_to_nothing);
	tcase_add_test(tc, recursion_a_million_deep_needs_no_stack);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
