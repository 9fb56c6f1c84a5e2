/*
 * Verdicts on changes, against an independent implementation.
 *
 * The tables of expected values were made by a program of its own, in python 3.11 with
 * scipy 1.10.1, written after the section METHOD of readperf-diff(1) and not after the code: tails
 * are scipy.special.betainc() and scipy.stats.t.sf(), quantiles scipy.optimize.brentq() of them
 * (t.isf() has but 9 digits), the limits of a side the roots of (q - p)^2 = t^2 p (1 - p) / n.
 */
#include "decode/compare/verdict.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

enum { MAX_FUNCTIONS = 8, MAX_RUNS = 4 };

struct row {
	double values[8]; /* old, new, delta, low, high, ratio, p, q */
	enum verdict verdict;
};

static const struct row one_run[] = {
	{{50.0, 45.45454545454545, -4.545454545454547, -8.712108636290404, -0.362074543865921,
	  0.9090909090909091, 0.03336295878852227, 0.04170369848565284},
	 VERDICT_FASTER},
	{{30.0, 36.36363636363637, 6.363636363636367, 3.9055953890761383, 8.813054393677549,
	  1.2121212121212122, 1.1626122089929648e-06, 2.906530522482412e-06},
	 VERDICT_SLOWER},
	{{19.0, 16.363636363636363, -2.6363636363636367, -5.203451038433662, -0.09259731203189059,
	  0.8612440191387559, 0.042645324923262916, 0.042645324923262916},
	 VERDICT_FASTER},
	{{0.0, 1.6818181818181819, 1.6818181818181819, 1.1473550203508682, 2.353381177425353,
	  INFINITY, 6.11670257214663e-07, 2.906530522482412e-06},
	 VERDICT_NEW},
	{{0.9, 0.0, -0.9, -1.5665479910864661, -0.4352081461259247, 0.0, 0.001635191949773046,
	  0.00272531991628841},
	 VERDICT_GONE},
	{{0.1, 0.13636363636363635, 0.03636363636363635, -0.3005098810121173, 0.3651057866141587,
	  1.3636363636363635, 0.7800787516483679, 1.0},
	 VERDICT_SAME},
};
static const struct row plain[] = {
	{{60.0, 54.54545454545455, -5.454545454545453, -9.073970412727826, -1.8107317722877538,
	  0.9090909090909091, 0.003374359778329603, 0.01012307933498881},
	 VERDICT_FASTER},
	{{25.0, 29.09090909090909, 4.09090909090909, 1.077936354756896, 7.083557845484501,
	  1.1636363636363636, 0.007752297864089379, 0.011628446796134069},
	 VERDICT_SLOWER},
	{{15.0, 16.363636363636363, 1.3636363636363633, -1.7929053763091272, 4.493672793983141,
	  1.0909090909090908, 0.39612971909628547, 0.3961297190962855},
	 VERDICT_SAME},
};
static const struct row several[] = {
	{{50.0, 42.72727272727273, -7.272727272727273, -10.101271332447014, -4.423483395956815,
	  0.8545454545454545, 0.0005147254521234942, 0.001897642916865974},
	 VERDICT_FASTER},
	{{30.666666666666668, 37.27272727272727, 6.6060606060606055, 3.746087482507897,
	  9.469737352613343, 1.2154150197628457, 0.000948821458432987, 0.001897642916865974},
	 VERDICT_SLOWER},
	{{18.933333333333334, 19.681818181818183, 0.7484848484848499, -1.3076777910867343,
	  2.8313989927282854, 1.0395326504481435, 0.4196235329261624, 0.5594980439015499},
	 VERDICT_SAME},
	{{0.4, 0.3181818181818182, -0.08181818181818185, -0.5030430025999857, 0.3950028921505223,
	  0.7954545454545454, 0.656906290985035, 0.656906290985035},
	 VERDICT_SAME},
};
static const struct row several_period[] = {
	{{500000.0, 470000.0, -30000.0, -157959.15431243525, 105045.04741330177, 0.94,
	  0.6076617242137091, 0.8033279835566011},
	 VERDICT_SAME},
	{{306666.6666666667, 410000.0, 103333.33333333331, 22550.550354339124, 188914.12158624287,
	  1.3369565217391304, 0.019477687202749425, 0.0779107488109977},
	 VERDICT_SAME},
	{{189333.33333333334, 216500.0, 27166.666666666657, -26260.565378132196, 83986.30485866636,
	  1.1434859154929577, 0.2735489800452607, 0.5470979600905214},
	 VERDICT_SAME},
	{{4000.0, 3500.0, -500.0, -4851.283980812467, 4743.479198084098, 0.875, 0.8033279835566011,
	  0.8033279835566011},
	 VERDICT_SAME},
};
static const struct row several_rate[] = {
	{{483870.96774193546, 391666.6666666666, -92204.30107526883, -130909.27023048731,
	  -53157.47203516389, 0.8094444444444444, 0.0008451187248581183, 0.003380474899432473},
	 VERDICT_FASTER},
	{{296774.1935483871, 341666.6666666666, 44892.47311827954, 6056.512110384283,
	  84484.95161438637, 1.1512681159420288, 0.029369116127663613, 0.058738232255327226},
	 VERDICT_SAME},
	{{183225.8064516129, 180416.66666666663, -2809.139784946281, -28137.96030576709,
	  22992.944093170867, 0.9846684272300467, 0.8031369966165566, 0.8031369966165566},
	 VERDICT_SAME},
	{{3870.967741935484, 2916.666666666666, -954.3010752688178, -4959.336392657031,
	  3421.3154127121616, 0.7534722222222221, 0.5771910276336436, 0.7695880368448581},
	 VERDICT_SAME},
};

static struct run_total totals[2][MAX_RUNS];
static struct run_share shares[MAX_FUNCTIONS][2][MAX_RUNS];
static struct comparison functions[MAX_FUNCTIONS];
static struct side sides[2];

static void setup(void)
{
	for (int side = 0; side < 2; side++)
		sides[side] = (struct side){.runs = totals[side], .nr_runs = 1};
	for (size_t i = 0; i < MAX_FUNCTIONS; i++) {
		for (int side = 0; side < 2; side++)
			for (size_t run = 0; run < MAX_RUNS; run++)
				shares[i][side][run] = (struct run_share){0};
		functions[i] =
			(struct comparison){.old_runs = shares[i][0], .new_runs = shares[i][1]};
	}
}

static void set_total(int side, size_t run, uint64_t samples, double seconds)
{
	totals[side][run] = (struct run_total){
		.samples = samples, .period = samples * 1000, .seconds = seconds};
	sides[side].nr_runs = run + 1;
}

/* @noise: times that of independent samples; 0: not known. */
static void set_share(size_t function, int side, size_t run, uint64_t samples, double noise,
		      double df)
{
	double part = (double)samples / (double)totals[side][run].samples;

	shares[function][side][run] = (struct run_share){
		.samples = samples,
		.period = samples * 1000,
		.noise = part * (1 - part) / (double)totals[side][run].samples * noise,
		.noise_df = df,
	};
}

static void compare(enum measure measure, size_t nr)
{
	struct error err = {0};

	ck_assert_int_eq(compare_functions(measure, &sides[0], &sides[1], functions, nr, &err), 0);
}

static void agrees(size_t function, const char *what, double have, double want)
{
	if (have == want)
		return; /* INFINITY, too */
	ck_assert_msg(fabs(have - want) <= 1e-9 * fabs(want) + 1e-12,
		      "function %zu: %s is %.17g, but %.17g", function, what, have, want);
}

static void check_rows(const struct row *rows, size_t nr)
{
	static const char *const names[] = {"old",  "new",   "delta", "low",
					    "high", "ratio", "p",     "q"};

	for (size_t i = 0; i < nr; i++) {
		const struct change *c = &functions[i].change;
		const double have[] = {c->old_value, c->new_value, c->delta,   c->ci_low,
				       c->ci_high,   c->ratio,	   c->p_value, c->q_value};

		for (size_t j = 0; j < sizeof(have) / sizeof(*have); j++)
			agrees(i, names[j], have[j], rows[i].values[j]);
		ck_assert_str_eq(verdict_name(c->verdict), verdict_name(rows[i].verdict));
	}
}

#define NR(rows) (sizeof(rows) / sizeof(*(rows)))

/* Bunches, regular samples, functions of which only one side has samples, and hardly any samples.
 */
START_TEST(one_run_a_side)
{
	set_total(0, 0, 2000, 2);
	set_total(1, 0, 2200, 2.2);
	set_share(0, 0, 0, 1000, 2, 60);
	set_share(0, 1, 0, 1000, 1.5, 60);
	set_share(1, 0, 0, 600, 0.5, 50);
	set_share(1, 1, 0, 800, 0.6, 50);
	set_share(2, 0, 0, 380, 1.2, 45);
	set_share(2, 1, 0, 360, 1.1, 45);
	set_share(3, 1, 0, 37, 1, 20);
	set_share(4, 0, 0, 18, 0, 0);
	set_share(5, 0, 0, 2, 0, 0);
	set_share(5, 1, 0, 3, 0, 0);
	compare(MEASURE_SHARE, NR(one_run));
	check_rows(one_run, NR(one_run));
}
END_TEST

/* Nothing is known but sums, as from tables of earlier runs; samples count for different periods.
 */
START_TEST(sums_alone)
{
	static const uint64_t samples[3][2] = {{1500, 1500}, {400, 500}, {100, 200}};
	static const uint64_t periods[3][2] = {
		{1200000, 1200000}, {500000, 640000}, {300000, 360000}};

	set_total(0, 0, 2000, 2);
	set_total(1, 0, 2200, 2);
	for (size_t i = 0; i < 3; i++)
		for (int side = 0; side < 2; side++)
			shares[i][side][0] = (struct run_share){.samples = samples[i][side],
								.period = periods[i][side]};
	compare(MEASURE_SHARE, NR(plain));
	check_rows(plain, NR(plain));
}
END_TEST

static void set_several(void)
{
	static const uint64_t samples[4][5] = {{500, 560, 440, 420, 520},
					       {300, 330, 290, 380, 440},
					       {195, 205, 168, 195, 238},
					       {5, 5, 2, 5, 2}};

	set_total(0, 0, 1000, 1.0);
	set_total(0, 1, 1100, 1.2);
	set_total(0, 2, 900, 0.9);
	set_total(1, 0, 1000, 1.1);
	set_total(1, 1, 1200, 1.3);
	for (size_t i = 0; i < 4; i++)
		for (size_t run = 0; run < 5; run++)
			set_share(i, run < 3 ? 0 : 1, run < 3 ? run : run - 3, samples[i][run], 0,
				  0);
}

START_TEST(several_runs_a_side)
{
	set_several();
	compare(MEASURE_SHARE, NR(several));
	check_rows(several, NR(several));
	compare(MEASURE_PERIOD, NR(several_period));
	check_rows(several_period, NR(several_period));
	compare(MEASURE_RATE, NR(several_rate));
	check_rows(several_rate, NR(several_rate));
}
END_TEST

/* A function that has all samples of both sides has not changed its part. */
START_TEST(one_function_alone)
{
	set_total(0, 0, 100, 1);
	set_total(1, 0, 300, 1);
	set_share(0, 0, 0, 100, 0, 0);
	set_share(0, 1, 0, 300, 0, 0);
	compare(MEASURE_SHARE, 1);
	ck_assert_double_eq(functions[0].change.delta, 0);
	ck_assert_double_eq(functions[0].change.p_value, 1);
	ck_assert_int_eq(functions[0].change.verdict, VERDICT_SAME);
	compare(MEASURE_PERIOD, 1);
	ck_assert_double_eq(functions[0].change.delta, 200000);
	ck_assert_int_eq(functions[0].change.verdict, VERDICT_SLOWER);
}
END_TEST

/* An event that one side does not have, samples without a period: no number that is none. */
START_TEST(nothing_to_compare)
{
	set_total(0, 0, 0, 0);
	set_total(1, 0, 300, 1);
	set_share(0, 1, 0, 300, 0, 0);
	for (int measure = MEASURE_SHARE; measure <= MEASURE_RATE; measure++) {
		compare((enum measure)measure, 1);
		ck_assert_double_eq(functions[0].change.p_value, 1);
		ck_assert_double_eq(functions[0].change.q_value, 1);
		ck_assert_int_eq(functions[0].change.verdict, VERDICT_SAME);
		ck_assert(isfinite(functions[0].change.ci_low));
	}
	compare(MEASURE_SHARE, 0);
}
END_TEST

/* Sums end at 2^64 - 1, and several of them lie above. */
START_TEST(sums_without_end)
{
	for (int side = 0; side < 2; side++)
		for (size_t run = 0; run < 3; run++) {
			set_total(side, run, 1000, 1);
			set_share(0, side, run, 400 + run, 0, 0);
			totals[side][run].period = UINT64_MAX;
			shares[0][side][run].period = UINT64_MAX / 2;
		}
	for (int measure = MEASURE_SHARE; measure <= MEASURE_RATE; measure++) {
		compare((enum measure)measure, 1);
		ck_assert(isfinite(functions[0].change.ci_low));
		ck_assert_int_eq(functions[0].change.verdict, VERDICT_SAME);
	}
}
END_TEST

/* Runs that are copies of each other leave no noise to be seen; there is some all the same. */
START_TEST(copies_of_a_run)
{
	for (int side = 0; side < 2; side++)
		for (size_t run = 0; run < 3; run++) {
			set_total(side, run, 1000, 1);
			set_share(0, side, run, 400, 0, 0);
			set_share(1, side, run, 600, 0, 0);
		}
	compare(MEASURE_SHARE, 2);
	ck_assert_double_eq(functions[0].change.delta, 0);
	ck_assert(functions[0].change.ci_low < -1 && functions[0].change.ci_high > 1);
	ck_assert_int_eq(functions[0].change.verdict, VERDICT_SAME);
}
END_TEST

/* Few samples are no reason to shout: 5 and 0 may be chance, 8 and 0 are not. */
START_TEST(few_samples)
{
	set_total(0, 0, 10000, 1);
	set_total(1, 0, 10000, 1);
	set_share(0, 0, 0, 5, 0, 0);
	compare(MEASURE_SHARE, 1);
	ck_assert_double_eq_tol(functions[0].change.p_value, 1. / 32, 1e-4);
	set_share(0, 0, 0, 4, 0, 0);
	compare(MEASURE_SHARE, 1);
	ck_assert_double_eq_tol(functions[0].change.p_value, 1. / 16, 1e-4);
	ck_assert_double_eq(functions[0].change.q_value, 1);
	ck_assert_int_eq(functions[0].change.verdict, VERDICT_SAME);
	set_share(0, 0, 0, 8, 0, 0);
	compare(MEASURE_SHARE, 1);
	ck_assert_int_eq(functions[0].change.verdict, VERDICT_GONE);
}
END_TEST

/* What counts is the change, not the sampling rate: twice the samples of twice the run is the same.
 */
START_TEST(another_number_of_samples_is_no_change)
{
	set_total(0, 0, 1000, 1);
	set_total(1, 0, 4000, 1);
	for (size_t i = 0; i < 2; i++) {
		set_share(i, 0, 0, i ? 900 : 100, 0, 0);
		set_share(i, 1, 0, i ? 3600 : 400, 0, 0);
	}
	compare(MEASURE_SHARE, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_double_eq(functions[i].change.delta, 0);
		ck_assert_double_eq_tol(functions[i].change.p_value, 1, 0.05);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("verdict");
	TCase *tcase = tcase_create("verdict");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, one_run_a_side);
	tcase_add_test(tcase, sums_alone);
	tcase_add_test(tcase, several_runs_a_side);
	tcase_add_test(tcase, one_function_alone);
	tcase_add_test(tcase, nothing_to_compare);
	tcase_add_test(tcase, sums_without_end);
	tcase_add_test(tcase, copies_of_a_run);
	tcase_add_test(tcase, few_samples);
	tcase_add_test(tcase, another_number_of_samples_is_no_change);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
