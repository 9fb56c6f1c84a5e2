/*
 * Verdicts on changes, against an independent implementation: the tables of expected values were
 * made by tests/calibrate/expected.py, which says how, with scipy 1.10.1.
 */
#include "decode/compare/judge/verdict.h"

#include "tests/support/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

enum { MAX_FUNCTIONS = 8, MAX_RUNS = 5 };

struct row {
	double values[8]; /* old, new, delta, low, high, ratio, p, q */
	enum verdict verdict;
};

static const struct row one_run[] = {
	{{50.0, 45.45454545454545, -4.545454545454547, -13.373738357066522, 4.358549144508158,
	  0.9090909090909091, 0.17273074611472927, 0.17273074611472927},
	 VERDICT_UNSURE},
	{{30.0, 36.36363636363637, 6.363636363636367, 0.32628095057751505, 12.349196115490319,
	  1.2121212121212122, 0.045340471873887137, 0.07556745312314522},
	 VERDICT_UNSURE},
	{{19.0, 16.363636363636363, -2.6363636363636367, -6.479991860558622, 1.155636885645738,
	  0.8612440191387559, 0.12444844068873014, 0.15556055086091267},
	 VERDICT_UNSURE},
	{{0.0, 1.6818181818181819, 1.6818181818181819, 1.1043915988268114, 2.4130466659867027,
	  INFINITY, 0.0009790101744455155, 0.004895050872227578},
	 VERDICT_NEW},
	{{0.9, 0.0, -0.9, -1.6012069441514802, -0.4135692816835163, 0.0, 0.0030640685704432145,
	  0.007660171426108036},
	 VERDICT_GONE},
	{{0.1, 0.13636363636363635, 0.03636363636363635, -0.3044021117280564, 0.3687863491057666,
	  1.3636363636363635, 0.7812281742776482, 1.0},
	 VERDICT_SAME},
};
static const struct row plain[] = {
	{{60.0, 54.54545454545455, -5.454545454545453, -15.39395437203013, 4.670296945035286,
	  0.9090909090909091, 0.13890774838173597, 0.20836162257260396},
	 VERDICT_UNSURE},
	{{25.0, 29.09090909090909, 4.09090909090909, -1.2055996068305097, 9.325203171150372,
	  1.1636363636363636, 0.0866245305708333, 0.20836162257260396},
	 VERDICT_UNSURE},
	{{15.0, 16.363636363636363, 1.3636363636363633, -2.6889540409306223, 5.372890894493981,
	  1.0909090909090908, 0.45896332062089024, 0.45896332062089024},
	 VERDICT_UNSURE},
};
static const struct row several[] = {
	{{50.0, 42.72727272727273, -7.272727272727273, -10.13015095236281, -4.394177495235157,
	  0.8545454545454545, 0.0007101531077307994, 0.0014203062154615987},
	 VERDICT_LESS},
	{{30.666666666666668, 37.27272727272727, 6.6060606060606055, 3.8619127639899573,
	  9.353620703567316, 1.2154150197628457, 0.0006877212651418937, 0.0014203062154615987},
	 VERDICT_MORE},
	{{18.933333333333334, 19.681818181818183, 0.7484848484848499, -1.0456597908690615,
	  2.5629792791681254, 1.0395326504481435, 0.335415464666519, 0.4472206195553587},
	 VERDICT_UNSURE},
	{{0.4, 0.3181818181818182, -0.08181818181818185, -0.4030125676991468, 0.2736571980297706,
	  0.7954545454545454, 0.6085843450264493, 0.6085843450264493},
	 VERDICT_SAME},
};
static const struct row several_period[] = {
	{{500000.0, 470000.0, -30000.0, -134877.35006424953, 79619.89925857758, 0.94,
	  0.5304660776932473, 0.7072881035909964},
	 VERDICT_UNSURE},
	{{306666.6666666667, 410000.0, 103333.33333333331, 50288.94783192718, 158421.69463553687,
	  1.3369565217391304, 0.0027717772239265197, 0.011087108895706079},
	 VERDICT_MORE},
	{{189333.33333333334, 216500.0, 27166.666666666657, -10066.099435685785, 66032.2446013492,
	  1.1434859154929577, 0.13167523050950272, 0.26335046101900544},
	 VERDICT_UNSURE},
	{{4000.0, 3500.0, -500.0, -3853.6545392455632, 3415.587469473103, 0.875, 0.7772746603629003,
	  0.7772746603629003},
	 VERDICT_SAME},
};
static const struct row several_rate[] = {
	{{483870.96774193546, 391666.6666666666, -92204.30107526883, -130378.4628279327,
	  -53697.61678552487, 0.8094444444444444, 0.0006524002513618281, 0.0026096010054473123},
	 VERDICT_LESS},
	{{296774.1935483871, 341666.6666666666, 44892.47311827954, 9775.319416505059,
	  80627.53154424558, 1.1512681159420288, 0.01753161592702942, 0.03506323185405884},
	 VERDICT_MORE},
	{{183225.8064516129, 180416.66666666663, -2809.139784946281, -25894.99778636957,
	  20669.57410559351, 0.9846684272300467, 0.7964031581357754, 0.7964031581357754},
	 VERDICT_UNSURE},
	{{3870.967741935484, 2916.666666666666, -954.3010752688178, -4046.8200632635267,
	  2369.952059842838, 0.7534722222222221, 0.527294283041762, 0.7030590440556826},
	 VERDICT_SAME},
};
static const struct row one_against_four[] = {
	{{49.91680532445923, 49.645390070921984, -0.27141525353724916, -3.8890842043788605,
	  3.3459603620343796, 0.9945626477541372, 0.8496475572369612, 0.8496475572369612},
	 VERDICT_SAME},
	{{27.731558513588464, 29.677063967499826, 1.9455054539113625, -0.6308666819614395,
	  4.432766199360033, 1.0701549266680437, 0.10804598898487658, 0.18165132477964496},
	 VERDICT_UNSURE},
	{{22.185246810870773, 20.31260758796392, -1.8726392229068516, -4.407104848238523,
	  0.5367183941464049, 0.9155907870274737, 0.10899079486778698, 0.18165132477964496},
	 VERDICT_UNSURE},
	{{0.0, 0.2341114094883977, 0.2341114094883977, 0.1958096572854992, 0.27144254700066145,
	  INFINITY, 3.1794765453735865e-05, 0.0001589738272686793},
	 VERDICT_NEW},
	{{0.16638935108153077, 0.1308269641258693, -0.03556238695566147, -0.10354128882004632,
	  0.017862980340106187, 0.7862700543964746, 0.1938978146057241, 0.24237226825715513},
	 VERDICT_SAME},
};
static const struct row burst_period[] = {
	{{201666.66666666666, 245333.33333333334, 43666.666666666686, 24544.97131422002,
	  62844.918917280025, 1.2165289256198348, 0.0005152453256749751, 0.0012022390932416086},
	 VERDICT_MORE},
	{{400000.0, 400666.6666666667, 666.6666666666861, -24500.211427139613, 25834.009711462553,
	  1.0016666666666667, 0.9479382072521157, 0.9479382072521157},
	 VERDICT_SAME},
	{{51666.666666666664, 53000.0, 1333.3333333333358, -10066.98189504789, 12744.618269651908,
	  1.0258064516129033, 0.8064672541302943, 0.9408784631520101},
	 VERDICT_UNSURE},
	{{20000.0, 333.3333333333333, -19666.666666666668, -24780.887223600792, -15394.273383660578,
	  0.016666666666666666, 4.004416735231379e-06, 2.8030917146619654e-05},
	 VERDICT_LESS},
	{{333.3333333333333, 19000.0, 18666.666666666668, -269.4173800345052, 44753.8788115781,
	  57.0, 0.02287135088419129, 0.04002486404733476},
	 VERDICT_MORE},
	{{0.0, 6000.0, 6000.0, 3982.4426927372347, 8662.476937028605, INFINITY,
	  0.00014143275086394872, 0.0004950146280238206},
	 VERDICT_NEW},
	{{30333.333333333332, 31666.666666666668, 1333.3333333333358, -7354.332770939669,
	  10038.939661830222, 1.043956043956044, 0.7016278043609981, 0.9408784631520101},
	 VERDICT_UNSURE},
};
static const struct row burst_share[] = {
	{{28.645833333333332, 32.451499118165785, 3.8056657848324527, 1.7966291022220218,
	  5.807709874274929, 1.132852332852333, 0.0028203145358389942, 0.006580733916957653},
	 VERDICT_MORE},
	{{56.81818181818182, 52.998236331569665, -3.8199454866121556, -7.637197613373051,
	  0.015346234940854409, 0.9327689594356261, 0.0508109855869565, 0.07113537982173909},
	 VERDICT_UNSURE},
	{{7.339015151515151, 7.01058201058201, -0.32843314093314113, -1.8474148760900495,
	  1.1782047126200808, 0.9552483358934971, 0.6514175980260853, 0.7599871976970997},
	 VERDICT_UNSURE},
	{{2.840909090909091, 0.04409171075837742, -2.7968173801507135, -3.510724325910597,
	  -2.1979510424745645, 0.015520282186948854, 3.065455387697139e-06, 2.1458187713879973e-05},
	 VERDICT_LESS},
	{{0.04734848484848485, 2.513227513227513, 2.465879028379028, -0.0673057259276777,
	  5.7116166186811, 53.079365079365076, 0.02370905383369591, 0.04149084420896784},
	 VERDICT_MORE},
	{{0.0, 0.7936507936507936, 0.7936507936507936, 0.5139877374184134, 1.1581763047697327,
	  INFINITY, 0.00016742675365365712, 0.0005859936377877999},
	 VERDICT_NEW},
	{{4.308712121212121, 4.188712522045855, -0.1199995991662659, -1.1980406439254785,
	  0.9474667236308909, 0.972149543578115, 0.7703096860570643, 0.7703096860570643},
	 VERDICT_UNSURE},
};
static const struct row machine[] = {
	{{495000.0, 532666.6666666666, 37666.66666666663, -54458.6203709376, 52034.61831721992,
	  1.076094276094276, 0.9995291668289965, 0.9995291668289964},
	 VERDICT_UNSURE},
	{{310000.0, 332666.6666666667, 22666.666666666686, -12191.298224958897, 33990.56458977466,
	  1.0731182795698926, 0.9994257567855986, 0.9995291668289964},
	 VERDICT_UNSURE},
	{{197333.33333333334, 284666.6666666667, 87333.33333333334, 58034.162475107616,
	  97200.06858946732, 1.4425675675675675, 1.476191082323452e-06, 8.857146493940712e-06},
	 VERDICT_MORE},
	{{112000.0, 120666.66666666667, 8666.666666666672, -6369.623019751441, 15517.31503926092,
	  1.0773809523809523, 0.9399890212823089, 0.9995291668289964},
	 VERDICT_UNSURE},
	{{74333.33333333333, 80000.0, 5666.6666666666715, -5309.998178970388, 11238.631024013777,
	  1.0762331838565022, 0.9800529872628418, 0.9995291668289964},
	 VERDICT_SAME},
	{{49333.333333333336, 54000.0, 4666.666666666664, -3530.2091841812435, 9241.950701329846,
	  1.0945945945945945, 0.6771093543164983, 0.9995291668289964},
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

static void compare_deviating(double run_deviation, enum measure measure, size_t nr)
{
	struct error err = {0};

	ck_assert_int_eq(
		verdict_judge(measure, run_deviation, &sides[0], &sides[1], functions, nr, &err),
		0);
}

static void compare(enum measure measure, size_t nr)
{
	compare_deviating(DEFAULT_RUN_DEVIATION, measure, nr);
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
		ck_assert_int_eq(c->verdict, rows[i].verdict);
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

/* A new function, and but one side with several runs: noise within them is of no use then. */
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

/* Samples of @nr functions in three runs a side. */
static void set_three(const uint64_t (*samples)[6], size_t nr)
{
	for (size_t run = 0; run < 6; run++) {
		uint64_t all = 0;

		for (size_t i = 0; i < nr; i++)
			all += samples[i][run];
		set_total(run >= 3, run % 3, all, 1);
		for (size_t i = 0; i < nr; i++)
			set_share(i, run >= 3, run % 3, samples[i][run], 0, 0);
	}
}

/* A function of the kernel that comes in bursts, one that goes and one that comes. */
START_TEST(bursts)
{
	static const uint64_t samples[7][6] = {
		{200, 210, 195, 240, 251, 245}, {400, 390, 410, 402, 395, 405},
		{50, 61, 44, 52, 49, 58},	{20, 22, 18, 0, 1, 0},
		{1, 0, 0, 0, 41, 16},		{0, 0, 0, 6, 5, 7},
		{30, 33, 28, 31, 35, 29}};

	set_three(samples, 7);
	functions[4].kernel = functions[6].kernel = true;
	compare(MEASURE_PERIOD, NR(burst_period));
	check_rows(burst_period, NR(burst_period));
	compare(MEASURE_SHARE, NR(burst_share));
	check_rows(burst_share, NR(burst_share));
}
END_TEST

/* Every function takes up to a half more from run to run; one a third more beside that. */
START_TEST(a_busy_machine)
{
	static const uint64_t samples[6][6] = {
		{403, 598, 484, 561, 435, 602}, {249, 379, 302, 347, 276, 375},
		{162, 241, 189, 301, 235, 318}, {91, 135, 110, 124, 100, 138},
		{60, 92, 71, 85, 64, 91},	{41, 59, 48, 58, 45, 59}};

	set_three(samples, 6);
	compare(MEASURE_PERIOD, NR(machine));
	check_rows(machine, NR(machine));
}
END_TEST

/* What all functions have in common is the program's if the machine cannot be it: runs that hardly
 * differ on either side, or more than twice as much. */
START_TEST(a_faster_program)
{
	uint64_t samples[6][6];

	for (size_t i = 0; i < 6; i++)
		for (size_t run = 0; run < 6; run++)
			samples[i][run] = 100 * (i + 1) * (run < 3 ? 10 : 7) + run;
	set_three((const uint64_t(*)[6])samples, 6);
	compare(MEASURE_PERIOD, 6);
	for (size_t i = 0; i < 6; i++)
		ck_assert_int_eq(functions[i].change.verdict, VERDICT_LESS);
}
END_TEST

/* At one run a side nothing tells a machine that is a third slower from a program that is; at a
 * ratio of five it is the program. */
START_TEST(one_run_of_a_busy_machine)
{
	for (size_t i = 0; i < 6; i++)
		set_total(0, 0, 21000, 1);
	set_total(1, 0, 28000, 1);
	for (size_t i = 0; i < 6; i++) {
		set_share(i, 0, 0, 1000 * (i + 1), 0, 0);
		set_share(i, 1, 0, 4000 * (i + 1) / 3, 0, 0);
	}
	compare(MEASURE_PERIOD, 6);
	for (size_t i = 0; i < 6; i++)
		ck_assert_int_ne(functions[i].change.verdict, VERDICT_MORE);
	set_total(1, 0, 105000, 1);
	for (size_t i = 0; i < 6; i++)
		set_share(i, 1, 0, 5000 * (i + 1), 0, 0);
	compare(MEASURE_PERIOD, 6);
	for (size_t i = 0; i < 6; i++)
		ck_assert_int_eq(functions[i].change.verdict, VERDICT_MORE);
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
	ck_assert_int_eq(functions[0].change.verdict, VERDICT_MORE);
}
END_TEST

/* An event that one side does not have, samples without a period: no number that is none. */
START_TEST(nothing_to_compare)
{
	set_total(0, 0, 0, 0);
	set_total(1, 0, 300, 1);
	set_share(0, 1, 0, 300, 0, 0);
	for (int measure = MEASURE_PERIOD; measure <= MEASURE_SHARE; measure++) {
		compare((enum measure)measure, 1);
		ck_assert_double_eq(functions[0].change.p_value, 1);
		ck_assert_double_eq(functions[0].change.q_value, 1);
		ck_assert_int_eq(functions[0].change.verdict, VERDICT_UNSURE);
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
	for (int measure = MEASURE_PERIOD; measure <= MEASURE_SHARE; measure++) {
		compare((enum measure)measure, 1);
		ck_assert(isfinite(functions[0].change.ci_low));
		ck_assert(!verdict_is_change(functions[0].change.verdict));
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

/* Who expects no deviation at all gets numbers, and of copies no change. */
START_TEST(no_deviation_is_expected)
{
	for (size_t nr_runs = 1; nr_runs <= 3; nr_runs++) {
		for (int side = 0; side < 2; side++)
			for (size_t run = 0; run < nr_runs; run++) {
				set_total(side, run, 100000000, 1);
				set_share(0, side, run, 60000000, 0, 0);
				set_share(1, side, run, 39999999, 0, 0);
				set_share(2, side, run, 1, 0, 0);
			}
		for (int measure = MEASURE_PERIOD; measure <= MEASURE_SHARE; measure++) {
			compare_deviating(0, (enum measure)measure, 3);
			for (size_t i = 0; i < 3; i++) {
				const struct change *change = &functions[i].change;

				ck_assert_double_eq_tol(change->p_value, 1, 1e-4);
				ck_assert_int_eq(change->verdict, VERDICT_SAME);
				ck_assert(change->ci_low < 0 && change->ci_high > 0);
				ck_assert(isfinite(change->ci_low) && isfinite(change->ci_high));
			}
		}
	}
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
	ck_assert_double_eq_tol(functions[0].change.p_value, 1. / 32, 4e-3);
	set_share(0, 0, 0, 4, 0, 0);
	compare(MEASURE_SHARE, 1);
	ck_assert_double_eq_tol(functions[0].change.p_value, 1. / 16, 4e-3);
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

START_TEST(words)
{
	static const char *const want[][6] = {
		[MEASURE_PERIOD] = {"same", "unsure", "slower", "faster", "new", "gone"},
		[MEASURE_RATE] = {"same", "unsure", "higher", "lower", "new", "gone"},
		[MEASURE_SHARE] = {"same", "unsure", "larger", "smaller", "new", "gone"},
	};

	for (int measure = MEASURE_PERIOD; measure <= MEASURE_SHARE; measure++)
		for (int verdict = VERDICT_SAME; verdict <= VERDICT_GONE; verdict++)
			ck_assert_str_eq(verdict_name((enum verdict)verdict, (enum measure)measure),
					 want[measure][verdict]);
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
	tcase_add_test(tcase, bursts);
	tcase_add_test(tcase, a_busy_machine);
	tcase_add_test(tcase, a_faster_program);
	tcase_add_test(tcase, one_run_of_a_busy_machine);
	tcase_add_test(tcase, words);
	tcase_add_test(tcase, one_function_alone);
	tcase_add_test(tcase, nothing_to_compare);
	tcase_add_test(tcase, sums_without_end);
	tcase_add_test(tcase, copies_of_a_run);
	tcase_add_test(tcase, no_deviation_is_expected);
	tcase_add_test(tcase, few_samples);
	tcase_add_test(tcase, another_number_of_samples_is_no_change);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
