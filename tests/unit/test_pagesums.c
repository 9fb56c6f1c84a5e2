/* What functions counted: whether the paths of the page tell it, and its columns. */
#include "report/export/pagesums.h"

#include "tests/support/inflated.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { MAIN, WORK, NR_FUNCTIONS, NR_PATHS = 4 };

/* main calls work, which calls itself inlined, and main. */
struct sums_case {
	struct function_stat functions[NR_FUNCTIONS];
	struct path_stat paths[NR_PATHS];
};

static void make(struct sums_case *made)
{
	const struct function_stat *functions = made->functions;

	*made = (struct sums_case){
		.functions = {{.self = {3, 30}, .children = {7, 77}, .inlined = {0, 0}},
			      {.self = {4, 47}, .children = {6, 67}, .inlined = {3, 40}}},
		.paths = {{.function = functions, .depth = 0, .self = {1, 10}, .total = {7, 77}},
			  {.function = functions + 1, .depth = 1, .self = {1, 7}, .total = {6, 67}},
			  {.function = functions + 1,
			   .depth = 2,
			   .self = {3, 40},
			   .total = {3, 40},
			   .inlined = true},
			  {.function = functions, .depth = 2, .self = {2, 20}, .total = {2, 20}}},
	};
}

static bool is_told(const struct sums_case *made)
{
	const struct pagesums_input input = {made->functions, NR_FUNCTIONS, made->paths, NR_PATHS};
	bool told;

	ck_assert(pagesums_told(&input, &told));
	return told;
}

START_TEST(paths_tell_sums)
{
	struct sums_case made;

	make(&made);
	ck_assert(is_told(&made));
}
END_TEST

/* Each of the sums may have something that no path tells. */
START_TEST(other_sums_are_not_told)
{
	struct sums_case made;
	uint64_t *sums[] = {
		&made.functions[0].self.samples,     &made.functions[0].self.period,
		&made.functions[1].children.samples, &made.functions[1].children.period,
		&made.functions[1].inlined.samples,  &made.functions[1].inlined.period,
	};

	make(&made);
	++*sums[_i];
	ck_assert(!is_told(&made));
}
END_TEST

/* JavaScript counts up to 2^53 exactly. */
START_TEST(large_sums_are_not_told)
{
	static const uint64_t periods[] = {(UINT64_C(1) << 53) - 1, UINT64_C(1) << 53};
	struct sums_case made;

	make(&made);
	made.paths[0].self.period += periods[_i] - 77;
	made.paths[0].total.period = made.functions[0].children.period = periods[_i];
	made.functions[0].self.period += periods[_i] - 77;
	ck_assert_int_eq(is_told(&made), _i == 0);
}
END_TEST

START_TEST(too_many_paths_tell_nothing)
{
	const struct pagesums_input input = {NULL, 0, NULL, PAGESUMS_PATHS_MAX + 1};
	bool told = true;

	ck_assert(pagesums_told(&input, &told));
	ck_assert(!told);
}
END_TEST

START_TEST(columns_are_in_order)
{
	static const uint8_t expected[] = {4, 3, 47, 30, 6, 7, 67, 77, 3, 0, 40, 0};
	static const uint32_t rows[] = {WORK, MAIN};
	struct sums_case made;
	struct pagenumbers packed;
	uint8_t bytes[64];

	make(&made);
	ck_assert(pagenumbers_start(&packed, SIZE_MAX, true));
	pagesums_put(&(struct pagesums_input){made.functions, NR_FUNCTIONS, made.paths, NR_PATHS},
		     rows, &packed);
	ck_assert(pagenumbers_end(&packed));
	ck_assert_uint_eq(inflated_bytes(&packed, bytes, sizeof(bytes)), sizeof(expected));
	ck_assert_mem_eq(bytes, expected, sizeof(expected));
	pagenumbers_free(&packed);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("pagesums");
	TCase *tc = tcase_create("pagesums");

	tcase_add_test(tc, paths_tell_sums);
	tcase_add_loop_test(tc, other_sums_are_not_told, 0, 6);
	tcase_add_loop_test(tc, large_sums_are_not_told, 0, 2);
	tcase_add_test(tc, too_many_paths_tell_nothing);
	tcase_add_test(tc, columns_are_in_order);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
