/* The whole of an event on two sides; expected values by scipy.stats.t, version 1.10.1. */
#include "decode/compare/judge/total.h"

#include "tests/support/suite.h"

#include <check.h>
#include <math.h>

static struct run_total old_runs[3], new_runs[3];

static struct total_change compare(enum measure measure, size_t nr_old, size_t nr_new)
{
	const struct side old_side = {old_runs, nr_old}, new_side = {new_runs, nr_new};

	return total_compare(measure, 0.03, &old_side, &new_side);
}

static void set(struct run_total *run, uint64_t period, double seconds)
{
	*run = (struct run_total){.samples = period / 1000, .period = period, .seconds = seconds};
}

static void setup(void)
{
	static const uint64_t periods[2][3] = {{1000000, 1040000, 980000},
					       {850000, 820000, 870000}};

	for (int i = 0; i < 3; i++) {
		set(&old_runs[i], periods[0][i], 2);
		set(&new_runs[i], periods[1][i], 1);
	}
}

START_TEST(three_runs_a_side)
{
	struct total_change change = compare(MEASURE_PERIOD, 3, 3);

	ck_assert_double_eq_tol(change.old_value, 1006666.6666667, 1e-6);
	ck_assert_double_eq_tol(change.percent, -15.8940397351, 1e-9);
	ck_assert_double_eq_tol(change.low, -21.42699539205536, 1e-8);
	ck_assert_double_eq_tol(change.high, -9.97146427863846, 1e-8);
	ck_assert_double_eq_tol(change.p_value, 0.002120522134086869, 1e-12);
	ck_assert_double_eq(change.expected, 0);
	ck_assert_int_eq(change.verdict, VERDICT_LESS);
}
END_TEST

START_TEST(rates)
{
	struct total_change change = compare(MEASURE_RATE, 3, 3);

	ck_assert(change.per_second);
	ck_assert_double_eq_tol(change.old_value, 503333.3333333, 1e-6);
	ck_assert_double_eq_tol(change.percent, 68.2119205298, 1e-9);
	ck_assert_int_eq(change.verdict, VERDICT_MORE);
}
END_TEST

/* 3.18 sqrt 2 * 3 %, as a ratio */
START_TEST(one_run_a_side)
{
	struct total_change change = compare(MEASURE_PERIOD, 1, 1);

	ck_assert_double_eq_tol(change.percent, -15, 1e-9);
	ck_assert_double_eq_tol(change.expected, 14.455940267463422, 1e-8);
	ck_assert_int_eq(change.verdict, VERDICT_UNSURE);
	ck_assert(isinf(change.low) && isinf(change.high));
}
END_TEST

/* Runs that are copies of each other are known to a sample, no better. */
START_TEST(copies)
{
	for (int i = 0; i < 3; i++) {
		set(&old_runs[i], 1000000, 1);
		set(&new_runs[i], 1000000, 1);
	}
	ck_assert_int_eq(compare(MEASURE_PERIOD, 3, 3).verdict, VERDICT_SAME);
	ck_assert_double_eq_tol(compare(MEASURE_PERIOD, 3, 3).high, 0.2269, 1e-3);
	for (int i = 0; i < 3; i++)
		set(&new_runs[i], 1002000, 1);
	ck_assert_int_eq(compare(MEASURE_PERIOD, 3, 3).verdict, VERDICT_SAME);
	for (int i = 0; i < 3; i++)
		set(&new_runs[i], 1004000, 1);
	ck_assert_int_eq(compare(MEASURE_PERIOD, 3, 3).verdict, VERDICT_MORE);
}
END_TEST

START_TEST(runs_without_the_event)
{
	set(&old_runs[1], 0, 1);
	ck_assert_int_eq(compare(MEASURE_PERIOD, 3, 3).verdict, VERDICT_UNSURE);
	for (int i = 0; i < 3; i++)
		set(&old_runs[i], 0, 0);
	ck_assert(isinf(compare(MEASURE_RATE, 3, 3).percent));
	ck_assert_int_eq(compare(MEASURE_RATE, 3, 3).verdict, VERDICT_UNSURE);
}
END_TEST

/* 4 % more cannot be told, nor be excluded. */
START_TEST(unsure)
{
	set(&old_runs[0], 1000000, 1);
	set(&old_runs[1], 1060000, 1);
	set(&new_runs[0], 1090000, 1);
	set(&new_runs[1], 1050000, 1);
	ck_assert_int_eq(compare(MEASURE_PERIOD, 2, 2).verdict, VERDICT_UNSURE);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("total");
	TCase *tcase = tcase_create("total");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, three_runs_a_side);
	tcase_add_test(tcase, rates);
	tcase_add_test(tcase, one_run_a_side);
	tcase_add_test(tcase, copies);
	tcase_add_test(tcase, runs_without_the_event);
	tcase_add_test(tcase, unsure);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
