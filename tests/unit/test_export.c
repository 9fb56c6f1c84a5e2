/* Exports of a comparison: which functions, by which names, where, and how many at most. What
 * readers make of the whole files is for tests/readers/. */
#include "report/export/export.h"
#include "report/export/pick.h"
#include "report/export/sourcepath.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NR_RUNS = 3, NR_OLD = 1 };

static const struct run_total totals[NR_RUNS] = {{100, 1000, 2}, {100, 2000, 4}, {100, 2200, 4}};
static const struct run_share shares[NR_RUNS] = {{10, 100, 0, 0}, {10, 200, 0, 0}, {10, 220, 0, 0}};
static const struct profile runs[NR_RUNS] = {
	{.label = "a"}, {.label = "b", .recorded = true, .seconds = 4}, {.label = "c"}};

/** A comparison of one event with @nr functions, and what is made of it. */
struct fixture {
	struct diff diff;
	struct diff_event event;
	struct matched_event matched;
	struct run_total totals[NR_RUNS]; /* of @matched */
	struct diff_row *rows;
	char (*names)[32];
	struct export_settings settings;
};

/* All functions take twice as much as before, f0 the most. */
static struct fixture make(enum measure measure, size_t nr)
{
	struct fixture f = {.settings = {.sides = {"old", "new"}}};

	f.rows = calloc(nr, sizeof(*f.rows));
	f.names = calloc(nr, sizeof(*f.names));
	for (size_t i = 0; i < nr; i++) {
		snprintf(f.names[i], sizeof(f.names[i]), "f%zu", i);
		f.rows[i] = (struct diff_row){
			.event = "cycles:u",
			.function = f.names[i],
			.filename = "/src/a.c",
			.binary = "/usr/lib/libx-1.2.so",
			.line = (uint32_t)i + 1,
			.measure = measure,
			.old_value = (double)(nr - i),
			.new_value = 2 * (double)(nr - i),
			.delta_percent = (double)(nr - i),
			.ci_low = 1,
			.ci_high = 1e10,
			.ratio = 2,
			.verdict = VERDICT_MORE,
			.shares = shares,
			.totals = totals,
		};
	}
	f.event = (struct diff_event){
		.name = "cycles:u",
		.rows = f.rows,
		.nr_rows = nr,
		.nr_changed = nr,
		.change = {.per_second = measure == MEASURE_RATE,
			   .old_value = 1000,
			   .new_value = 2100,
			   .percent = 110,
			   .low = -(double)INFINITY,
			   .high = (double)INFINITY,
			   .verdict = VERDICT_MORE},
	};
	f.diff = (struct diff){
		.measure = measure,
		.rows = f.rows,
		.nr_rows = nr,
		.nr_events = 1,
		.runs = runs,
		.nr_runs = NR_RUNS,
		.nr_old = NR_OLD,
	};
	return f;
}

static void drop(struct fixture *f)
{
	free(f->rows);
	free(f->names);
}

/* What the form @name makes of it, with the events of the comparison in @events; to be freed. */
static char *export_events(struct fixture *f, struct diff_event *events, const char *name)
{
	struct scratch_path dir = scratch_make();
	struct error err = {0};
	int fd = outfile_open_dir(dir.text, &err);
	struct export_view view = {&f->diff, &f->settings,
				   outfile_create(fd, dir.text, "out", &err)};
	unsigned chosen = 0;
	char *text;

	f->diff.events = events;
	memcpy(f->totals, totals, sizeof(totals));
	f->matched.totals = f->totals;
	f->diff.match.events = &f->matched;
	ck_assert_msg(view.out, "%s", err.text);
	ck_assert_int_eq(export_parse(name, &chosen, &err), 0);
	export_forms[__builtin_ctz(chosen)].write(&view);
	ck_assert_msg(outfile_finish(view.out, &err) == 0, "%s", err.text);
	ck_assert_int_eq(outfile_publish(view.out, &err), 0);
	outfile_close(view.out);
	close(fd);
	text = scratch_read(dir.text, "out");
	scratch_remove(dir.text);
	return text;
}

static char *export_as(struct fixture *f, const char *name)
{
	return export_events(f, &f->event, name);
}

static size_t count(const char *text, const char *part)
{
	size_t nr = 0;

	for (; (text = strstr(text, part)) != NULL; text += strlen(part))
		nr++;
	return nr;
}

/* How often the form @name has @part in it. */
static void check_count(struct fixture *f, const char *name, const char *part, size_t nr)
{
	char *text = export_as(f, name);

	ck_assert_msg(count(text, part) == nr, "%s: %zu times %s, not %zu:\n%.2000s", name,
		      count(text, part), part, nr, text);
	free(text);
}

START_TEST(lists)
{
	struct error err = {0};
	unsigned chosen = 0;

	ck_assert_int_eq(export_parse("junit", &chosen, &err), 0);
	ck_assert_int_eq(export_parse("github,markdown,junit", &chosen, &err), 0);
	ck_assert_uint_eq(chosen, 1 | 1 << 1 | 1 << 6);
	ck_assert_int_eq(export_parse("json,", &chosen, &err), -1);
	ck_assert_str_eq(err.text,
			 "option --export: '' is not one of markdown, junit, json, sarif, "
			 "codequality, benchmark, github, html");
	ck_assert_int_eq(err.kind, ERROR_USAGE);
}
END_TEST

/* Without a gate what takes more fails; with one what it stops, and nothing else. */
START_TEST(gates)
{
	static const struct diff_gate gate = {.points = 3, .ratio = 1};
	static const double percent = 100, high = 111;
	static const struct {
		const char *form, *part;
		size_t without, gated, by_total, by_none;
	} expected[] = {
		{"junit", "<failure type=\"slower\"", 4, 2, 1, 0},
		{"junit", " failures=\"4\"", 1, 0, 0, 0},
		{"junit", " failures=\"2\"", 0, 1, 0, 0},
		{"sarif", "\"ruleId\": \"performance/slower\"", 3, 2, 0, 0},
		{"sarif", "\"level\": \"error\"", 0, 2, 0, 0},
		{"codequality", "\"check_name\": \"performance/slower\"", 3, 2, 0, 0},
		{"github", "::warning ", 4, 0, 0, 0},
		{"github", "::error ", 0, 2, 1, 0},
		{"markdown", "**slower**", 3, 2, 0, 0},
		{"markdown", "### Performance: the gate fails, for 2 functions\n", 0, 1, 0, 0},
		{"markdown", "### Performance: the gate fails, for the total\n", 0, 0, 1, 0},
		{"markdown",
		 "### Performance: the total and 4 functions changed, nothing fails the gate\n", 0,
		 0, 0, 1},
	};
	struct fixture f = make(MEASURE_PERIOD, 4);

	f.rows[3].verdict = VERDICT_NEW; /* which is not the gate's business */
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const char *form = expected[i].form, *part = expected[i].part;

		f.settings.gate = NULL;
		f.settings.total_percent = NULL;
		check_count(&f, form, part, expected[i].without);
		f.settings.gate = &gate;
		check_count(&f, form, part, expected[i].gated);
		f.settings.gate = NULL;
		f.settings.total_percent = &percent;
		check_count(&f, form, part, expected[i].by_total);
		f.settings.total_percent = &high;
		check_count(&f, form, part, expected[i].by_none);
	}
	drop(&f);
}
END_TEST

/* The notes on a comparison come with its results: runs may be incomplete. */
START_TEST(notes)
{
	char first[] = "a run & its <end> is missing", second[] = "shares are compared";
	char *lines[] = {first, second};
	struct fixture f = make(MEASURE_PERIOD, 2);

	check_count(&f, "junit", "system-out>\n  </testsuite>", 0);
	check_count(&f, "sarif", "\"level\": \"note\"", 0);
	f.diff.remarks = (struct remarks){.lines = lines, .nr = 2};
	check_count(&f, "junit",
		    "    <system-out>a run &amp; its &lt;end&gt; is missing\n"
		    "shares are compared\n</system-out>\n  </testsuite>\n",
		    1);
	check_count(&f, "sarif", "\"level\": \"note\"", 2);
	check_count(&f, "sarif", "\"text\": \"a run & its <end> is missing\"", 1);
	drop(&f);
}
END_TEST

/* What is not sure is skipped, and what is not finite is null. */
START_TEST(unsure)
{
	struct fixture f = make(MEASURE_PERIOD, 2);

	f.rows[0].verdict = VERDICT_UNSURE;
	f.rows[0].ratio = f.rows[0].delta_percent = f.rows[0].ci_low = (double)INFINITY;
	f.event.change.verdict = VERDICT_SAME;
	f.rows[1].function = f.rows[1].binary = "";
	check_count(&f, "junit", "classname=\"-\" name=\"-\">", 1);
	check_count(&f, "junit", "<skipped type=\"unsure\" message=\"f0 in ", 1);
	check_count(&f, "junit", " tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"", 1);
	check_count(&f, "json", "\"ratio\": null, ", 1);
	check_count(&f, "json", "\"ci_low\": null, \"ci_high\": null, ", 1); /* the event's */
	check_count(&f, "json", "\"seconds\": 4}", 1);
	check_count(&f, "json", "\"recorded\": false, \"seconds\": null}", 2);
	f.event.change.percent = (double)INFINITY;
	for (int i = 0; i < NR_EXPORTS; i++)
		check_count(&f, export_forms[i].name, "inf ", 0);
	drop(&f);
}
END_TEST

/* Functions of one name, in one binary or in two versions of it, are told apart. */
START_TEST(names)
{
	static const char *const prefix = "/src/";
	struct fixture f = make(MEASURE_SHARE, 4);

	f.rows[1].function = f.rows[2].function = f.rows[0].function;
	f.rows[1].filename = "/src/b.c";
	f.rows[2].binary = "/usr/lib/libx-1.3.so";
	f.settings.prefixes = &prefix;
	f.settings.nr_prefixes = 1;
	check_count(&f, "junit", "classname=\"/usr/lib/libx-1.2.so\" name=\"f0 (a.c)\"", 1);
	check_count(&f, "junit", "classname=\"/usr/lib/libx-1.2.so\" name=\"f0 (b.c)\"", 1);
	check_count(&f, "junit", "classname=\"/usr/lib/libx-1.3.so\" name=\"f0 (a.c)\"", 1);
	check_count(&f, "junit", "classname=\"/usr/lib/libx-1.2.so\" name=\"f3\"", 1);
	check_count(&f, "benchmark", "\"name\": \"cycles:u: total, per run\", \"unit\": \"events\"",
		    1);
	check_count(&f, "benchmark",
		    "\"name\": \"cycles:u: f0, a.c, libx-1.2.so\", \"unit\": \"%\"", 1);
	check_count(&f, "benchmark", "\"name\": \"cycles:u: f0, b.c, libx-1.2.so\"", 1);
	check_count(&f, "benchmark", "\"name\": \"cycles:u: f0, a.c, libx-1.3.so\"", 1);
	check_count(&f, "benchmark", "\"name\": \"cycles:u: f3, libx.so\"", 1);
	drop(&f);
}
END_TEST

/* The range is the standard deviation between the new side's runs; one run has none. */
START_TEST(ranges)
{
	static const char *const expected[][2] = {
		[MEASURE_PERIOD] = {"\"value\": 2100, \"range\": \"\xc2\xb1 141.4214\"",
				    "\"value\": 2, \"range\": \"\xc2\xb1 14.1421\""},
		[MEASURE_RATE] = {"\"value\": 2100, \"range\": \"\xc2\xb1 35.3553\"",
				  "\"value\": 2, \"range\": \"\xc2\xb1 3.5355\""},
		[MEASURE_SHARE] = {"\"value\": 2100, \"range\": \"\xc2\xb1 141.4214\"",
				   "\"value\": 2, \"range\": \"\xc2\xb1 0.0000\""},
	};
	struct fixture f = make((enum measure)_i, 1);

	check_count(&f, "benchmark", expected[_i][0], 1);
	check_count(&f, "benchmark", expected[_i][1], 1);
	f.diff.nr_old = 2;
	check_count(&f, "benchmark", "range", 0);
	drop(&f);
}
END_TEST

/* No form grows beyond what its readers take, and what is left out is said. */
START_TEST(limits)
{
	struct fixture f = make(MEASURE_PERIOD, 6000);
	char *page;

	f.rows[0].verdict = VERDICT_SAME;
	f.rows[1].filename = "";
	check_count(&f, "junit", "<testcase ", 501);
	check_count(&f, "junit", "<property name=\"functions left out\" value=\"5500\"/>", 1);
	check_count(&f, "sarif", "\"ruleId\"", 5000);
	check_count(&f, "sarif", "failing functions whose source file is not known: 1\"", 1);
	check_count(&f, "sarif", "failing functions beyond the limit of this format: 998\"", 1);
	check_count(&f, "codequality", "\"fingerprint\"", 4999);
	check_count(&f, "benchmark", "\"name\"", 31);
	check_count(&f, "github", "::warning ", 10);
	page = export_as(&f, "markdown");
	ck_assert_uint_le(strlen(page), 60000);
	ck_assert_uint_ge(strlen(page), 59000);
	ck_assert_uint_eq(count(page, "</details>\n"), 2);
	ck_assert_ptr_nonnull(strstr(page, " more changes did not fit here: see diff.csv\n"));
	free(page);
	/* those that fail come first, however small */
	for (size_t i = 0; i < 5999; i++)
		f.rows[i].verdict = VERDICT_SAME;
	check_count(&f, "junit", "<failure type=\"slower\" message=\"f5999 in ", 1);
	drop(&f);
}
END_TEST

/* The page shows the largest changes of several events, and folds the others. */
static void check_largest(const size_t *nr_changed, size_t nr_events, const char *const *expected)
{
	struct fixture f = make(MEASURE_PERIOD, 40);
	struct diff_event events[4];
	char *page, *at;

	for (size_t i = 0; i < nr_events; i++) {
		events[i] = f.event;
		events[i].nr_rows = events[i].nr_changed = nr_changed[i];
	}
	f.diff.nr_events = nr_events;
	page = export_events(&f, events, "markdown");
	at = page;
	for (size_t i = 0; expected[i]; i++) {
		at = strstr(at, expected[i]);
		ck_assert_msg(at, "not there, or not in order: %s\n%s", expected[i], page);
		at += strlen(expected[i]);
	}
	*strstr(page, "How it was measured") = '\0';
	ck_assert_uint_eq(count(page, "| `f"), 20);
	free(page);
	drop(&f);
}

START_TEST(largest)
{
	static const char *const one[] = {"\n| `f19` |", "<summary>How it was", NULL};
	static const char *const two[] = {"\n| `f15` |", "\n| `f0` |", "\n| `f3` |",
					  "<summary>16 more changes<", NULL};
	static const char *const fair[] = {"\n| `f6` |",
					   "\n| `f0` |",
					   "\n| `f6` |",
					   "\n| `f5` |",
					   "<summary>63 more changes<",
					   "\n| `f7` |",
					   "\n| `f39` |",
					   NULL};

	check_largest((const size_t[]){0, 20}, 2, one);
	check_largest((const size_t[]){32, 0, 4}, 3, two);
	check_largest((const size_t[]){40, 0, 25, 18}, 4, fair);
}
END_TEST

/* One name alone may not take the page. */
START_TEST(long_names)
{
	struct fixture f = make(MEASURE_PERIOD, 2);
	char *name = malloc(100001), *page;

	memset(name, '|', 100000);
	name[100000] = '\0';
	f.rows[0].function = f.rows[1].binary = f.rows[1].filename = name;
	page = export_as(&f, "markdown");
	ck_assert_uint_le(strlen(page), 3000);
	ck_assert_uint_eq(count(page, "\\|...` |"), 3);
	free(page);
	free(name);
	drop(&f);
}
END_TEST

START_TEST(paths)
{
	static const char *const prefixes[] = {"/src/", "/home/x", "/src/deep", "rel", "//"};
	const struct export_settings settings = {.prefixes = prefixes, .nr_prefixes = 5};
	static const char *const expected[][2] = {
		{"/src/a.c", "a.c"},
		{"/src//a.c", "a.c"},
		{"/src", "src"},
		{"/srcs/a.c", "srcs/a.c"},
		{"/src/", "src/"},
		{"/src/deep/a.c", "deep/a.c"},
		{"/home/x/b/a.c", "b/a.c"},
		{"rel/a.c", "a.c"},
		{"other/a.c", "other/a.c"},
		{"a.c", "a.c"},
		{"/", "/"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		ck_assert_str_eq(sourcepath_strip(&settings, expected[i][0]), expected[i][1]);
}
END_TEST

START_TEST(uris)
{
	static const char *const expected[][2] = {
		{"a.c", "a.c"},
		{"a b/\xc3\xa4:1%.c", "a%20b/%C3%A4%3A1%25.c"},
		{"/src/a-_.~b\xff", "file:///src/a-_.~b%FF"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		char *uri = sourcepath_uri(expected[i][0]);

		ck_assert_str_eq(uri, expected[i][1]);
		free(uri);
	}
}
END_TEST

/* Code servers keep fingerprints for years: they must not change. */
START_TEST(fingerprints)
{
	char sign[PICK_FINGERPRINT];

	pick_fingerprint(sign, "");
	ck_assert_str_eq(sign, "cbf29ce484222325");
	pick_fingerprint(sign, "foobar");
	ck_assert_str_eq(sign, "85944171f73967e8");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("export");
	TCase *tcase = tcase_create("export");

	tcase_add_test(tcase, lists);
	tcase_add_test(tcase, gates);
	tcase_add_test(tcase, notes);
	tcase_add_test(tcase, unsure);
	tcase_add_test(tcase, names);
	tcase_add_loop_test(tcase, ranges, MEASURE_PERIOD, MEASURE_SHARE + 1);
	tcase_add_test(tcase, limits);
	tcase_add_test(tcase, largest);
	tcase_add_test(tcase, long_names);
	tcase_add_test(tcase, paths);
	tcase_add_test(tcase, uris);
	tcase_add_test(tcase, fingerprints);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
