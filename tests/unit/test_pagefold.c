/* Which paths of the page are kept, by what nodes cost. */
#include "report/export/pagefold.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { MAIN, PARSE, READ, WRITE, FLUSH, NR };

/* main calls parse, which calls read, and write, which calls flush; main has no samples itself. */
static const struct path_stat paths[NR] = {
	[MAIN] = {.depth = 0, .self = {0, 0}, .total = {100, 1000}},
	[PARSE] = {.depth = 1, .self = {10, 100}, .total = {60, 600}},
	[READ] = {.depth = 2, .self = {50, 500}, .total = {50, 500}},
	[WRITE] = {.depth = 1, .self = {39, 390}, .total = {40, 400}},
	[FLUSH] = {.depth = 2, .self = {1, 10}, .total = {1, 10}},
};
static const struct tally total = {100, 1000};

/* What is kept, the first path as the lowest bit. */
static unsigned kept(const struct pagefold *fold, size_t nr)
{
	unsigned bits = 0;

	for (size_t i = 0; i < nr; i++)
		bits |= (unsigned)pagefold_keeps(fold, i) << i;
	return bits;
}

START_TEST(smallest_paths_are_folded_first)
{
	static const struct {
		struct pagefold_cost cost;
		double room;
		unsigned kept;
	} cases[] = {
		{{1, 0}, 5, 1 << MAIN | 1 << PARSE | 1 << READ | 1 << WRITE | 1 << FLUSH},
		/* without flush alone there were a [rest] in its place */
		{{1, 0}, 4, 1 << MAIN | 1 << PARSE | 1 << READ},
		/* without read there were two of them */
		{{1, 0}, 3, 1 << MAIN},
		{{1, 0}, 2, 1 << MAIN},
		{{1, 0}, 1, 0},
		/* only those with samples of their own cost anything; main has none */
		{{0, 1}, 3, 1 << MAIN | 1 << PARSE | 1 << READ},
		{{0, 1}, 1, 1 << MAIN},
	};
	struct pagefold fold;

	ck_assert(pagefold_start(&fold, paths, NR, &total));
	ck_assert_uint_eq(kept(&fold, NR), (1 << NR) - 1);
	ck_assert(pagefold_choose(&fold, &cases[_i].cost, cases[_i].room));
	ck_assert_uint_eq(kept(&fold, NR), cases[_i].kept);
	pagefold_free(&fold);
}
END_TEST

/* A choice does not depend on the one before. */
START_TEST(paths_come_back_where_there_is_room)
{
	static const struct pagefold_cost cost = {1, 0};
	struct pagefold fold;

	ck_assert(pagefold_start(&fold, paths, NR, &total));
	pagefold_drop(&fold);
	ck_assert_uint_eq(kept(&fold, NR), 0);
	ck_assert(pagefold_choose(&fold, &cost, 4));
	ck_assert_uint_eq(kept(&fold, NR), 1 << MAIN | 1 << PARSE | 1 << READ);
	ck_assert(pagefold_choose(&fold, &cost, 5));
	ck_assert_uint_eq(kept(&fold, NR), (1 << NR) - 1);
	pagefold_free(&fold);
}
END_TEST

/* Of paths that are equally large the deepest goes first. */
START_TEST(parents_are_kept_longer)
{
	static const struct path_stat chain[] = {
		{.depth = 0, .total = {3, 30}},
		{.depth = 1, .total = {3, 30}},
		{.depth = 2, .self = {3, 30}, .total = {3, 30}},
	};
	static const struct pagefold_cost cost = {1, 0};
	struct pagefold fold;

	ck_assert(pagefold_start(&fold, chain, 3, &(struct tally){3, 30}));
	ck_assert(pagefold_choose(&fold, &cost, 2.5));
	ck_assert_uint_eq(kept(&fold, 3), 1);
	pagefold_free(&fold);
}
END_TEST

/* A path counts as large if its samples or its period are. */
START_TEST(the_larger_share_counts)
{
	static const struct path_stat roots[] = {
		{.depth = 0, .self = {90, 10}, .total = {90, 10}},
		{.depth = 0, .self = {1, 80}, .total = {1, 80}},
		{.depth = 0, .self = {9, 10}, .total = {9, 10}},
	};
	static const struct pagefold_cost cost = {1, 0};
	struct pagefold fold;

	ck_assert(pagefold_start(&fold, roots, 3, &(struct tally){100, 100}));
	ck_assert(pagefold_choose(&fold, &cost, 2));
	ck_assert_uint_eq(kept(&fold, 3), 3);
	pagefold_free(&fold);
}
END_TEST

START_TEST(what_is_too_deep_is_folded)
{
	static const struct path_stat deep[] = {
		{.depth = PAGEFOLD_DEPTH_MAX - 1, .self = {1, 1}, .total = {2, 2}},
		{.depth = PAGEFOLD_DEPTH_MAX, .self = {1, 1}, .total = {1, 1}},
	};
	struct pagefold fold;

	ck_assert(pagefold_start(&fold, deep, 2, &(struct tally){2, 2}));
	ck_assert_uint_eq(kept(&fold, 2), 1);
	pagefold_free(&fold);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("pagefold");
	TCase *tc = tcase_create("pagefold");

	tcase_add_loop_test(tc, smallest_paths_are_folded_first, 0, 7);
	tcase_add_test(tc, paths_come_back_where_there_is_room);
	tcase_add_test(tc, parents_are_kept_longer);
	tcase_add_test(tc, the_larger_share_counts);
	tcase_add_test(tc, what_is_too_deep_is_folded);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
