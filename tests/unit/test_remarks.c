/* What is said of a comparison beside its rows, of hand-made profiles. */
#include "decode/compare/diff.h"
#include "decode/compare/profile/workload.h"

#include "tests/support/suite.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum { RUNS_MAX = 1000, MS = 1000000 };

static struct profile runs[RUNS_MAX];
static char labels[RUNS_MAX][8];
static struct renames renames;
static struct diff_input input;

/* Runs of programs that perf has started, @nr_old and @nr_new, as a1, a2, ... and b1, b2, ...; they
 * were recorded in turn. */
static void start(size_t nr_old, size_t nr_new)
{
	const struct profile_event event = {.name = "cpu-clock", .recorded = true, .rate = 999};
	struct error err;

	memset(runs, 0, sizeof(runs));
	renames = (struct renames){0};
	input = (struct diff_input){.match = {runs, nr_old + nr_new, nr_old, &renames, false},
				    .measure_is_open = true,
				    .run_deviation = DEFAULT_RUN_DEVIATION};
	for (size_t i = 0; i < nr_old + nr_new; i++) {
		const size_t turn = i < nr_old ? 2 * i : 2 * (i - nr_old) + 1;

		snprintf(labels[i], sizeof(labels[i]), "%c%u", i < nr_old ? 'a' : 'b',
			 (unsigned)(i < nr_old ? i : i - nr_old) + 1);
		runs[i] = (struct profile){.label = labels[i],
					   .recorded = true,
					   .started = true,
					   .seconds = 1,
					   .span = {turn * 1000 + 1, turn * 1000 + 900},
					   .origin = {"prog", "", "host", "6.1", "cpu"}};
		ck_assert_int_eq(profile_add_event(&runs[i], &event, &err), 0);
	}
}

static void finish(void)
{
	for (size_t i = 0; i < input.match.nr_runs; i++)
		profile_free(&runs[i]);
	renames_free(&renames);
}

/** A function of a run; each sample has a period of a millisecond. "f {comm=a}" is f with a key. */
struct function {
	const char *name, *binary;
	uint64_t size, samples;
};

static void add(size_t run, const struct function *function)
{
	const struct tally tally = {function->samples, function->samples * MS};
	const char *keys = strstr(function->name, " {");
	const size_t len = keys ? (size_t)(keys - function->name) : strlen(function->name);
	char *name = strndup(function->name, len);
	char *values = keys ? strndup(keys + 2, strlen(keys) - 3) : NULL;
	const struct row_key key = {
		.event = runs[run].events[0].name,
		.function = name,
		.filename = "",
		.binary = function->binary ? function->binary : "/bin/prog",
		.build_id = "",
		.reason = strcmp(name, "[unknown]") == 0 ? "no-symbols" : "",
		.keys = values,
		.size = function->size,
	};
	const struct profile_row row = {.self = tally, .children = tally};
	struct error err;

	profile_tally_add(&runs[run].events[0].total, &tally);
	ck_assert_int_eq(profile_add_row(&runs[run], &key, &row, &err), 0);
	free(name);
	free(values);
}

/* A function of all runs, with the same samples in those of a side. */
static void add_both(const char *name, uint64_t old_samples, uint64_t new_samples)
{
	for (size_t i = 0; i < input.match.nr_runs; i++)
		add(i, &(struct function){name, NULL, 100,
					  i < input.match.nr_old ? old_samples : new_samples});
}

static struct diff *compare(void)
{
	struct error err = {0};
	struct diff *diff = diff_make(&input, &err);

	ck_assert_msg(diff, "%s", err.text);
	return diff;
}

/* The remarks are exactly @expected, each with a newline. */
static void check_remarks(const char *expected)
{
	struct diff *diff = compare();
	char got[4096] = "";

	for (size_t i = 0; i < diff->remarks.nr; i++) {
		strcat(got, diff->remarks.lines[i]);
		strcat(got, "\n");
	}
	ck_assert_str_eq(got, expected);
	diff_free(diff);
}

/* ---- what is compared ------------------------------------------------------------------------ */

START_TEST(of_the_measure)
{
	start(1, 2);
	add_both("f", 100, 100);
	check_remarks("");
	runs[2].started = false;
	check_remarks(
		"shares are compared, because perf did not start the program in b2 (-a, -p, -D): "
		"--by=period compares the periods\n");
	runs[0].started = runs[0].recorded = false;
	check_remarks("shares are compared, because a1 is a table, which does not say whether perf "
		      "started the program: --by=period compares the periods\na1 is a table, so "
		      "its program, machine, sampling and losses are not known\n");
	input.measure_is_open = false;
	input.measure = MEASURE_SHARE;
	runs[0].recorded = true;
	check_remarks("");
	finish();
}
END_TEST

/* In the same seconds a faster program does more. */
START_TEST(of_seconds_of_each_run)
{
	start(1, 2);
	add_both("f", 100, 100);
	input.same_seconds = true;
	check_remarks("shares are compared, because --time takes the same seconds of each run, "
		      "whatever was done in them: --by=period compares the periods\n");
	input.measure_is_open = false;
	input.measure = MEASURE_PERIOD;
	check_remarks("");
	finish();
}
END_TEST

START_TEST(of_incomplete_runs)
{
	start(2, 2);
	add_both("f", 100, 100);
	runs[1].incomplete = true;
	check_remarks("a2 is incomplete: what is missing of it looks like work that was not "
		      "done\n");
	runs[2].incomplete = runs[3].incomplete = true;
	check_remarks("a2 is incomplete: what is missing of it looks like work that was not done; "
		      "2 more runs are, too\n");
	finish();
}
END_TEST

/* A run that is there twice makes what is chance look sure. */
START_TEST(of_runs_that_are_there_twice)
{
	start(3, 3);
	add_both("f", 100, 100);
	runs[2].span = runs[0].span;
	check_remarks("a1 and a3 are the same run, so what differs by chance looks more certain "
		      "than it is\n");
	runs[4].span = runs[3].span;
	check_remarks("a1 and a3 are the same run, so what differs by chance looks more certain "
		      "than it is; 1 "
		      "more run is there twice, too\n");
	runs[4].span.last++;
	runs[2].events->total.samples++;
	check_remarks("");
	runs[0].span = runs[2].span = (struct sample_span){0}; /* without times */
	runs[2].events->total.samples--;
	check_remarks("");
	finish();
}
END_TEST

/* A table has no times, but rows. */
START_TEST(of_tables_that_are_there_twice)
{
	start(2, 1);
	add_both("f", 100, 100);
	add_both("g", 0, 0);
	for (size_t i = 0; i < 3; i++)
		runs[i].recorded = false;
	input.measure_is_open = false;
	input.measure = MEASURE_PERIOD;
	check_remarks(
		"3 runs are tables, such as b1, so their programs, machines, sampling and "
		"losses are not known\na1 and a2 are the same run, so what differs by chance looks "
		"more certain than it is\n");
	runs[1].rows->self.period++;
	check_remarks("3 runs are tables, such as b1, so their programs, machines, sampling and "
		      "losses are not known\n");
	finish();
}
END_TEST

/* ---- what tells runs apart ------------------------------------------------------------------- */

static const struct {
	enum profile_origin which;
	const char *other, *remark;
} origins[] = {
	{ORIGIN_PROGRAM, "prog", ""},
	{ORIGIN_PROGRAM, NULL, ""},
	{ORIGIN_PROGRAM, "sort", "programs differ: prog in a1, sort in b2\n"},
	{ORIGIN_INPUT, "-9 'a b'", "inputs differ: nothing in a1, -9 in b2\n"},
	{ORIGIN_HOST, "vm", "hosts differ: host in a1, vm in b2\n"},
	{ORIGIN_KERNEL, "6.2", "kernels differ: 6.1 in a1, 6.2 in b2\n"},
	{ORIGIN_CPU, "z80", "CPUs differ: cpu in a1, z80 in b2\n"},
};

START_TEST(of_origins)
{
	start(2, 2);
	add_both("f", 100, 100);
	runs[3].origin[origins[_i].which] = origins[_i].other;
	check_remarks(origins[_i].remark);
	finish();
}
END_TEST

static const struct {
	const char *inputs[2], *remark;
} inputs[] = {
	{{"-9 x", "-9 x"}, ""},
	{{"-9 x", "-1 x"}, "inputs differ: -9 in a1, -1 in b1\n"},
	{{"-9 x y", "-9 z y"}, "inputs differ: x in a1, z in b1\n"},
	{{"-9 xy", "-9 x"}, "inputs differ: xy in a1, x in b1\n"},
	{{"-9 x y", "-9 x"}, "inputs differ: y in a1, nothing in b1\n"},
	{{"'a b' c", "'a b' d"}, "inputs differ: c in a1, d in b1\n"},
	{{"'a b' c", "'a d' c"}, "inputs differ: 'a b' in a1, 'a d' in b1\n"},
	/* long words are cut, not inside of a character */
	{{"0123456789012345678901234567890123456789012345678901234567890123 y", "x"},
	 "inputs differ: 012345678901234567890123456789012345678901234567890123456789... in a1, "
	 "x in b1\n"},
	{{"x", "01234567890123456789012345678901234567890123456789012345678\xc3\xa4tu"
	       "0123"},
	 "inputs differ: x in a1, "
	 "01234567890123456789012345678901234567890123456789012345678... in b1\n"},
	{{"x", "012345678901234567890123456789012345678901234567890123456789012"},
	 "inputs differ: x in a1, "
	 "012345678901234567890123456789012345678901234567890123456789012 in b1\n"},
};

START_TEST(of_inputs)
{
	start(1, 1);
	add_both("f", 100, 100);
	for (int i = 0; i < 2; i++)
		runs[i].origin[ORIGIN_INPUT] = inputs[_i].inputs[i];
	check_remarks(inputs[_i].remark);
	finish();
}
END_TEST

/* Who renames a binary knows that it is another program. */
START_TEST(of_a_renamed_program)
{
	struct error err;

	start(1, 1);
	for (size_t i = 0; i < 2; i++)
		add(i, &(struct function){"f", i ? "/bin/hot1" : "/bin/hot0", 100, 100});
	runs[0].origin[ORIGIN_PROGRAM] = "hot0";
	runs[1].origin[ORIGIN_PROGRAM] = "hot1";
	ck_assert_int_eq(rename_add(&renames, "/bin/hot0=/bin/hot1", &err), 0);
	check_remarks("");
	runs[1].origin[ORIGIN_PROGRAM] = "hot2";
	check_remarks("programs differ: hot1 in a1, hot2 in b1\n");
	finish();
}
END_TEST

/* However much differs, and between however many runs, there is a line for each kind. */
START_TEST(of_a_thousand_runs)
{
	static const struct profile_event event = {
		.name = "faults", .total = {50, 50}, .recorded = true};
	static char names[RUNS_MAX][8];
	struct error err;

	start(500, 500);
	add_both("f", 100, 100);
	for (size_t i = 0; i < RUNS_MAX; i++) {
		snprintf(names[i], sizeof(names[i]), "x%zu", i);
		for (int which = 0; which < NR_ORIGINS; which++)
			runs[i].origin[which] = names[i];
		runs[i].cpus = i + 1;
		runs[i].events[0].rate = i;
		runs[i].events[0].taken = 1000;
		runs[i].events[0].dropped = i % 100;
		if (i % 500 == 0)
			ck_assert_int_eq(profile_add_event(&runs[i], &event, &err), 0);
	}
	check_remarks(
		"a2 has no samples of faults; 997 more runs lack an event, too\n"
		"programs differ: x0 in a1, x1 in a2\n"
		"inputs differ: x0 in a1, x1 in a2\n"
		"hosts differ: x0 in a1, x1 in a2\n"
		"kernels differ: x0 in a1, x1 in a2\n"
		"CPUs differ: x0 in a1, x1 in a2\n"
		"numbers of CPUs differ: 1 in a1, 2 in a2\n"
		"cpu-clock was sampled differently: 0 events per sample in a1, 1 events per sample "
		"in a2\n"
		"cpu-clock: the kernel dropped 9.0 % of the samples of a100, but 0.0 % of "
		"a1\n");
	finish();
}
END_TEST

/* Of many events, too. */
START_TEST(of_many_events)
{
	struct profile_event event = {.name = "x", .total = {50, 50}, .recorded = true};
	char name[32];
	struct error err;

	start(1, 1);
	add_both("f", 100, 100);
	for (int i = 0; i < 9; i++) {
		for (size_t run = 0; run < 2; run++) {
			event.name = name;
			event.rate = run;
			snprintf(name, sizeof(name), "both%d:%c", i, run ? 'u' : 'k');
			ck_assert_int_eq(profile_add_event(&runs[run], &event, &err), 0);
			snprintf(name, sizeof(name), "%s%d", run ? "new" : "old", i);
			if (i < 6 + (int)run)
				ck_assert_int_eq(profile_add_event(&runs[run], &event, &err), 0);
		}
	}
	check_remarks(
		"both0:k of the old side is compared with both0:u of the new one; 8 more "
		"events likewise\n"
		"old0, old1, old2, old3, old4 and 1 more have samples on the old side only: "
		"they are left out\n"
		"new0, new1, new2, new3, new4 and 2 more have samples on the new side only: "
		"they are left out\n"
		"both0:u was sampled differently: 0 events per sample in a1, 1 events per sample "
		"in b1\n");
	finish();
}
END_TEST

/* With frame pointers and with copies of the stack other callers are found. */
START_TEST(of_call_chains)
{
	start(1, 2);
	add_both("f", 100, 100);
	runs[0].events[0].chains = "frame pointers";
	runs[1].events[0].chains = "frame pointers";
	runs[2].events[0].chains = "copies of the stack";
	check_remarks(""); /* functions themselves are the same */
	input.match.children = true;
	check_remarks("call chains of cpu-clock are from frame pointers in a1, but from copies of "
		      "the stack in b2: callers that only one way finds look new or gone\n");
	runs[2].events[0].chains = NULL;
	check_remarks("");
	finish();
}
END_TEST

/* ---- how far the verdicts go ----------------------------------------------------------------- */

#define LATER                                                                                 \
	"not recorded alternately: all runs of the old side are older than those of the new " \
	"side, "                                                                              \
	"so any change of the machine in between looks like a change of the program\n"
#define EARLIER                                                                               \
	"not recorded alternately: all runs of the new side are older than those of the old " \
	"side, "                                                                              \
	"so any change of the machine in between looks like a change of the program\n"

/** When runs began, each for two ticks of time. */
static const struct {
	size_t nr_old, nr_new;
	uint64_t begins[6];
	const char *remark;
} orders[] = {
	{2, 2, {10, 30, 20, 40}, ""},	     {2, 2, {10, 40, 20, 30}, ""},
	{2, 2, {10, 20, 30, 40}, LATER},     {2, 2, {40, 30, 20, 10}, EARLIER},
	{2, 3, {10, 20, 30, 40, 50}, LATER}, {3, 3, {10, 20, 30, 40, 50, 29}, ""},
	{2, 2, {10, 20, 22, 40}, ""}, /* one has begun when another ends */
	{2, 2, {10, 20, 23, 40}, LATER},     {1, 1, {10, 20}, ""},
	{1, 3, {10, 20, 30, 40}, ""}, /* one run cannot alternate */
	{2, 2, {10, 20, 0, 0}, ""},   /* no times */
};

START_TEST(of_the_order)
{
	start(orders[_i].nr_old, orders[_i].nr_new);
	add_both("f", 100, 100);
	for (size_t i = 0; i < input.match.nr_runs; i++) {
		uint64_t begin = orders[_i].begins[i];

		runs[i].span = (struct sample_span){begin, begin ? begin + 2 : 0};
	}
	check_remarks(orders[_i].remark);
	finish();
}
END_TEST

/* Times of other machines, boots of other kernels and other clocks say nothing. */
START_TEST(of_the_order_by_other_clocks)
{
	start(2, 2);
	add_both("f", 100, 100);
	for (size_t i = 0; i < 4; i++)
		runs[i].span = (struct sample_span){i * 10 + 1, i * 10 + 2};
	check_remarks(LATER);
	runs[3].clock = 1;
	check_remarks("");
	runs[3].clock = 0;
	runs[3].origin[ORIGIN_KERNEL] = "6.2";
	check_remarks("kernels differ: 6.1 in a1, 6.2 in b2\n");
	runs[3].origin[ORIGIN_KERNEL] = "6.1";
	for (size_t i = 0; i < 4; i++)
		runs[i].origin[ORIGIN_HOST] = NULL;
	check_remarks("");
	finish();
}
END_TEST

/*
 * The q values are those of exact binomial tests, mid-p, by Benjamini and Hochberg:
 * 2 (P(X > x) + P(X = x) / 2) for 260 of 460 and 140 of 240 at one half is 0.005143 and 0.009832.
 */
START_TEST(of_one_run_a_side)
{
	struct diff *diff;

	start(1, 1);
	add_both("f", 1000, 1000);
	add_both("g", 200, 260);
	add_both("h", 100, 140);
	add_both("i", 50, 52);
	diff = compare();
	ck_assert_uint_eq(diff->nr_rows, 4);
	ck_assert_str_eq(diff->rows[0].function, "g");
	ck_assert_double_eq_tol(diff->rows[0].within_q, 0.01966308235721742, 1e-12);
	ck_assert_str_eq(diff->rows[1].function, "h");
	ck_assert_double_eq_tol(diff->rows[1].within_q, 0.01966308235721742, 1e-12);
	ck_assert_double_eq(diff->rows[2].within_q, 1);
	ck_assert_double_eq(diff->rows[3].within_q, 1);
	ck_assert_uint_eq(diff->events[0].nr_changed, 0);
	diff_free(diff);
	check_remarks("cpu-clock: 2 functions differ by more than the noise within the two runs, "
		      "but so do two runs of one program: record at least 3 a side, alternately\n");
	for (char name[2] = "A"; *name < 'G'; name[0]++)
		add_both(name, 1000, 1000);
	add_both("new", 0, 200);
	check_remarks(
		"cpu-clock: 2 more functions differ by more than the noise within the two runs, "
		"but so do two runs of one program: record at least 3 a side, alternately\n");
	finish();

	start(1, 1);
	add_both("f", 1000, 1000);
	add_both("g", 200, 210);
	check_remarks("");
	finish();

	start(1, 2);
	add_both("f", 1000, 1000);
	add_both("g", 200, 260);
	diff = compare();
	ck_assert_double_eq(diff->rows[0].within_q, 1);
	diff_free(diff);
	check_remarks("");
	finish();
}
END_TEST

static const struct {
	size_t nr_old, nr_new;
	const char *remark;
} gates[] = {
	{1, 1,
	 "--fail-on has only 1 and 1 run to go by: a gate you can trust needs at least 3 a side, "
	 "recorded alternately\n"},
	{3, 2,
	 "--fail-on has only 3 and 2 runs to go by: a gate you can trust needs at least 3 a side, "
	 "recorded alternately\n"},
	{3, 3, ""},
};

START_TEST(of_a_gate)
{
	start(gates[_i].nr_old, gates[_i].nr_new);
	add_both("f", 100, 100);
	input.gated = true;
	check_remarks(gates[_i].remark);
	input.gated = false;
	check_remarks("");
	finish();
}
END_TEST

/* ---- names that one side lacks --------------------------------------------------------------- */

/** Functions of two runs a side, what is said of their names, and what beside it with a gate. */
static const struct {
	const char *what;
	struct function old_side[6], new_side[6];
	const char *remark;
} lacks[] = {
	{"the old side",
	 {{"main", "/lib/c", 0, 150}, {"[unknown]", "/bin/rb-1.0", 0, 850}},
	 {{"main", "/lib/c", 0, 150},
	  {"f", "/usr/bin/rb", 0, 600},
	  {"g", "/usr/bin/rb", 0, 250},
	  {"[unknown]", "/usr/bin/x", 0, 100}},
	 "cpu-clock: 85.0 % of the old side is code of rb-1.0 without names, so functions of it "
	 "look new"},
	{"the new side",
	 {{"main", "/lib/c", 0, 150}, {"f", "/bin/rb", 0, 600}, {"g", "/bin/rb", 0, 250}},
	 {{"main", "/lib/c", 0, 150}, {"[unknown]", "/bin/rb", 0, 450}},
	 "cpu-clock: 75.0 % of the new side is code of rb without names, so functions of it "
	 "look gone"},
	{"of two binaries",
	 {{"f", "/bin/a", 0, 600}, {"[unknown]", "/bin/b", 0, 800}, {"main", "/lib/c", 0, 600}},
	 {{"[unknown]", "/bin/a", 0, 600}, {"f", "/bin/b", 0, 800}, {"main", "/lib/c", 0, 600}},
	 "cpu-clock: 40.0 % of the old side is code of b without names, so functions of it look "
	 "new; 1 more binary likewise"},
	{"both sides",
	 {{"f", "/bin/rb", 0, 600}, {"[unknown]", "/bin/rb", 0, 600}},
	 {{"f", "/bin/rb", 0, 600}, {"[unknown]", "/bin/rb", 0, 600}, {"g", "/bin/rb", 0, 600}},
	 NULL},
	{"no functions that look new",
	 {{"f", "/bin/rb", 0, 600}, {"[unknown]", "/bin/rb", 0, 600}},
	 {{"f", "/bin/rb", 0, 600}},
	 NULL},
	{"too little for the functions that look new",
	 {{"f", "/bin/rb", 0, 1900}, {"[unknown]", "/bin/rb", 0, 100}},
	 {{"f", "/bin/rb", 0, 1000}, {"g", "/bin/rb", 0, 1000}},
	 NULL},
	{"in another binary",
	 {{"f", "/bin/rb", 0, 600}, {"[unknown]", "/bin/x", 0, 600}},
	 {{"f", "/bin/rb", 0, 600}, {"g", "/bin/rb", 0, 600}},
	 NULL},
};

START_TEST(of_names_that_one_side_lacks)
{
	char expected[512] = "";

	start(3, 3);
	for (size_t run = 0; run < 6; run++) {
		const struct function *functions =
			run < 3 ? lacks[_i].old_side : lacks[_i].new_side;

		for (; functions->name; functions++)
			add(run, functions);
	}
	if (lacks[_i].remark)
		snprintf(expected, sizeof(expected), "%s\n", lacks[_i].remark);
	check_remarks(expected);
	if (lacks[_i].remark)
		snprintf(expected, sizeof(expected),
			 "%s: --fail-on does not see how these changed\n", lacks[_i].remark);
	input.gated = true;
	check_remarks(expected);
	finish();
}
END_TEST

/* ---- all alike ------------------------------------------------------------------------------- */

#define ALIKE(ratio)                                                  \
	"cpu-clock: all functions changed by the same ratio, x" ratio \
	": the cause is more likely the machine, its load or the amount of work than the code\n"

#define ONE_RUN                                                                                    \
	"cpu-clock: 5 functions differ by more than the noise within the two runs, but so do two " \
	"runs of one program: record at least 3 a side, alternately\n"

/** Samples of a run's functions on both sides, in runs of which each has a per mille more. */
static const struct {
	const char *what;
	size_t nr_runs; /* of a side */
	uint64_t samples[8][2];
	const char *remark;
} changes[] = {
	{"all by 6 %",
	 5,
	 {{20000, 21200}, {10000, 10600}, {5000, 5300}, {3000, 3180}, {2000, 2120}},
	 ALIKE("1.06")},
	{"nearly so",
	 5,
	 {{20000, 21100}, {10000, 10650}, {5000, 5320}, {3000, 3150}, {2000, 2140}},
	 ALIKE("1.06")},
	{"less",
	 3,
	 {{20000, 18000}, {10000, 9000}, {5000, 4500}, {3000, 2700}, {2000, 1800}},
	 ALIKE("0.90")},
	{"far less",
	 3,
	 {{2000000, 8000}, {1000000, 4000}, {500000, 2000}, {300000, 1200}, {200000, 800}},
	 ALIKE("0.004")},
	{"one run",
	 1,
	 {{20000, 22000}, {10000, 11000}, {5000, 5500}, {3000, 3300}, {2000, 2200}},
	 ONE_RUN ALIKE("1.10")},
	{"what is small may be anything",
	 5,
	 {{20000, 21200},
	  {10000, 10600},
	  {5000, 5300},
	  {3000, 3180},
	  {2000, 2120},
	  {100, 0},
	  {0, 200}},
	 ALIKE("1.06")},
	{"too little",
	 5,
	 {{20000, 20400}, {10000, 10200}, {5000, 5100}, {3000, 3060}, {2000, 2040}},
	 ""},
	{"one function alone",
	 5,
	 {{20000, 22400}, {10000, 10000}, {5000, 5000}, {3000, 3000}, {2000, 2000}},
	 ""},
	{"all but one",
	 5,
	 {{20000, 21600}, {10000, 10800}, {5000, 5400}, {3000, 3240}, {2000, 2000}},
	 ""},
	{"one new",
	 5,
	 {{20000, 20000}, {10000, 10000}, {5000, 5000}, {3000, 3000}, {2000, 2000}, {0, 2400}},
	 ""},
	{"four functions", 5, {{20000, 21200}, {10000, 10600}, {5000, 5300}, {3000, 3180}}, ""},
	{"two ways",
	 5,
	 {{20000, 24000}, {10000, 8000}, {5000, 6000}, {3000, 2400}, {2000, 2400}},
	 ""},
	/* so few samples agree with anything */
	{"noise", 1, {{60, 61}, {60, 75}, {60, 55}, {60, 73}, {60, 62}}, ""},
};

START_TEST(of_what_changed_alike)
{
	const size_t nr = changes[_i].nr_runs;
	char name[2] = "f";

	start(nr, nr);
	for (int f = 0; f < 8; f++, name[0]++)
		for (size_t run = 0; run < 2 * nr; run++)
			add(run, &(struct function){name, NULL, 100,
						    changes[_i].samples[f][run >= nr] *
							    (1000 + run % nr) / 1000});
	check_remarks(changes[_i].remark);
	finish();
}
END_TEST

/* Shares do not change when all does, and values with what was called overlap. */
START_TEST(of_what_changed_alike_otherwise_measured)
{
	start(3, 3);
	for (char name[2] = "a"; *name < 'h'; name[0]++)
		add_both(name, 2000, 2200);
	check_remarks(ALIKE("1.10"));
	input.match.children = true;
	for (size_t i = 0; i < 6; i++)
		runs[i].chains = true;
	check_remarks("");
	input.match.children = false;
	input.measure_is_open = false;
	input.measure = MEASURE_RATE;
	check_remarks(ALIKE("1.10"));
	input.measure = MEASURE_SHARE;
	check_remarks("");
	finish();
}
END_TEST

/* ---- renamings that may be missing ----------------------------------------------------------- */

#define FUNCTIONS(options) \
	"possibly renamed functions, with nearly the same period and code:" options "\n"
#define BINARIES(options) "possibly renamed binaries, with the same functions:" options "\n"

#define LONG_50	  "01234567890123456789012345678901234567890123456789"
#define LONG_400  LONG_50 LONG_50 LONG_50 LONG_50 LONG_50 LONG_50 LONG_50 LONG_50
#define LONG_2400 LONG_400 LONG_400 LONG_400 LONG_400 LONG_400 LONG_400

enum { FUNCTIONS_MAX = 12 };

/** Functions of an old and a new run, what is offered, and how many one side alone has with that.
 */
static const struct {
	const char *what;
	struct function old_side[FUNCTIONS_MAX], new_side[FUNCTIONS_MAX];
	const char *remark;
	int nr_left;
} offers[] = {
	{"a function",
	 {{"f", NULL, 300, 100}, {"g", NULL, 100, 300}},
	 {{"f2", NULL, 300, 110}, {"g", NULL, 100, 300}},
	 FUNCTIONS(" --rename 'f=f2'"),
	 0},
	{"sizes of nearly a tenth more, periods of nearly a quarter",
	 {{"one", NULL, 300, 1000}, {"g", NULL, 100, 3000}},
	 {{"two", NULL, 329, 1240}, {"g", NULL, 100, 3000}},
	 FUNCTIONS(" --rename 'one=two'"),
	 0},
	{"other sizes",
	 {{"one", NULL, 300, 1000}, {"g", NULL, 100, 3000}},
	 {{"two", NULL, 331, 1000}, {"g", NULL, 100, 3000}},
	 "",
	 2},
	{"other periods, beyond chance",
	 {{"one", NULL, 300, 10000}, {"g", NULL, 100, 30000}},
	 {{"two", NULL, 300, 13000}, {"g", NULL, 100, 30000}},
	 "",
	 2},
	{"no sizes",
	 {{"one", NULL, 0, 1000}, {"g", NULL, 100, 3000}},
	 {{"two", NULL, 0, 1000}, {"g", NULL, 100, 3000}},
	 "",
	 2},
	{"too few samples",
	 {{"one", NULL, 300, 9}, {"g", NULL, 100, 300}},
	 {{"two", NULL, 300, 10}, {"g", NULL, 100, 300}},
	 "",
	 2},
	{"no names",
	 {{"[unknown]", NULL, 300, 100}, {"g", NULL, 100, 300}},
	 {{"two", NULL, 300, 100}, {"g", NULL, 100, 300}},
	 "",
	 2},
	{"not gone",
	 {{"one", NULL, 300, 100}, {"g", NULL, 100, 300}},
	 {{"one", NULL, 300, 1}, {"two", NULL, 300, 100}, {"g", NULL, 100, 300}},
	 "",
	 1},
	{"the best of two",
	 {{"one", NULL, 300, 1000}, {"g", NULL, 100, 3000}},
	 {{"two", NULL, 310, 1000}, {"three", NULL, 301, 1000}, {"g", NULL, 100, 3000}},
	 FUNCTIONS(" --rename 'one=three'"),
	 1},
	{"by their names, if nothing else tells them apart",
	 {{"v1::put()", NULL, 300, 1000}, {"v1::get()", NULL, 300, 1000}, {"g", NULL, 100, 3000}},
	 {{"v2::get()", NULL, 300, 1000}, {"v2::put()", NULL, 300, 1000}, {"g", NULL, 100, 3000}},
	 FUNCTIONS(" --rename 'v1::get()=v2::get()' --rename 'v1::put()=v2::put()'"),
	 0},
	{"in another binary",
	 {{"one", "/bin/a", 300, 1000}, {"g", "/bin/a", 100, 3000}, {"h", "/bin/b", 100, 3000}},
	 {{"two", "/bin/b", 300, 1000}, {"g", "/bin/a", 100, 3000}, {"h", "/bin/b", 100, 3000}},
	 "",
	 2},
	{"a name that stays elsewhere",
	 {{"one", "/bin/a", 300, 1000}, {"g", "/bin/a", 100, 3000}, {"one", "/bin/b", 100, 3000}},
	 {{"two", "/bin/a", 300, 1000}, {"g", "/bin/a", 100, 3000}, {"one", "/bin/b", 100, 3000}},
	 "",
	 2},
	{"what a shell or --rename would take for something else",
	 {{"it's", NULL, 200, 1000},
	  {"operator==(a*, b\\c)", NULL, 310, 2000},
	  {"/x.js[1]{2}$^|?", NULL, 480, 3000},
	  {"$(a) `b` \"c\"", NULL, 740, 4000},
	  {"g", NULL, 100, 10000}},
	 {{"it's_2", NULL, 200, 1000},
	  {"operator==(a*, b\\1c)", NULL, 310, 2000},
	  {"/y.js[1]{2}$^|?", NULL, 480, 3000},
	  {"$(b) `b` \"c\"", NULL, 740, 4000},
	  {"g", NULL, 100, 10000}},
	 FUNCTIONS(" --rename '$(a) `b` \"c\"=$(b) `b` \"c\"'"
		   " --rename '/^\\/x\\.js\\[1\\]\\{2\\}\\$\\^\\|\\?$/=/y.js[1]{2}$^|?'"
		   " --rename '/^operator==\\(a\\*, b\\\\c\\)$/=operator==(a*, b\\\\1c)'"
		   " --rename 'it'\\''s=it'\\''s_2'"),
	 0},
	{"what a terminal would not show",
	 {{"one\n", NULL, 300, 1000}, {"g", NULL, 100, 3000}},
	 {{"two\n", NULL, 300, 1000}, {"g", NULL, 100, 3000}},
	 "",
	 2},
	{"five and more, the largest first",
	 {{"a1", NULL, 100, 1000},
	  {"b1", NULL, 200, 1100},
	  {"c1", NULL, 300, 1200},
	  {"d1", NULL, 400, 1300},
	  {"e1", NULL, 500, 1400},
	  {"f1", NULL, 600, 1500},
	  {"h1", NULL, 700, 900},
	  {"g", NULL, 100, 3000}},
	 {{"a2", NULL, 100, 1000},
	  {"b2", NULL, 200, 1100},
	  {"c2", NULL, 300, 1200},
	  {"d2", NULL, 400, 1300},
	  {"e2", NULL, 500, 1400},
	  {"f2", NULL, 600, 1500},
	  {"h2", NULL, 700, 900},
	  {"g", NULL, 100, 3000}},
	 FUNCTIONS(" --rename 'f1=f2' --rename 'e1=e2' --rename 'd1=d2' --rename 'c1=c2' "
		   "--rename 'b1=b2' and 2 more"),
	 4},
	{"long names, as templates have",
	 {{"a1", NULL, 100, 1000}, {LONG_400 "1", NULL, 300, 2000}, {"g", NULL, 100, 3000}},
	 {{"a2", NULL, 100, 1000}, {LONG_400 "2", NULL, 300, 2000}, {"g", NULL, 100, 3000}},
	 FUNCTIONS(" --rename '" LONG_400 "1=" LONG_400 "2' --rename 'a1=a2'"),
	 0},
	{"what does not fit into the line",
	 {{"a1", NULL, 100, 1000}, {LONG_2400 "1", NULL, 300, 2000}, {"g", NULL, 100, 3000}},
	 {{"a2", NULL, 100, 1000}, {LONG_2400 "2", NULL, 300, 2000}, {"g", NULL, 100, 3000}},
	 FUNCTIONS(" --rename 'a1=a2' and 1 more"),
	 2},
	{"nothing that fits into the line",
	 {{LONG_2400 "1", NULL, 300, 2000}, {"g", NULL, 100, 3000}},
	 {{LONG_2400 "2", NULL, 300, 2000}, {"g", NULL, 100, 3000}},
	 FUNCTIONS(" 1, whose names are too long to show"),
	 2},
	{"the same function, of another process",
	 {{"f {comm=a}", NULL, 300, 1000}, {"g {comm=a}", NULL, 100, 3000}},
	 {{"f {comm=b}", NULL, 300, 1000}, {"g {comm=a}", NULL, 100, 3000}},
	 "",
	 2},
	{"another function, of another process",
	 {{"one {comm=a}", NULL, 300, 1000}, {"g {comm=a}", NULL, 100, 3000}},
	 {{"two {comm=b}", NULL, 300, 1000}, {"g {comm=a}", NULL, 100, 3000}},
	 "",
	 2},
	{"a function in two processes",
	 {{"one {comm=a}", NULL, 300, 1000},
	  {"one {comm=b}", NULL, 300, 4000},
	  {"g {comm=a}", NULL, 100, 9000}},
	 {{"two {comm=a}", NULL, 300, 1000},
	  {"two {comm=b}", NULL, 300, 4000},
	  {"g {comm=a}", NULL, 100, 9000}},
	 FUNCTIONS(" --rename 'one=two'"),
	 0},
	{"not gone in one of two processes",
	 {{"one {comm=a}", NULL, 300, 1000},
	  {"one {comm=b}", NULL, 300, 4000},
	  {"g {comm=a}", NULL, 100, 9000}},
	 {{"two {comm=a}", NULL, 300, 1000},
	  {"one {comm=b}", NULL, 300, 4000},
	  {"g {comm=a}", NULL, 100, 9000}},
	 "",
	 2},
	{"a binary",
	 {{"main", "/bin/hot0", 100, 100}, {"f", "/bin/hot0", 300, 1000}},
	 {{"main", "/new/hot1", 100, 100}, {"f", "/new/hot1", 900, 100}},
	 BINARIES(" --rename 'hot0=hot1'"),
	 0},
	{"one name alone, with code of one size",
	 {{"main", "/bin/hot0", 100, 1000}, {"g", NULL, 100, 3000}},
	 {{"main", "/bin/hot1", 105, 100}, {"g", NULL, 100, 3000}},
	 BINARIES(" --rename 'hot0=hot1'"),
	 0},
	{"one name alone, with other code",
	 {{"main", "/bin/hot0", 100, 1000}, {"g", NULL, 100, 3000}},
	 {{"main", "/bin/hot1", 205, 1000}, {"g", NULL, 100, 3000}},
	 "",
	 2},
	{"less than half in common",
	 {{"main", "/bin/hot0", 100, 400},
	  {"f", "/bin/hot0", 100, 90},
	  {"x", "/bin/hot0", 100, 500}},
	 {{"main", "/bin/hot1", 100, 400}, {"f", "/bin/hot1", 100, 600}},
	 "",
	 5},
	{"a binary that is still there",
	 {{"main", "/bin/hot0", 100, 400}, {"f", "/bin/hot0", 100, 400}},
	 {{"main", "/bin/hot1", 100, 400}, {"f", "/bin/hot1", 100, 400}, {"x", "/bin/hot0", 50, 1}},
	 "",
	 5},
	{"the best of two, and what is left",
	 {{"main", "/bin/hot0", 100, 400}, {"f", "/bin/hot0", 100, 400}},
	 {{"main", "/bin/hot1", 100, 400},
	  {"f", "/bin/hot1", 100, 400},
	  {"y", "/bin/hot1", 100, 99},
	  {"main", "/bin/hot2", 100, 400},
	  {"f", "/bin/hot2", 100, 400},
	  {"x", "/bin/hot2", 100, 9}},
	 BINARIES(" --rename 'hot0=hot2'"),
	 4},
	{"a binary with the name of a function, by its path",
	 {{"hot0", "/bin/hot0", 100, 400}, {"f", "/bin/hot0", 100, 400}},
	 {{"hot0", "/bin/hot1", 100, 400}, {"f", "/bin/hot1", 100, 400}},
	 BINARIES(" --rename '/bin/hot0=/bin/hot1'"),
	 0},
	{"a binary whose name --rename cannot take",
	 {{"main", "/bin/a=b", 100, 400}, {"f", "/bin/a=b", 100, 400}},
	 {{"main", "/bin/hot1", 100, 400}, {"f", "/bin/hot1", 100, 400}},
	 "",
	 4},
	{"code of a JIT compiler",
	 {{"f", "/tmp/perf-42.map", 100, 400}, {"g", "/tmp/perf-42.map", 100, 400}},
	 {{"f", "/bin/hot1", 100, 400}, {"g", "/bin/hot1", 100, 400}},
	 "",
	 4},
	{"a binary and a function",
	 {{"main", "/bin/hot0", 100, 400},
	  {"f", "/bin/hot0", 100, 400},
	  {"one", "/lib/x", 300, 1000},
	  {"g", "/lib/x", 100, 400}},
	 {{"main", "/bin/hot1", 100, 400},
	  {"f", "/bin/hot1", 100, 400},
	  {"two", "/lib/x", 300, 1000},
	  {"g", "/lib/x", 100, 400}},
	 BINARIES(" --rename 'hot0=hot1'") FUNCTIONS(" --rename 'one=two'"),
	 0},
};

/* The remarks that offer something, each with a newline. */
static void get_offers(const struct diff *diff, char *to)
{
	*to = '\0';
	for (size_t i = 0; i < diff->remarks.nr; i++) {
		if (strncmp(diff->remarks.lines[i], "possibly renamed", 16) != 0)
			continue;
		strcat(to, diff->remarks.lines[i]);
		strcat(to, "\n");
	}
}

/* Gives all options in @text, as a shell would read them. */
static void paste(char *text)
{
	static const char option[] = "--rename ";
	char rule[1024];
	struct error err;

	text[strcspn(text, "\n")] = ' '; /* at most two lines */
	text[strcspn(text, "\n")] = ' ';
	for (const char *at = text; (at = strstr(at, option)) != NULL;) {
		at += sizeof(option) - 1;
		workload_unquote(rule, sizeof(rule), at);
		ck_assert_msg(rename_add(&renames, rule, &err) == 0, "%s", err.text);
		at += workload_word(at);
	}
}

static int count_left(const struct diff *diff)
{
	int nr = 0;

	for (size_t i = 0; i < diff->nr_rows; i++)
		nr += !diff->rows[i].old_sum.samples || !diff->rows[i].new_sum.samples;
	return nr;
}

/* What is offered is taken, and works. */
START_TEST(of_renamings)
{
	struct diff *diff;
	char got[4096];

	start(1, 1);
	for (int i = 0; i < FUNCTIONS_MAX; i++) {
		if (offers[_i].old_side[i].name)
			add(0, &offers[_i].old_side[i]);
		if (offers[_i].new_side[i].name)
			add(1, &offers[_i].new_side[i]);
	}
	diff = compare();
	get_offers(diff, got);
	ck_assert_msg(strcmp(got, offers[_i].remark) == 0, "%s: %s", offers[_i].what, got);
	diff_free(diff);
	paste(got);
	diff = compare();
	for (size_t i = 0; i < renames.nr; i++)
		ck_assert(diff->match.fitted[i]);
	ck_assert_msg(count_left(diff) == offers[_i].nr_left, "%s: %d are left", offers[_i].what,
		      count_left(diff));
	diff_free(diff);
	finish();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("remarks");
	TCase *tcase = tcase_create("remarks");

	tcase_add_test(tcase, of_the_measure);
	tcase_add_test(tcase, of_seconds_of_each_run);
	tcase_add_test(tcase, of_incomplete_runs);
	tcase_add_test(tcase, of_runs_that_are_there_twice);
	tcase_add_test(tcase, of_tables_that_are_there_twice);
	tcase_add_loop_test(tcase, of_origins, 0, NR(origins));
	tcase_add_loop_test(tcase, of_inputs, 0, NR(inputs));
	tcase_add_test(tcase, of_a_renamed_program);
	tcase_add_test(tcase, of_a_thousand_runs);
	tcase_add_test(tcase, of_many_events);
	tcase_add_test(tcase, of_call_chains);
	tcase_add_loop_test(tcase, of_the_order, 0, NR(orders));
	tcase_add_test(tcase, of_the_order_by_other_clocks);
	tcase_add_test(tcase, of_one_run_a_side);
	tcase_add_loop_test(tcase, of_a_gate, 0, NR(gates));
	tcase_add_loop_test(tcase, of_names_that_one_side_lacks, 0, NR(lacks));
	tcase_add_loop_test(tcase, of_what_changed_alike, 0, NR(changes));
	tcase_add_test(tcase, of_what_changed_alike_otherwise_measured);
	tcase_add_loop_test(tcase, of_renamings, 0, NR(offers));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
