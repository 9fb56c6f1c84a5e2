/*
 * Distributions, against scipy 1.10.1 (python 3.11). The rows were made by
 *
 *	from scipy import stats, special
 *	normal:   stats.norm.sf(z)
 *	t:        stats.t.sf(t, df)
 *	beta:     special.betainc(a, b, x)
 *	binomial: stats.binom.sf(x, n, p) + stats.binom.pmf(x, n, p) / 2; for broken counts
 *	          (special.betainc(x, n - x + 1, p) + special.betainc(x + 1, n - x, p)) / 2
 *
 * for the arguments that stand first in each row; but for beta of 1e6 and 2e6, where that function
 * has but 8 digits: there it is the sum of the binomial terms, made with 40 digits (python's
 * decimal).
 */
#include "decode/compare/judge/stats.h"

#include "tests/support/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

struct row {
	double arg[4]; /* the expected value stands behind the last argument */
};

static const struct row normal[] = {
	{{-3.0, 0.9986501019683699}},
	{{-1.0, 0.8413447460685429}},
	{{0.0, 0.5}},
	{{0.5, 0.3085375387259869}},
	{{1.959963984540054, 0.025}},
	{{5.0, 2.866515718791933e-07}},
	{{10.0, 7.61985302416047e-24}},
	{{37.0, 5.7255712225239266e-300}},
};

static const struct row student[] = {
	{{0.5, 1.0, 0.3524163823495668}},      {{2.0, 1.0, 0.1475836176504332}},
	{{-1.5, 2.5, 0.876081773456852}},      {{2.5, 4.7, 0.028796079673433634}},
	{{3.0, 10.0, 0.006671827511284783}},   {{12.0, 3.0, 0.000622507900394668}},
	{{1.96, 200.0, 0.025692420422906675}}, {{6.0, 1e6, 9.869249061772215e-10}},
	{{40.0, 8.0, 8.392859439572887e-11}},
};

static const struct row beta[] = {
	{{0.5, 0.5, 0.1, 0.2048327646991335}},	   {{2, 3, 0.5, 0.6875}},
	{{1.5, 30.25, 0.02, 0.25472669838049894}}, {{200, 300, 0.42, 0.8196010664172744}},
	{{1e6, 2e6, 0.3331, 0.19564360269015316}}, {{5e5, 0.5, 0.99999, 0.0015653640068791653}},
	{{0.3, 1e5, 1e-07, 0.27924070952680813}},  {{40, 2, 0.8, 0.0011963051962064271}},
};

static const struct row binomial[] = {
	{{0, 5, 0.3, 0.9159649999999999}},	    {{5, 5, 0.5, 0.015625}},
	{{3, 10, 0.25, 0.34926605224609364}},	    {{60, 100, 0.5, 0.023022033464671417}},
	{{5100, 10000, 0.5, 0.022752831687757397}}, {{120, 150, 0.2, 2.9982614844559564e-56}},
	{{2.5, 7.25, 0.4, 0.6026688445904859}},	    {{33.3, 40.1, 0.6, 0.0010042524643366596}},
};

#define NR(rows) ((int)(sizeof(rows) / sizeof(*(rows))))

static void agrees(double have, double want)
{
	ck_assert_msg(fabs(have - want) <= 1e-9 * fabs(want), "%.17g, but %.17g", have, want);
}

START_TEST(normal_tails_agree)
{
	const double *arg = normal[_i].arg;

	agrees(stats_normal_tail(arg[0]), arg[1]);
	/* 1e-14 of slack about 0. */
	ck_assert_double_eq_tol(stats_normal_quantile(arg[1]), arg[0],
				1e-14 + 1e-10 * fabs(arg[0]));
}
END_TEST

START_TEST(student_tails_agree)
{
	const double *arg = student[_i].arg;

	agrees(stats_t_tail(arg[0], arg[1]), arg[2]);
	if (arg[2] <= 0.5)
		agrees(stats_t_quantile(arg[2], arg[1]), arg[0]);
}
END_TEST

START_TEST(beta_agrees)
{
	const double *arg = beta[_i].arg;

	agrees(stats_beta(arg[0], arg[1], arg[2], 1 - arg[2]), arg[3]);
	agrees(1 - stats_beta(arg[1], arg[0], 1 - arg[2], arg[2]), arg[3]);
}
END_TEST

START_TEST(binomial_tails_agree)
{
	const double *arg = binomial[_i].arg;
	double z = stats_binomial_deviate(arg[0], arg[1], arg[2]);

	agrees(stats_binomial_midtail(arg[0], arg[1], arg[2]), arg[3]);
	agrees(stats_normal_tail(z), arg[3]);
}
END_TEST

/* Both tails together are 1, as half of the chance of x is in each. */
START_TEST(mid_tails_are_complements)
{
	agrees(stats_binomial_midtail(7, 19, 0.3) + stats_binomial_midtail(12, 19, 0.7), 1);
	agrees(stats_binomial_midtail(0, 4, 0.2) + stats_binomial_midtail(4, 4, 0.8), 1);
}
END_TEST

START_TEST(the_bounds_of_the_range)
{
	ck_assert_double_eq(stats_beta(2, 3, 0, 1), 0);
	ck_assert_double_eq(stats_beta(2, 3, 1, 0), 1);
	ck_assert_double_eq(stats_t_tail(0, 5), 0.5);
	ck_assert_double_eq(stats_t_tail(INFINITY, 5), 0);
	ck_assert_double_eq(stats_t_tail(-INFINITY, 5), 1);
	ck_assert_double_eq(stats_t_tail(1.5, 1e12), stats_normal_tail(1.5));
	agrees(stats_t_quantile(0.025, 1e12), 1.959963984540054);
}
END_TEST

/* Far out, where the tail is 0 in double precision, the deviance goes on where the tail has ended.
 */
START_TEST(deviates_go_on_behind_the_last_tail)
{
	double near = stats_binomial_deviate(1300, 2000, 0.5);
	double far = stats_binomial_deviate(2000, 2000, 0.5);

	ck_assert_double_eq_tol(near, 13.5, 0.2); /* (1300 - 1000) / sqrt(500), less the skew */
	agrees(far, sqrt(2 * 2000 * log(2)));
	ck_assert_double_eq(stats_binomial_deviate(0, 2000, 0.5), -far);
	/* (5e8 + 1e4 - 5e8) / sqrt(2.5e8) */
	ck_assert_double_eq_tol(stats_binomial_deviate(500010000, 1e9, 0.5), 0.6324555, 1e-7);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stats");
	TCase *tcase = tcase_create("stats");

	tcase_add_loop_test(tcase, normal_tails_agree, 0, NR(normal));
	tcase_add_loop_test(tcase, student_tails_agree, 0, NR(student));
	tcase_add_loop_test(tcase, beta_agrees, 0, NR(beta));
	tcase_add_loop_test(tcase, binomial_tails_agree, 0, NR(binomial));
	tcase_add_test(tcase, mid_tails_are_complements);
	tcase_add_test(tcase, the_bounds_of_the_range);
	tcase_add_test(tcase, deviates_go_on_behind_the_last_tail);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
