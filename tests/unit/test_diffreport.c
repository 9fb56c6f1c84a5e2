/* The tables of a comparison and its largest changes for a terminal. */
#include "report/diff.h"

#include "tests/scratch.h"
#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static const struct run_share shares[][2] = {
	{{30, 300, 0, 0}, {60, 1200, 0, 0}},
	{{0, 0, 0, 0}, {20, 400, 0, 0}},
	{{70, 700, 0, 0}, {20, 400, 0, 0}},
};
static const struct run_total totals[] = {{100, 1000, 2}, {100, 2000, 4}};

static const struct diff_row rows[] = {
	{"cycles:u",
	 "ns::f(int, long)",
	 "/src/a.c",
	 "/usr/bin/app",
	 {30, 300},
	 {60, 1200},
	 30,
	 60,
	 30,
	 60,
	 30,
	 20.5,
	 40.00004,
	 2,
	 0.0000004,
	 0.0000012,
	 VERDICT_SLOWER,
	 shares[0],
	 totals},
	{"cycles:u",
	 "=new\x1b[2J",
	 "",
	 "b\nc",
	 {0, 0},
	 {20, 400},
	 0,
	 20,
	 0,
	 20,
	 20,
	 -0.00001,
	 1e10,
	 INFINITY,
	 0.01,
	 0.015,
	 VERDICT_NEW,
	 shares[1],
	 totals},
	{"cycles:u",
	 "h",
	 "",
	 "",
	 {70, 700},
	 {20, 400},
	 70,
	 20,
	 70,
	 20,
	 -50,
	 -60,
	 -40,
	 0.285714,
	 0.5,
	 0.5,
	 VERDICT_SAME,
	 shares[2],
	 totals},
};

static const struct diff_event event = {
	.name = "cycles:u",
	.rows = rows,
	.nr_rows = 3,
	.nr_changed = 2,
	.same = {70, 20},
	.total = {{100, 1000}, {100, 2000}},
};

static const struct profile runs[] = {{.label = "old.data"}, {.label = "=1+1,\"x\""}};

static const struct diff diff = {
	.rows = (struct diff_row *)rows,
	.nr_rows = 3,
	.events = (struct diff_event *)&event,
	.nr_events = 1,
	.runs = runs,
	.nr_runs = 2,
	.nr_old = 1,
};

/* Writes the tables that @list names; checks one of them, and that the other is there if it should.
 */
static void check_table(const char *list, enum measure measure, const char *name,
			const char *expected, size_t nr_files)
{
	struct scratch_path dir = scratch_make();
	struct report_settings settings = {.dir = dir.text};
	struct diff measured = diff;
	struct diffreport *report;
	struct error err = {0};
	char *text;

	measured.measure = measure;
	ck_assert_int_eq(diffreport_parse_tables(list, &settings.tables, &err), 0);
	report = diffreport_open(&settings, &err);
	ck_assert_msg(report, "%s", err.text);
	ck_assert_msg(diffreport_finish(report, &measured, &err) == 0, "%s", err.text);
	diffreport_close(report);
	ck_assert_uint_eq(scratch_entries(dir.text), nr_files);
	if (name) {
		text = scratch_read(dir.text, name);
		ck_assert_str_eq(text, expected);
		free(text);
	}
	scratch_remove(dir.text);
}

START_TEST(tables)
{
	check_table("diff", MEASURE_SHARE, "diff.csv",
		    "event,function,filename,binary,old_samples,new_samples,old_period,new_period,"
		    "old_percent,new_percent,delta_percent,ratio,ci_low,ci_high,p_value,q_value,"
		    "verdict\n"
		    "cycles:u,\"ns::f(int, "
		    "long)\",/src/a.c,/usr/bin/app,30,60,300,1200,30.0000,60.0000,"
		    "30.0000,2.0000,20.5000,40.0000,0.000000,0.000001,slower\n"
		    "cycles:u,'=new\x1b[2J,,\"b\nc\",0,20,0,400,0.0000,20.0000,20.0000,,0.0000,"
		    "10000000000.0000,0.010000,0.015000,new\n"
		    "cycles:u,h,,,70,20,700,400,70.0000,20.0000,-50.0000,0.2857,-60.0000,-40.0000,"
		    "0.500000,0.500000,same\n",
		    1);
	check_table("wide,diff", MEASURE_SHARE, "wide.csv",
		    "event,function,filename,binary,old.data,\"'=1+1,\"\"x\"\"\"\n"
		    "cycles:u,\"ns::f(int, long)\",/src/a.c,/usr/bin/app,30.0000,60.0000\n"
		    "cycles:u,'=new\x1b[2J,,\"b\nc\",0.0000,20.0000\n"
		    "cycles:u,h,,,70.0000,20.0000\n",
		    2);
	check_table("wide", MEASURE_RATE, "wide.csv",
		    "event,function,filename,binary,old.data,\"'=1+1,\"\"x\"\"\"\n"
		    "cycles:u,\"ns::f(int, long)\",/src/a.c,/usr/bin/app,150.0000,300.0000\n"
		    "cycles:u,'=new\x1b[2J,,\"b\nc\",0.0000,100.0000\n"
		    "cycles:u,h,,,350.0000,100.0000\n",
		    1);
	check_table("all", MEASURE_PERIOD, NULL, NULL, 2);
	check_table("none", MEASURE_SHARE, NULL, NULL, 0);
}
END_TEST

/* Tables that were not finished leave nothing behind. */
START_TEST(unfinished)
{
	struct scratch_path dir = scratch_make();
	const struct report_settings settings = {.dir = dir.text, .tables = DIFFREPORT_ALL};
	struct error err = {0};
	struct diffreport *report = diffreport_open(&settings, &err);

	ck_assert_msg(report, "%s", err.text);
	diffreport_close(report);
	diffreport_close(NULL);
	ck_assert_uint_eq(scratch_entries(dir.text), 0);
	scratch_remove(dir.text);
}
END_TEST

/* The value that @row has on side @i: its share, or its period in the run or per second of it. */
static double value_of(enum measure measure, const struct diff_row *row, int i)
{
	double period = (double)row->shares[i].period;

	if (measure == MEASURE_SHARE)
		return i ? row->new_value : row->old_value;
	return measure == MEASURE_RATE ? period / row->totals[i].seconds : period;
}

static void check_shown_as(enum measure measure, bool children, const char *const sides[2],
			   size_t top, size_t columns, const char *expected)
{
	struct diff_row measured_rows[3];
	struct diff_event measured_event = event;
	struct diff measured = diff;
	struct error err = {0};
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (int i = 0; i < 3; i++) {
		measured_rows[i] = rows[i];
		measured_rows[i].old_value = value_of(measure, &rows[i], 0);
		measured_rows[i].new_value = value_of(measure, &rows[i], 1);
	}
	measured_event.rows = measured_rows;
	measured_event.same[0] = measured_rows[2].old_value;
	measured_event.same[1] = measured_rows[2].new_value;
	measured.rows = measured_rows;
	measured.events = &measured_event;
	measured.measure = measure;
	measured.children = children;
	ck_assert_int_eq(diffreport_console(out, &measured, sides, top, columns, &err), 0);
	fclose(out);
	ck_assert_str_eq(text, expected);
	free(text);
}

static void check_shown(enum measure measure, const char *const sides[2], size_t top,
			size_t columns, const char *expected)
{
	check_shown_as(measure, false, sides, top, columns, expected);
}

START_TEST(console)
{
	static const char *const plain[] = {"old", "new"};
	static const char *const labels[] = {"v1.2.3-rc4", "a name\nmuch too long"};

	check_shown(
		MEASURE_SHARE, plain, 0, 0,
		"cycles:u: 100 samples old, 100 samples new; changes in percentage points\n"
		"    old      new   change  95 % interval      verdict  function          binary\n"
		" 30.00%   60.00%   +30.00  +20.50 to +40.00   slower   ns::f(int, long)  "
		"/usr/bin/app\n"
		"  0.00%   20.00%   +20.00  0.00 to +1.00e+10  new      =new\\x1b[2J       "
		"b\\x0ac\n"
		"1 function without a change that the data can show: 70.00% old, 20.00% new\n");
	check_shown(
		MEASURE_PERIOD, labels, 1, 0,
		"cycles:u: 100 samples v1.2.3-rc4, 100 samples a name\\x0amuch t; period per run, "
		"changes in percent of the old period\n"
		"v1.2.3-rc4  a name\\x0amuch t   change  95 % interval     verdict  function    "
		"      binary\n"
		"       300              1200   +30.00  +20.50 to +40.00  slower   ns::f(int, "
		"long)  /usr/bin/app\n"
		"... 1 more change\n"
		"1 function without a change that the data can show: 700 v1.2.3-rc4, 400 a "
		"name\\x0amuch t\n");
	check_shown(
		MEASURE_RATE, plain, 1, 0,
		"cycles:u: 100 samples old, 100 samples new; period per second, changes in percent "
		"of the old period per second\n"
		"    old      new   change  95 % interval     verdict  function          binary\n"
		"    150      300   +30.00  +20.50 to +40.00  slower   ns::f(int, long)  "
		"/usr/bin/app\n"
		"... 1 more change\n"
		"1 function without a change that the data can show: 350 old, 100 new\n");
	/* with callees the shares overlap: their sum may be more than all */
	check_shown_as(
		MEASURE_SHARE, true, plain, 1, 76,
		"cycles:u: 100 samples old, 100 samples new; changes in percentage points\n"
		"    old      new   change  95 % interval     verdict  function       binary\n"
		" 30.00%   60.00%   +30.00  +20.50 to +40.00  slower   ns::f(int, lo  app\n"
		"... 1 more change\n"
		"1 function without a change that the data can show\n");
	check_shown(MEASURE_SHARE, plain, 1, 76,
		    "cycles:u: 100 samples old, 100 samples new; changes in percentage points\n"
		    "    old      new   change  95 % interval     verdict  function       binary\n"
		    " 30.00%   60.00%   +30.00  +20.50 to +40.00  slower   ns::f(int, lo  app\n"
		    "... 1 more change\n"
		    "1 function without a change that the data can show: 70.00% old, 20.00% new\n");
}
END_TEST

static const struct {
	enum measure measure;
	double value;
	const char *shown;
} values[] = {
	{MEASURE_SHARE, 0, "0.00%"},
	{MEASURE_SHARE, 12.345678, "12.35%"},
	{MEASURE_SHARE, 100, "100.00%"},
	{MEASURE_PERIOD, 0, "0"},
	{MEASURE_PERIOD, 7, "7"},
	{MEASURE_PERIOD, 7. / 3, "2.33"},
	{MEASURE_PERIOD, 999.75, "999.75"},
	{MEASURE_PERIOD, 1000.75, "1001"},
	{MEASURE_PERIOD, 93333240, "93333240"},
	{MEASURE_RATE, 0.125, "0.12"},
	{MEASURE_RATE, 123456789.25, "123456789"},
	/* the most: 2^64-1 in a nanosecond */
	{MEASURE_RATE, 18446744073709551615. * 1e9, "18446744073709551616000000000"},
};

START_TEST(value)
{
	char got[DIFFREPORT_VALUE_MAX];

	diffreport_value(got, values[_i].measure, values[_i].value);
	ck_assert_str_eq(got, values[_i].shown);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("diffreport");
	TCase *tcase = tcase_create("diffreport");

	tcase_add_test(tcase, tables);
	tcase_add_test(tcase, unfinished);
	tcase_add_test(tcase, console);
	tcase_add_loop_test(tcase, value, 0, (int)(sizeof(values) / sizeof(values[0])));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
