/*
 * Verdicts on changes, against an independent implementation: the tables of expected values were
 * made by tests/calibrate/expected.py, which says how, with python 3.11 and scipy 1.10.1.
 */
#include "decode/compare/verdict.h"

#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

enum { MAX_FUNCTIONS = 8, MAX_RUNS = 5 };

struct row {
	double values[8]; /* old, new, delta, low, high, ratio, p, q */
	enum verdict verdict;
};

static const struct row one_run[] = {
	{{50.0, 45.45454545454545, -4.545454545454547, -9.313174304092477, 0.24418500764131146,
	  0.9090909090909091, 0.06261735181890908, 0.06261735181890908},
	 VERDICT_SAME},
	{{30.0, 36.36363636363637, 6.363636363636367, 3.4234513086058582, 9.291491589983162,
	  1.2121212121212122, 3.69157642296236e-05, 9.2289410574059e-05},
	 VERDICT_SLOWER},
	{{19.0, 16.363636363636363, -2.6363636363636367, -5.346161600803144, 0.047480860193841234,
	  0.8612440191387559, 0.05449845275011503, 0.06261735181890908},
	 VERDICT_SAME},
	{{0.0, 1.6818181818181819, 1.6818181818181819, 1.1442890613873726, 2.357643573170557,
	  INFINITY, 6.77063008389194e-07, 3.38531504194597e-06},
	 VERDICT_NEW},
	{{0.9, 0.0, -0.9, -1.568642231771146, -0.4339041542385897, 0.0, 0.001663833341953531,
	  0.002773055569922552},
	 VERDICT_GONE},
	{{0.1, 0.13636363636363635, 0.03636363636363635, -0.3006846432814233, 0.36527108248089657,
	  1.3636363636363635, 0.7801702654028427, 1.0},
	 VERDICT_SAME},
};
static const struct row plain[] = {
	{{60.0, 54.54545454545455, -5.454545454545453, -9.977196381251881, -0.8937621691046012,
	  0.9090909090909091, 0.019170822056751864, 0.028756233085127796},
	 VERDICT_FASTER},
	{{25.0, 29.09090909090909, 4.09090909090909, 0.8062081981643976, 7.3514790802921475,
	  1.1636363636363636, 0.014581725732417174, 0.028756233085127796},
	 VERDICT_SLOWER},
	{{15.0, 16.363636363636363, 1.3636363636363633, -1.8831669742327124, 4.582418131103098,
	  1.0909090909090908, 0.40936525064271323, 0.40936525064271323},
	 VERDICT_SAME},
};
static const struct row several[] = {
	{{50.0, 42.72727272727273, -7.272727272727273, -10.21174617224651, -4.311354248744197,
	  0.8545454545454545, 0.00017461091053505703, 0.0005483041271120547},
	 VERDICT_FASTER},
	{{30.666666666666668, 37.27272727272727, 6.6060606060606055, 3.7800829437898322,
	  9.435655171056693, 1.2154150197628457, 0.00027415206355602736, 0.0005483041271120547},
	 VERDICT_SLOWER},
	{{18.933333333333334, 19.681818181818183, 0.7484848484848499, -1.4036761657035952,
	  2.9299624637088253, 1.0395326504481435, 0.46452732884760084, 0.6193697717968011},
	 VERDICT_SAME},
	{{0.4, 0.3181818181818182, -0.08181818181818185, -0.4649861503064608, 0.3484402293288908,
	  0.7954545454545454, 0.652258398019413, 0.652258398019413},
	 VERDICT_SAME},
};
static const struct row several_period[] = {
	{{500000.0, 470000.0, -30000.0, -130405.57504297023, 74748.58500994813, 0.94,
	  0.5313076129787118, 0.7084101506382824},
	 VERDICT_SAME},
	{{306666.6666666667, 410000.0, 103333.33333333331, 38911.22993098593, 170786.46181334337,
	  1.3369565217391304, 0.005014177774833084, 0.020056711099332335},
	 VERDICT_SLOWER},
	{{189333.33333333334, 216500.0, 27166.666666666657, -16492.65726633803, 73080.10981057072,
	  1.1434859154929577, 0.19972215995177045, 0.3994443199035409},
	 VERDICT_SAME},
	{{4000.0, 3500.0, -500.0, -4538.8645509111575, 4322.654526007723, 0.875, 0.800730529093516,
	  0.800730529093516},
	 VERDICT_SAME},
};
static const struct row several_rate[] = {
	{{483870.96774193546, 391666.6666666666, -92204.30107526883, -130847.80084677371,
	  -53220.029361105015, 0.8094444444444444, 0.00015817914745136746, 0.0006327165898054698},
	 VERDICT_FASTER},
	{{296774.1935483871, 341666.6666666666, 44892.47311827954, 9868.785202352992,
	  80530.7637055507, 1.1512681159420288, 0.015583892379169358, 0.031167784758338715},
	 VERDICT_SLOWER},
	{{183225.8064516129, 180416.66666666663, -2809.139784946281, -27136.12049732019,
	  21954.261924417187, 0.9846684272300467, 0.8111102239098853, 0.8111102239098853},
	 VERDICT_SAME},
	{{3870.967741935484, 2916.666666666666, -954.3010752688178, -4528.164433558821,
	  2921.610143418248, 0.7534722222222221, 0.5715579802475003, 0.762077306996667},
	 VERDICT_SAME},
};
static const struct row one_against_four[] = {
	{{49.91680532445923, 49.645390070921984, -0.27141525353724916, -3.883449790985467,
	  3.340292261938979, 0.9945626477541372, 0.8708710255791824, 0.8708710255791823},
	 VERDICT_SAME},
	{{27.731558513588464, 29.677063967499826, 1.9455054539113625, -0.2627967579573638,
	  4.090558766595414, 1.0701549266680437, 0.0774597704730878, 0.12909961745514634},
	 VERDICT_SAME},
	{{22.185246810870773, 20.31260758796392, -1.8726392229068516, -3.8582609380861554,
	  0.03957150827410727, 0.9155907870274737, 0.05591811769454349, 0.12909961745514634},
	 VERDICT_SAME},
	{{0.0, 0.2341114094883977, 0.2341114094883977, 0.1820966906910704, 0.27802100551915326,
	  INFINITY, 8.825745991660156e-06, 4.412872995830078e-05},
	 VERDICT_NEW},
	{{0.16638935108153077, 0.1308269641258693, -0.03556238695566147, -0.12005979404890633,
	  0.027194526849237816, 0.7862700543964746, 0.27187231442316123, 0.3398403930289515},
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

	ck_assert_int_eq(compare_functions(measure, DEFAULT_RUN_DEVIATION, &sides[0], &sides[1],
					   functions, nr, &err),
			 0);
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

/* A new function, noise within each of the runs, and but one side with several of them. */
START_TEST(one_run_against_four)
{
	static const uint64_t samples[5][5] = {{9000, 9200, 8700, 9100, 9050},
					       {5000, 5300, 5450, 5200, 5600},
					       {4000, 3600, 3900, 3750, 3500},
					       {0, 40, 35, 50, 45},
					       {30, 20, 25, 28, 22}};
	static const double noise[5][5] = {{1.5, 1.4, 1.7, 1.2, 1.3},
					   {0.9, 1.1, 1.2, 1, 0.8},
					   {2, 2.5, 2.2, 2.1, 1.9},
					   {0, 1, 1.2, 0.9, 1.1},
					   {1, 1, 1, 1, 1}};
	static const double df[5][5] = {{60, 60, 60, 60, 60},
					{59, 59, 59, 59, 59},
					{58, 58, 58, 58, 58},
					{0, 25, 24, 27, 26},
					{20, 20, 20, 20, 20}};

	for (size_t run = 0; run < 5; run++) {
		const int side = run > 0;
		const size_t number = side ? run - 1 : 0;
		uint64_t all = 0;

		for (size_t i = 0; i < 5; i++)
			all += samples[i][run];
		set_total(side, number, all, 3);
		for (size_t i = 0; i < 5; i++)
			set_share(i, side, number, samples[i][run], noise[i][run], df[i][run]);
	}
	compare(MEASURE_SHARE, NR(one_against_four));
	check_rows(one_against_four, NR(one_against_four));
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
		ck_assert(functions[0].change.ci_low == -INFINITY);
		ck_assert(functions[0].change.ci_high == INFINITY);
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

/* Few samples are no reason to shout: 5 and 0 may be chance, 8 and 0 are not. The p value is that
 * of a fair coin, but for the little that runs may differ. */
START_TEST(few_samples)
{
	set_total(0, 0, 10000, 1);
	set_total(1, 0, 10000, 1);
	set_share(0, 0, 0, 5, 0, 0);
	compare(MEASURE_SHARE, 1);
	ck_assert_double_eq_tol(functions[0].change.p_value, 1. / 32, 3e-4);
	set_share(0, 0, 0, 4, 0, 0);
	compare(MEASURE_SHARE, 1);
	ck_assert_double_eq_tol(functions[0].change.p_value, 1. / 16, 3e-4);
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

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, one_run_a_side);
	tcase_add_test(tcase, sums_alone);
	tcase_add_test(tcase, several_runs_a_side);
	tcase_add_test(tcase, one_run_against_four);
	tcase_add_test(tcase, one_function_alone);
	tcase_add_test(tcase, nothing_to_compare);
	tcase_add_test(tcase, sums_without_end);
	tcase_add_test(tcase, copies_of_a_run);
	tcase_add_test(tcase, few_samples);
	tcase_add_test(tcase, another_number_of_samples_is_no_change);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
