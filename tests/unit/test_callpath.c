/* Call paths against a model that keeps every stack and counts by looking at each of them. */
#include "decode/answer/children.h"
#include "decode/stack/callpath.h"

#include "tests/support/idler.h"
#include "tests/support/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NR_STACKS = 500, DEPTH_MAX = 12, NR_ADDRESSES = 20, NR_ROWS = 7 };

struct stack {
	uint32_t addresses[DEPTH_MAX]; /* outermost first */
	size_t depth;
	uint64_t period;
	enum chain_end end;
};

/* A list for each address: a function, and some that it is inlined into. */
static void make_rows(struct address_rows *rows)
{
	ck_assert(address_rows_init(rows, NR_ADDRESSES));
	for (size_t i = 0; i < NR_ADDRESSES; i++) {
		uint32_t list = address_rows_start(rows);

		rows->list_of[i] = list;
		do
			ck_assert(address_rows_append(rows, list, (uint32_t)rand() % NR_ROWS));
		while (rand() % 2);
	}
	rows->nr_rows = NR_ROWS;
}

static bool holds_row(const struct stack *stack, const struct address_rows *rows, uint32_t row)
{
	for (size_t i = 0; i < stack->depth; i++) {
		const struct row_list list = address_rows_of(rows, stack->addresses[i]);

		for (size_t k = 0; k < list.nr; k++)
			if (list.rows[k] == row)
				return true;
	}
	return false;
}

/* Counts @stack on its path. */
static void add_stack(struct callpath_table *table, const struct stack *stack)
{
	struct callpath_ref path = callpath_root(stack->end);

	for (size_t i = 0; i < stack->depth; i++) {
		path = callpath_get(table, path, stack->addresses[i]);
		ck_assert_uint_ne(path.number, CALLPATH_NONE);
	}
	tally_add(&callpath_at(table, path.number)->here, 1, stack->period);
}

static void make_stack(struct stack *stack)
{
	stack->depth = (size_t)rand() % DEPTH_MAX + 1;
	stack->period = (uint64_t)rand();
	stack->end = (enum chain_end)(rand() % CHAIN_END_NR);
	for (size_t i = 0; i < stack->depth; i++)
		stack->addresses[i] = (uint32_t)rand() % (i < 3 ? 3 : NR_ADDRESSES);
}

/* Adds @stack to @theirs, whose addresses have other numbers: those of ours from the end. */
static void add_to_others(struct callpath_table *theirs, const struct stack *stack)
{
	struct stack turned = *stack;

	for (size_t i = 0; i < stack->depth; i++)
		turned.addresses[i] = NR_ADDRESSES - 1 - stack->addresses[i];
	add_stack(theirs, &turned);
}

/* The store takes over a table of others, who had it put aside. */
static void adopt(struct pathstore *store, struct pathstore *theirs)
{
	uint32_t numbers[NR_ADDRESSES];

	for (uint32_t i = 0; i < NR_ADDRESSES; i++)
		numbers[i] = NR_ADDRESSES - 1 - i;
	ck_assert_int_eq(pathstore_put_aside(theirs, NULL), 0);
	ck_assert_int_eq(pathstore_adopt(store, theirs, numbers, NR_ADDRESSES, NULL), 0);
	ck_assert_uint_eq(theirs->nr_aside, 0);
	ck_assert_uint_eq(callpath_count(&theirs->now), 0);
}

/* Also if their paths lie in several tables, most of them in the file, or half of them in the
 * tables of others, and if two threads sum them, and if one table is summed in pieces. */
START_TEST(each_row_counts_once_per_stack)
{
	struct pathstore theirs;
	const bool has_others = _i % 4 > 1, has_idler = _i % 8 > 3, in_pieces = _i > 9;
	struct path_walk walk = {0};
	struct idler idler;
	static struct stack stacks[NR_STACKS];
	static const struct event event = {.number = 0};
	struct function_stat functions[NR_ROWS];
	struct chain_ends counted = {0}, expected_ends = {0};
	const struct children_ends ends = {functions, &counted, 1};
	struct tally totals[NR_ROWS] = {0};
	struct address_rows rows;
	struct pathstore store;

	srand((unsigned)_i + 1);
	for (size_t i = 0; i < NR_ROWS; i++)
		functions[i].event = &event;
	make_rows(&rows);
	pathstore_init(&store, _i % 2 ? 100 : 0);
	pathstore_init(&theirs, 0);
	for (size_t i = 0; i < NR_STACKS; i++) {
		if (pathstore_full(&store))
			ck_assert_int_eq(pathstore_put_aside(&store, NULL), 0);
		if (has_others && i % 100 == 99)
			adopt(&store, &theirs);
		make_stack(&stacks[i]);
		if (has_others && i % 2)
			add_to_others(&theirs.now, &stacks[i]);
		else
			add_stack(&store.now, &stacks[i]);
		tally_add(&expected_ends.by_end[stacks[i].end], 1, stacks[i].period);
	}
	if (has_others)
		adopt(&store, &theirs);
	ck_assert((store.nr_aside > 0) == (has_others || _i % 2));
	ck_assert_uint_eq(store.nr_others, has_others); /* one file, however often it was adopted */
	ck_assert_uint_eq(pathstore_only_table(&store), store.nr_aside > 0 ? SIZE_MAX : 0);
	if (in_pieces && store.nr_aside == 0)
		ck_assert_int_eq(pathstore_walk(&store, 0, NULL, &walk, NULL), 0);
	if (has_idler)
		idler_start(&idler);
	ck_assert_int_eq(children_sum(&store, NULL, walk.nr ? &walk : NULL, &rows,
				      has_idler ? &idler.helpers : NULL, totals, &ends, NULL),
			 0);
	if (has_idler)
		idler_end(&idler);
	ck_assert_mem_eq(&counted, &expected_ends, sizeof(counted));
	for (uint32_t row = 0; row < NR_ROWS; row++) {
		struct tally expected = {0};

		for (size_t i = 0; i < NR_STACKS; i++) {
			if (holds_row(&stacks[i], &rows, row))
				tally_add(&expected, 1, stacks[i].period);
		}
		ck_assert_uint_eq(totals[row].samples, expected.samples);
		ck_assert_uint_eq(totals[row].period, expected.period);
	}
	path_walk_free(&walk);
	pathstore_free(&theirs);
	pathstore_free(&store);
	address_rows_free(&rows);
}
END_TEST

/* What a visitor is told of, as text. */
static char told[400];

static void tell(const char *what, const struct path_visit *visit)
{
	char *end = told + strlen(told);

	end += sprintf(end, "%s%s%s", told[0] ? " " : "", what, visit->is_context ? "(" : "");
	if (visit->caller < CHAIN_END_NR)
		end += sprintf(end, "%s:", chain_end_word(visit->end));
	for (size_t i = visit->functions.nr; i-- > 0;)
		end += sprintf(end, "%" PRIu32 "%s", visit->functions.rows[i], i ? ">" : "");
	sprintf(end, "#%" PRIu32 "=%" PRIu64, visit->number - CHAIN_END_NR, visit->total->period);
}

static void tell_enter(void *arg, const struct path_visit *visit)
{
	ck_assert_ptr_eq(arg, told);
	tell("+", visit);
}

static void tell_leave(void *arg, const struct path_visit *visit)
{
	ck_assert_ptr_eq(arg, told);
	tell("-", visit);
}

START_TEST(a_visitor_enters_callers_first_and_leaves_them_last)
{
	static const struct stack stacks[] = {
		{{0}, 1, 1, CHAIN_STACK_CUT},	    {{0, 1}, 2, 2, CHAIN_STACK_CUT},
		{{0, 1, 0}, 3, 4, CHAIN_STACK_CUT}, {{0, 2}, 2, 8, CHAIN_STACK_CUT},
		{{2}, 1, 16, CHAIN_STACK_CUT},	    {{0}, 1, 32, CHAIN_COMPLETE},
	};
	/* Address 0 is in function 4, 1 in 5, which is inlined into 6, 2 in 7. */
	struct address_rows rows = {.words = (uint32_t[]){1, 4, 2, 5, 6, 1, 7},
				    .list_of = (uint32_t[]){0, 2, 5},
				    .nr_rows = 8};
	const struct path_visitor visitor = {tell_enter, tell_leave, told};
	struct pathstore store;
	struct path_walk walk;

	pathstore_init(&store, 0);
	ck_assert_uint_eq(pathstore_only_table(&store), SIZE_MAX);
	for (size_t i = 0; i < sizeof(stacks) / sizeof(stacks[0]); i++)
		add_stack(&store.now, &stacks[i]);
	ck_assert_int_eq(pathstore_walk(&store, pathstore_only_table(&store), NULL, &walk, NULL),
			 0);
	ck_assert_uint_eq(walk.nr, 6);
	ck_assert_uint_eq(walk.deepest, 3);
	told[0] = 0;
	ck_assert(path_walk_visit(&walk, 0, walk.nr, &rows, &visitor));
	ck_assert_str_eq(told, "+complete:4#5=32 -complete:4#5=32 +stack-cut:4#0=15 +6>5#1=6 "
			       "+4#2=4 -4#2=4 -6>5#1=6 +7#3=8 -7#3=8 -stack-cut:4#0=15 "
			       "+stack-cut:7#4=16 -stack-cut:7#4=16");
	/* From the middle on: first those that it extends. */
	told[0] = 0;
	ck_assert(path_walk_visit(&walk, 3, 5, &rows, &visitor));
	ck_assert_str_eq(told, "+(stack-cut:4#0=15 +(6>5#1=6 +4#2=4 -4#2=4 -6>5#1=6 +7#3=8 -7#3=8 "
			       "-stack-cut:4#0=15");
	told[0] = 0;
	ck_assert(path_walk_visit(&walk, 5, 5, &rows, &visitor));
	ck_assert_str_eq(told, "");
	path_walk_free(&walk);
	pathstore_free(&store);
}
END_TEST

START_TEST(equal_paths_are_one)
{
	struct callpath_table table = {0};
	const struct callpath_ref recorded = callpath_root(CHAIN_RECORDED);
	const struct callpath_ref a = callpath_get(&table, recorded, 5);
	const struct callpath_ref b = callpath_get(&table, a, 6);

	ck_assert_uint_eq(callpath_get(&table, recorded, 5).number, a.number);
	ck_assert_uint_eq(callpath_get(&table, a, 6).number, b.number);
	ck_assert_uint_ne(callpath_get(&table, recorded, 6).number, b.number);
	ck_assert_uint_ne(callpath_get(&table, callpath_root(CHAIN_COMPLETE), 5).number, a.number);
	ck_assert_uint_eq(callpath_count(&table), 4);
	callpath_table_free(&table);
}
END_TEST

/* @addresses from @caller at once are the paths that they are one by one. */
static void check_all(struct callpath_table *table, struct callpath_ref caller,
		      const uint32_t *addresses, size_t nr)
{
	struct callpath_ref paths[200];

	ck_assert_uint_le(nr, 200);
	ck_assert(callpath_get_all(table, caller, addresses, nr, paths));
	for (size_t i = 0; i < nr; i++) {
		const struct callpath *path = callpath_at(table, paths[i].number);

		ck_assert_uint_eq(path->caller, caller.number);
		ck_assert_uint_eq(path->address, addresses[i]);
		caller = callpath_get(table, caller, addresses[i]);
		ck_assert_uint_eq(caller.number, paths[i].number);
		ck_assert_uint_eq(caller.hash, paths[i].hash);
	}
}

START_TEST(many_paths_at_once)
{
	struct callpath_table table = {0};
	const struct callpath_ref complete = callpath_root(CHAIN_COMPLETE);
	uint32_t addresses[200];

	for (uint32_t i = 0; i < 200; i++)
		addresses[i] = i % 7;
	check_all(&table, complete, addresses, 0);
	ck_assert_uint_eq(callpath_count(&table), 0);
	check_all(&table, complete, addresses, 33);
	ck_assert_uint_eq(callpath_count(&table), 33);
	check_all(&table, complete, addresses, 200); /* some are known */
	ck_assert_uint_eq(callpath_count(&table), 200);
	check_all(&table, complete, addresses, 200);
	ck_assert_uint_eq(callpath_count(&table), 200);
	addresses[64] = 9; /* others from there on */
	check_all(&table, complete, addresses, 100);
	ck_assert_uint_eq(callpath_count(&table), 236);
	check_all(&table, callpath_root(CHAIN_RECORDED), addresses, 32);
	ck_assert_uint_eq(callpath_count(&table), 268);
	callpath_table_free(&table);
}
END_TEST

/* Each from a path of its own: the same path may be asked for twice. */
START_TEST(a_path_from_each)
{
	enum { NR = CALLPATH_EACH_MAX };
	struct callpath_table table = {0};
	struct callpath_ref callers[NR];
	uint32_t addresses[NR], numbers[NR];

	callers[0] = callpath_root(CHAIN_COMPLETE);
	for (uint32_t i = 1; i < NR; i++)
		callers[i] = callpath_get(&table, callers[i / 2], i % 3);
	for (uint32_t i = 0; i < NR; i++)
		addresses[i] = i % 5;
	callers[NR - 1] = callers[NR - 6]; /* with the same address */
	ck_assert(callpath_get_each(&table, callers, addresses, 0, numbers));
	ck_assert(callpath_get_each(&table, callers, addresses, NR, numbers));
	for (uint32_t i = 0; i < NR; i++) {
		ck_assert_uint_eq(numbers[i],
				  callpath_get(&table, callers[i], addresses[i]).number);
		ck_assert_uint_eq(callpath_at(&table, numbers[i])->caller, callers[i].number);
		ck_assert_uint_eq(callpath_at(&table, numbers[i])->address, addresses[i]);
	}
	ck_assert_uint_eq(numbers[NR - 1], numbers[NR - 6]);
	callpath_table_free(&table);
}
END_TEST

START_TEST(no_paths_are_not_visited)
{
	const struct path_visitor visitor = {tell_enter, tell_leave, told};
	struct address_rows rows = {0};
	struct path_walk walk;
	struct pathstore store;

	pathstore_init(&store, 0);
	told[0] = 0;
	ck_assert_int_eq(pathstore_walk(&store, 0, NULL, &walk, NULL), 0);
	ck_assert(path_walk_visit(&walk, 0, 0, &rows, &visitor));
	ck_assert_int_eq(pathstore_visit(&store, NULL, &rows, &visitor, NULL), 0);
	ck_assert_str_eq(told, "");
	pathstore_free(&store);
}
END_TEST

START_TEST(recursion_a_million_deep_needs_no_stack)
{
	enum { DEPTH = 1000000 };
	struct tally totals[1] = {0};
	const struct address_rows rows = {
		.words = (uint32_t[]){1, 0}, .list_of = (uint32_t[]){0}, .nr_rows = 1};
	struct callpath_ref path = callpath_root(CHAIN_RECORDED);
	struct pathstore store;

	pathstore_init(&store, 0);
	for (int i = 0; i < DEPTH; i++)
		path = callpath_get(&store.now, path, 0);
	tally_add(&callpath_at(&store.now, path.number)->here, 3, 30);
	ck_assert_int_eq(children_sum(&store, NULL, NULL, &rows, NULL, totals, NULL, NULL), 0);
	ck_assert_uint_eq(totals[0].samples, 3);
	ck_assert_uint_eq(totals[0].period, 30);
	pathstore_free(&store);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("callpath");
	TCase *tc = tcase_create("callpath");

	tcase_add_loop_test(tc, each_row_counts_once_per_stack, 0, 20);
	tcase_add_test(tc, equal_paths_are_one);
	tcase_add_test(tc, many_paths_at_once);
	tcase_add_test(tc, a_path_from_each);
	tcase_add_test(tc, a_visitor_enters_callers_first_and_leaves_them_last);
	tcase_add_test(tc, no_paths_are_not_visited);
	tcase_add_test(tc, recursion_a_million_deep_needs_no_stack);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
