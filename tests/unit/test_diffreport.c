/* The tables of a comparison and its largest changes for a terminal. */
#include "report/diffreport.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

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
	{.event = "cycles:u",
	 .function = "ns::f(int, long)",
	 .filename = "/src/a.c",
	 .binary = "/usr/bin/app",
	 .line = 17,
	 .measure = MEASURE_SHARE,
	 .old_sum = {30, 300},
	 .new_sum = {60, 1200},
	 .old_percent = 30,
	 .new_percent = 60,
	 .old_value = 30,
	 .new_value = 60,
	 .delta = 30,
	 .low = 20.5,
	 .high = 40.00004,
	 .delta_percent = 30,
	 .ci_low = 20.5,
	 .ci_high = 40.00004,
	 .ratio = 2,
	 .p_value = 0.0000004,
	 .q_value = 0.0000012,
	 .verdict = VERDICT_MORE,
	 .shares = shares[0],
	 .totals = totals},
	{.event = "cycles:u",
	 .function = "=new\x1b[2J",
	 .filename = "",
	 .binary = "b\nc",
	 .measure = MEASURE_SHARE,
	 .new_sum = {20, 400},
	 .new_percent = 20,
	 .new_value = 20,
	 .delta = 20,
	 .low = -0.00001,
	 .high = 1e10,
	 .delta_percent = 20,
	 .ci_low = -0.00001,
	 .ci_high = 1e10,
	 .ratio = INFINITY,
	 .p_value = 0.01,
	 .q_value = 0.015,
	 .verdict = VERDICT_NEW,
	 .shares = shares[1],
	 .totals = totals},
	{.event = "cycles:u",
	 .function = "h",
	 .filename = "",
	 .binary = "",
	 .measure = MEASURE_SHARE,
	 .old_sum = {70, 700},
	 .new_sum = {20, 400},
	 .old_percent = 70,
	 .new_percent = 20,
	 .old_value = 70,
	 .new_value = 20,
	 .delta = -50,
	 .low = -60,
	 .high = -40,
	 .delta_percent = -50,
	 .ci_low = -60,
	 .ci_high = -40,
	 .ratio = 0.285714,
	 .p_value = 0.5,
	 .q_value = 0.5,
	 .verdict = VERDICT_UNSURE,
	 .shares = shares[2],
	 .totals = totals},
};

static const struct diff_event event = {
	.name = "cycles:u",
	.rows = rows,
	.nr_rows = 3,
	.nr_changed = 2,
	.nr_unsure = 1,
	.total = {{100, 1000}, {100, 2000}},
	.change = {.old_value = 1000,
		   .new_value = 2000,
		   .percent = 100,
		   .low = -INFINITY,
		   .high = INFINITY,
		   .p_value = 1,
		   .expected = 14.4,
		   .verdict = VERDICT_UNSURE},
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

/* Writes the tables of @what that @list names; checks one of them, and how many there are. */
static void check_written(const struct diff *what, const char *list, const char *name,
			  const char *expected, size_t nr_files)
{
	struct scratch_path dir = scratch_make();
	struct report_settings settings = {.dir = dir.text};
	struct diffreport *report;
	struct error err = {0};
	char *text;

	ck_assert_int_eq(diffreport_parse_tables(list, &settings.tables, &err), 0);
	report = diffreport_open(&settings, &err);
	ck_assert_msg(report, "%s", err.text);
	ck_assert_msg(diffreport_finish(report, what, &err) == 0, "%s", err.text);
	diffreport_close(report);
	ck_assert_uint_eq(scratch_entries(dir.text), nr_files);
	if (name) {
		text = scratch_read(dir.text, name);
		ck_assert_str_eq(text, expected);
		free(text);
	}
	scratch_remove(dir.text);
}

static void check_table(const char *list, enum measure measure, const char *name,
			const char *expected, size_t nr_files)
{
	struct diff measured = diff;
	struct diff_row measured_rows[3];

	measured.measure = measure;
	measured.rows = measured_rows;
	for (int i = 0; i < 3; i++) {
		measured_rows[i] = rows[i];
		measured_rows[i].measure = measure;
	}
	check_written(&measured, list, name, expected, nr_files);
}

#define DIFF_HEADER                                                                            \
	"event,function,filename,binary,old_samples,new_samples,old_period,new_period,old_"    \
	"percent,"                                                                             \
	"new_percent,delta_percent,ratio,ci_low,ci_high,p_value,q_value,verdict,by,old_value," \
	"new_value,unit,line\n"

START_TEST(tables)
{
	check_table("diff", MEASURE_SHARE, "diff.csv",
		    DIFF_HEADER
		    "cycles:u,\"ns::f(int, "
		    "long)\",/src/a.c,/usr/bin/app,30,60,300,1200,30.0000,60.0000,"
		    "30.0000,2.0000,20.5000,40.0000,0.000000,0.000001,larger,share,30.0000,60.0000,"
		    "%,17\n"
		    "cycles:u,'=new\x1b[2J,,\"b\nc\",0,20,0,400,0.0000,20.0000,20.0000,,0.0000,"
		    "10000000000.0000,0.010000,0.015000,new,share,0.0000,20.0000,%,\n"
		    "cycles:u,h,,,70,20,700,400,70.0000,20.0000,-50.0000,0.2857,-60.0000,-40.0000,"
		    "0.500000,0.500000,unsure,share,70.0000,20.0000,%,\n",
		    1);
	check_table("diff", MEASURE_RATE, "diff.csv",
		    DIFF_HEADER
		    "cycles:u,\"ns::f(int, "
		    "long)\",/src/a.c,/usr/bin/app,30,60,300,1200,30.0000,60.0000,"
		    "30.0000,2.0000,20.5000,40.0000,0.000000,0.000001,higher,rate,30.0000,60.0000,"
		    "events/s,17\n"
		    "cycles:u,'=new\x1b[2J,,\"b\nc\",0,20,0,400,0.0000,20.0000,20.0000,,0.0000,"
		    "10000000000.0000,0.010000,0.015000,new,rate,0.0000,20.0000,events/s,\n"
		    "cycles:u,h,,,70,20,700,400,70.0000,20.0000,-50.0000,0.2857,-60.0000,-40.0000,"
		    "0.500000,0.500000,unsure,rate,70.0000,20.0000,events/s,\n",
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
	check_table("all", MEASURE_PERIOD, NULL, NULL, 3);
	check_table("none", MEASURE_SHARE, NULL, NULL, 0);
}
END_TEST

/* No two columns have one name, even if a run is given twice or called like a column. */
START_TEST(columns_of_runs)
{
	static const struct profile alike[] = {
		{.label = "a"}, {.label = "a~2"}, {.label = "a"}, {.label = "binary"}};
	static const struct run_share none[4];
	static struct run_total wholes[4];
	struct diff_row row = {.event = "e", .function = "f", .filename = "", .binary = "b"};
	struct diff of = {.rows = &row, .nr_rows = 1, .runs = alike, .nr_runs = 4, .nr_old = 2};

	row.shares = (struct run_share *)none;
	row.totals = wholes;
	check_written(&of, "wide", "wide.csv",
		      "event,function,filename,binary,a,a~2,a~3,binary~2\n"
		      "e,f,,b,0,0,0,0\n",
		      1);
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
		measured_rows[i].measure = measure;
		measured_rows[i].old_value = value_of(measure, &rows[i], 0);
		measured_rows[i].new_value = value_of(measure, &rows[i], 1);
	}
	measured_event.rows = measured_rows;
	measured_event.unsure[0] = measured_rows[2].old_value;
	measured_event.unsure[1] = measured_rows[2].new_value;
	measured.rows = measured_rows;
	measured.events = &measured_event;
	measured.measure = measure;
	measured.children = children;
	ck_assert_int_eq(
		diffconsole_print(out, &measured, sides,
				  &(struct console_settings){.top = top, .columns = columns}, &err),
		0);
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

	check_shown(MEASURE_SHARE, plain, 0, 0,
		    "Total per run: 1 k -> 2 k, +100.0 % (+- 14 %: one run a side cannot tell)\n"
		    "cycles:u: 100 samples old, 100 samples new; shares are compared\n"
		    "    old      new  change  95 % interval             verdict  function         "
		    " binary\n"
		    "   30 %     60 %   x 2.0  +20.5 to +40 points       larger   ns::f(int, long) "
		    " /usr/bin/app\n"
		    "    0 %     20 %     new  0 to +10000000000 points  new      =new\\x1b[2J     "
		    "  b\\x0ac\n"
		    "1 function unsure, 70 % -> 20 %: a change that matters cannot be ruled out\n");
	check_shown(MEASURE_PERIOD, labels, 1, 0,
		    "Total per run: 1 k -> 2 k, +100.0 % (+- 14 %: one run a side cannot tell)\n"
		    "cycles:u: 100 samples v1.2.3-rc4, 100 samples a name\\x0amuch t; periods per "
		    "run are compared\n"
		    "v1.2.3-rc4  a name\\x0amuch t  change  95 % interval  verdict  function       "
		    "   binary\n"
		    "       300             1.2 k   x 4.0  +20.5 to +40   slower   ns::f(int, "
		    "long)  /usr/bin/app\n"
		    "... 1 more change\n"
		    "1 function unsure, 700 -> 400: a change that matters cannot be ruled out\n");
	check_shown(
		MEASURE_RATE, plain, 1, 0,
		"Total per run: 1 k -> 2 k, +100.0 % (+- 14 %: one run a side cannot tell)\n"
		"cycles:u: 100 samples old, 100 samples new; periods per second are compared\n"
		"    old      new  change  95 % interval   verdict  function          binary\n"
		"  150/s    300/s   x 2.0  +20.5 to +40/s  higher   ns::f(int, long)  "
		"/usr/bin/app\n"
		"... 1 more change\n"
		"1 function unsure, 350/s -> 100/s: a change that matters cannot be ruled out\n");
	/* with callees the shares overlap: their sum may be more than all */
	check_shown_as(
		MEASURE_SHARE, true, plain, 1, 76,
		"Total per run: 1 k -> 2 k, +100.0 % (+- 14 %: one run a side cannot tell)\n"
		"cycles:u: 100 samples old, 100 samples new; shares are compared\n"
		"    old      new  change  95 % interval        verdict  function      binary\n"
		"   30 %     60 %   x 2.0  +20.5 to +40 points  larger   ns::f...ong)  app\n"
		"... 1 more change\n"
		"1 function unsure: a change that matters cannot be ruled out\n");
	check_shown(MEASURE_SHARE, plain, 1, 76,
		    "Total per run: 1 k -> 2 k, +100.0 % (+- 14 %: one run a side cannot tell)\n"
		    "cycles:u: 100 samples old, 100 samples new; shares are compared\n"
		    "    old      new  change  95 % interval        verdict  function      binary\n"
		    "   30 %     60 %   x 2.0  +20.5 to +40 points  larger   ns::f...ong)  app\n"
		    "... 1 more change\n"
		    "1 function unsure, 70 % -> 20 %: a change that matters cannot be ruled out\n");
	/* names have some room in any terminal; sentences are broken */
	check_shown(MEASURE_SHARE, plain, 1, 40,
		    "Total per run: 1 k -> 2 k, +100.0 % (+-\n"
		    "  14 %: one run a side cannot tell)\n"
		    "cycles:u: 100 samples old, 100 samples\n"
		    "  new; shares are compared\n"
		    "    old      new  change  95 % interval        verdict  function      binary\n"
		    "   30 %     60 %   x 2.0  +20.5 to +40 points  larger   ns::f...ong)  app\n"
		    "... 1 more change\n"
		    "1 function unsure, 70 % -> 20 %: a\n"
		    "  change that matters cannot be ruled\n"
		    "  out\n");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("diffreport");
	TCase *tcase = tcase_create("diffreport");

	tcase_add_test(tcase, tables);
	tcase_add_test(tcase, columns_of_runs);
	tcase_add_test(tcase, unfinished);
	tcase_add_test(tcase, console);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
