/* The overview of functions: titles, columns, and what is cut where. */
#include "report/report.h"

#include "tests/support/handmade.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static const struct event_stat events[] = {
	{.event = &handmade_cycles, .total = {7, 3000}},
	{.event = &handmade_loads, .total = {1, 0}},
	{.event = &handmade_nothing, .total = {0, 0}},
};

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static const struct results results = {
	.events = events,
	.nr_events = NR(events),
	.functions = handmade_functions,
	.nr_functions = HANDMADE_FUNCTIONS,
};

static void check_shown_as(const struct results *what, uint64_t span,
			   const struct console_settings *settings, const char *expected)
{
	struct error err = {0};
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	ck_assert_int_eq(report_console(out, what, span, settings, &err), 0);
	fclose(out);
	ck_assert_str_eq(text, expected);
	free(text);
}

static void check_shown(const struct results *what, size_t top, size_t columns,
			const char *expected)
{
	check_shown_as(what, 0, &(struct console_settings){.top = top, .columns = columns},
		       expected);
}

START_TEST(of_several_events)
{
	check_shown(&results, 0, 0,
		    "cycles:u: 7 samples, period 3 k events, 0 lost\n"
		    "percent  period  samples  function                  binary\n"
		    " 66.67%    2000        3  ns::f(int, char const*)   /usr/bin/app\n"
		    " 16.67%     500        3  =cmd|' /C calc'!A0        [kernel.kallsyms]\n"
		    " 16.67%     500        1  [unknown] (file-missing)  /gone\\x0afile\n"
		    "\n"
		    "cpu/mem-loads,ldlat=30/P: 1 sample, period 0 events, 0 lost\n"
		    "percent  period  samples  function       binary\n"
		    "  0.00%       0        1  b\\xffr\\x1b[2J  /usr/bin/app\n"
		    "\n"
		    "no samples: faults\n");
}
END_TEST

static struct results one_event(void)
{
	return (struct results){.events = events,
				.nr_events = 1,
				.functions = handmade_functions,
				.nr_functions = HANDMADE_OF_CYCLES};
}

START_TEST(cut)
{
	struct results one = one_event();

	check_shown(&one, 2, 0,
		    "cycles:u: 7 samples, period 3 k events, 0 lost\n"
		    "percent  period  samples  function                 binary\n"
		    " 66.67%    2000        3  ns::f(int, char const*)  /usr/bin/app\n"
		    " 16.67%     500        3  =cmd|' /C calc'!A0       [kernel.kallsyms]\n"
		    "... 1 more row\n");
	check_shown(&one, 1, 0,
		    "cycles:u: 7 samples, period 3 k events, 0 lost\n"
		    "percent  period  samples  function                 binary\n"
		    " 66.67%    2000        3  ns::f(int, char const*)  /usr/bin/app\n"
		    "... 2 more rows\n");
	check_shown(&one, 0, 60,
		    "cycles:u: 7 samples, period 3 k events, 0 lost\n"
		    "percent  period  samples  function               binary\n"
		    " 66.67%    2000        3  ns::f(int...r const*)  app\n"
		    " 16.67%     500        3  =cmd|' /C calc'!A0     [ker...yms]\n"
		    " 16.67%     500        1  [unknown]              gone...file\n");
	check_shown(&one, 1, 62,
		    "cycles:u: 7 samples, period 3 k events, 0 lost\n"
		    "percent  period  samples  function                binary\n"
		    " 66.67%    2000        3  ns::f(int,...r const*)  /usr/bin/app\n"
		    "... 2 more rows\n");
	check_shown(&one, 1, 40,
		    "cycles:u: 7 samples, period 3 k events,\n"
		    "    0 lost\n"
		    "percent  period  samples  function\n"
		    " 66.67%    2000        3  ns::f...st*)\n"
		    "... 2 more rows\n");
	check_shown(&one, 1, 8,
		    "cycles:u: 7 samples,\n"
		    "    period 3 k events,\n"
		    "    0 lost\n"
		    "percent  period  samples  function\n"
		    " 66.67%    2000        3  ns::f...st*)\n"
		    "... 2 more rows\n");
}
END_TEST

START_TEST(of_wide_characters)
{
	static const struct event_stat event = {.event = &handmade_cycles, .total = {2, 3}};
	static const struct function_stat rows[] = {
		{.event = &handmade_cycles,
		 .binary = "a",
		 .function = "\xe4\xb8\xad\xe6\x96\x87",
		 .self = {1, 2},
		 .reason = ""},
		{.event = &handmade_cycles,
		 .binary = "b",
		 .function = "e\xcc\x81"
			     "tude",
		 .self = {1, 1},
		 .reason = ""},
	};
	struct results wide = {
		.events = &event, .nr_events = 1, .functions = rows, .nr_functions = 2};

	check_shown(&wide, 0, 0,
		    "cycles:u: 2 samples, period 3 events, 0 lost\n"
		    "percent  period  samples  function  binary\n"
		    " 66.67%       2        1  \xe4\xb8\xad\xe6\x96\x87      a\n"
		    " 33.33%       1        1  e\xcc\x81"
		    "tude     b\n");
}
END_TEST

START_TEST(of_nothing)
{
	struct results none = {.events = &events[2], .nr_events = 1};

	check_shown(&none, 0, 80, "no samples: faults\n");
}
END_TEST

START_TEST(that_cannot_be_written)
{
	FILE *out = fopen("/dev/full", "w");
	struct error err;

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(report_console(out, &results, 0, &(struct console_settings){0}, &err), -1);
	ck_assert_str_eq(err.text, "standard output: cannot be written: No space left on device");
	fclose(out);
}
END_TEST

START_TEST(of_many_silent_events)
{
	struct event_stat silent[7];
	struct results none = {.events = silent, .nr_events = NR(silent)};

	for (size_t i = 0; i < NR(silent); i++)
		silent[i] = (struct event_stat){.event = &handmade_nothing};
	check_shown(&none, 0, 0,
		    "no samples: faults, faults, faults, faults, faults and 2 more events\n");
	none.nr_events--;
	check_shown(&none, 0, 0,
		    "no samples: faults, faults, faults, faults, faults and 1 more event\n");
}
END_TEST

/* perf record -a adds "dummy:HG" to the event that was asked for. */
START_TEST(of_a_dummy_event)
{
	static const struct event dummy = {.number = 1, .name = "dummy:HG", .dummy = true};
	const struct event_stat both[] = {{.event = &handmade_cycles, .total = {4, 2500}},
					  {.event = &dummy}};
	const struct results one = {
		.events = both, .nr_events = 2, .functions = handmade_functions, .nr_functions = 2};
	const struct results none = {.events = &both[1], .nr_events = 1};

	check_shown(&one, 0, 0,
		    "cycles:u: 4 samples, period 2.5 k events, 0 lost\n"
		    "percent  period  samples  function                 binary\n"
		    " 80.00%    2000        3  ns::f(int, char const*)  /usr/bin/app\n"
		    " 20.00%     500        3  =cmd|' /C calc'!A0       [kernel.kallsyms]\n");
	check_shown(&none, 0, 0, "");
}
END_TEST

START_TEST(without_functions_that_only_called)
{
	static const struct function_stat called[] = {
		{.event = &handmade_cycles,
		 .binary = "/usr/bin/app",
		 .function = "f",
		 .self = {3, 3000},
		 .children = {3, 3000},
		 .reason = ""},
		{.event = &handmade_cycles,
		 .binary = "/usr/bin/app",
		 .function = "main",
		 .children = {3, 3000},
		 .reason = ""},
	};
	static const struct event_stat one = {.event = &handmade_cycles, .total = {3, 3000}};
	const struct results what = {
		.events = &one, .nr_events = 1, .functions = called, .nr_functions = NR(called)};

	check_shown(&what, 0, 0,
		    "cycles:u: 3 samples, period 3 k events, 0 lost\n"
		    "percent  period  samples  function  binary\n"
		    "100.00%    3000        3  f         /usr/bin/app\n");
}
END_TEST

static const struct event clock_event = {.name = "cpu-clock\x1b[2J\n", .is_time = true};

static const struct function_stat of_clock[] = {
	{.event = &clock_event,
	 .binary = "/usr/bin/app",
	 .function = "f",
	 .self = {3, 1250000000},
	 .children = {3, 1250000000},
	 .reason = ""},
};

/* Periods of a clock are time, and no name commands the terminal. */
START_TEST(of_a_clock)
{
	const struct event_stat stat = {
		.event = &clock_event, .total = {3, 1250000000}, .dropped = 12};
	const struct results what = {
		.events = &stat, .nr_events = 1, .functions = of_clock, .nr_functions = 1};

	check_shown_as(&what, 2042500000, &(struct console_settings){0},
		       "cpu-clock\\x1b[2J\\x0a: 3 samples, period 1.25 s, recorded over 2.042 s, "
		       "12 lost\n"
		       "percent      period  samples  function  binary\n"
		       "100.00%  1250000000        3  f         /usr/bin/app\n");
	check_shown_as(&what, 2042500000, &(struct console_settings){.columns = 34},
		       "cpu-clock\\x1b[2J\\x0a: 3 samples,\n"
		       "    period 1.25 s,\n"
		       "    recorded over 2.042 s, 12 lost\n"
		       "percent      period  samples  function\n"
		       "100.00%  1250000000        3  f\n");
}
END_TEST

/* What filters leave, and of how much. */
START_TEST(of_a_part)
{
	const struct event_stat stats[] = {
		{.event = &clock_event, .total = {3, 1250000000}, .taken = {12, 5000000000}},
		{.event = &handmade_cycles, .total = {0, 0}, .taken = {7, 3000}}};
	const struct results what = {.events = stats,
				     .nr_events = 2,
				     .functions = of_clock,
				     .nr_functions = 1,
				     .filtered = true};

	check_shown_as(&what, 1000, &(struct console_settings){0},
		       "cpu-clock\\x1b[2J\\x0a: 3 of 12 samples (25.00 %), period 1.25 s of 5 s "
		       "(25.00 %), recorded over 1 us, 0 lost\n"
		       "percent      period  samples  function  binary\n"
		       "100.00%  1250000000        3  f         /usr/bin/app\n"
		       "\n"
		       "no samples left: cycles:u\n");
}
END_TEST

/* The rows and their shares are of the window; lost and the rest of the line's end are of all. */
START_TEST(of_a_window)
{
	const struct event_stat stats[] = {
		{.event = &clock_event, .total = {12, 5000000000}, .taken = {12, 5000000000}},
		{.event = &handmade_cycles, .total = {7, 3000}, .taken = {9, 3500}, .dropped = 1}};
	const struct window_event recent[] = {{.total = {3, 1250000000}, .taken = {3, 1250000000}},
					      {.total = {0, 0}, .taken = {1, 250}}};
	const struct window_stat window = {
		.length = 2500000000, .events = recent, .functions = of_clock, .nr_functions = 1};
	const struct results what = {.events = stats,
				     .nr_events = 2,
				     .functions = handmade_functions,
				     .nr_functions = HANDMADE_OF_CYCLES,
				     .window = &window};

	check_shown_as(&what, 8000000000, &(struct console_settings){0},
		       "cpu-clock\\x1b[2J\\x0a in the last 2.5 s: 3 samples, period 1.25 s, "
		       "12 samples in all, recorded over 8 s, 0 lost\n"
		       "percent      period  samples  function  binary\n"
		       "100.00%  1250000000        3  f         /usr/bin/app\n"
		       "\n"
		       "cycles:u in the last 2.5 s: 0 of 1 sample (0.00 %), period 0 events of "
		       "250 events (0.00 %), 7 of 9 samples in all, recorded over 8 s, 1 lost\n");
	check_shown_as(&what, 0, &(struct console_settings){.columns = 50, .top = 1},
		       "cpu-clock\\x1b[2J\\x0a in the last 2.5 s: 3 samples,\n"
		       "    period 1.25 s, 12 samples in all, 0 lost\n"
		       "percent      period  samples  function  binary\n"
		       "100.00%  1250000000        3  f         app\n"
		       "\n"
		       "cycles:u in the last 2.5 s: 0 of 1 sample (0.00 %),\n"
		       "    period 0 events of 250 events (0.00 %),\n"
		       "    7 of 9 samples in all, 1 lost\n");
}
END_TEST

START_TEST(of_a_window_with_a_long_name)
{
	static const struct event event = {.name = "syscalls:sys_enter_clock_nanosleep:u"};
	static const struct event_stat stat = {.event = &event, .total = {7, 7}};
	static const struct window_event none = {{0, 0}, {0, 0}};
	static const struct window_stat window = {.length = 10000000000, .events = &none};
	const struct results what = {.events = &stat, .nr_events = 1, .window = &window};

	check_shown_as(&what, 0, &(struct console_settings){.columns = 60},
		       "syscalls:sys_e...ck_nanosleep:u in the last 10 s: 0 samples,\n"
		       "    period 0 events, 7 samples in all, 0 lost\n");
}
END_TEST

/* Where there are call chains, there is what functions take with all that they call. */
START_TEST(with_call_chains)
{
	static const struct event chained = {.name = "cycles", .chains = true};
	static const struct event_stat stat = {.event = &chained, .total = {1000, 1000}};
	const struct function_stat rows[] = {
		{.event = &chained,
		 .binary = "a",
		 .function = "f",
		 .self = {950, 950},
		 .children = {950, 950},
		 .reason = ""},
		{.event = &chained,
		 .binary = "a",
		 .function = "g",
		 .self = {46, 46},
		 .children = {46, 46},
		 .reason = ""},
		{.event = &chained,
		 .binary = "a",
		 .function = "main",
		 .self = {4, 4},
		 .children = {1000, 1000},
		 .reason = ""},
	};
	const struct results what = {
		.events = &stat, .nr_events = 1, .functions = rows, .nr_functions = NR(rows)};

	check_shown(&what, 0, 0,
		    "cycles: 1000 samples, period 1 k events, 0 lost\n"
		    "percent  period  samples  children  function  binary\n"
		    " 95.00%     950      950    95.00%  f         a\n"
		    "  4.60%      46       46     4.60%  g         a\n"
		    "  0.40%       4        4   100.00%  main      a\n");
	check_shown_as(
		&what, 0, &(struct console_settings){.color = true},
		"cycles: 1000 samples, period 1 k events, 0 lost\n"
		"percent  period  samples  children  function  binary\n"
		" \033[31m95.00%\033[m     950      950    \033[31m95.00%\033[m  f         a\n"
		"  \033[32m4.60%\033[m      46       46     \033[32m4.60%\033[m  g         a\n"
		"  0.40%       4        4   \033[31m100.00%\033[m  main      a\n");
}
END_TEST

/* Around functions with names that nobody should print as they are; far below, names keep room. */
static const struct focus_stat callers[] = {
	{&handmade_cycles, &handmade_functions[0], "", 0, {3, 2000}, 0, false},
	{&handmade_cycles, &handmade_functions[2], "", 1, {2, 1500}, 0, false},
	{&handmade_cycles, NULL, "stack-cut", 2, {1, 1000}, 0, false},
	{&handmade_cycles, &handmade_functions[1], "", 1, {1, 500}, 0, false},
	{&handmade_cycles, &handmade_functions[1], "", 0, {1, 500}, 0, false},
	{&handmade_loads, &handmade_functions[3], "", 0, {1, 0}, 0, false},
	{&handmade_loads, &handmade_functions[3], "", 20, {1, 0}, 0, false},
	{&handmade_loads, NULL, "", 21, {1, 0}, 12345, false},
	{&handmade_loads, NULL, "", 64, {0, 0}, 0, true},
};

#define SPACES_64 "                                                                "

static char any_name[] = "*";
static char *const any[] = {any_name, NULL};

static struct results with_trees(void)
{
	struct results trees = results;

	trees.answered[0] =
		(struct answered){&focusstat_callers, {.first = callers, .nr = NR(callers)}};
	trees.answered[1] = (struct answered){&focusstat_callees, {.first = callers, .nr = 1}};
	return trees;
}

START_TEST(callers_of_functions)
{
	const struct results trees = with_trees();

	check_shown_as(&trees, 0, &(struct console_settings){.columns = 60, .callers = any},
		       "cycles:u: 7 samples, period 3 k events, 0 lost\n"
		       "percent  period  samples  callers                binary\n"
		       " 66.67%    2000        3  ns::f(int...r const*)  app\n"
		       " 50.00%    1500        2    [unknown]            gone...file\n"
		       " 33.33%    1000        1      [stack-cut]\n"
		       " 16.67%     500        1    =cmd|' /C calc'!A0   [ker...yms]\n"
		       " 16.67%     500        1  =cmd|' /C calc'!A0     [ker...yms]\n"
		       "\n"
		       "cpu/mem-loads,ldlat=30/P: 1 sample, period 0 events, 0 lost\n"
		       "percent  period  samples  callers                binary\n"
		       "  0.00%       0        1  b\\xffr\\x1b[2J          app\n"
		       "  0.00%       0        1            b...[2J      app\n"
		       "  0.00%       0        1            ... 12345 m\n"
		       "  0.00%       0        0            ...\n");
}
END_TEST

/* At most so many trees of an event. */
START_TEST(the_first_trees_alone)
{
	const struct results trees = with_trees();

	check_shown_as(&trees, 0, &(struct console_settings){.top = 1, .callers = any},
		       "cycles:u: 7 samples, period 3 k events, 0 lost\n"
		       "percent  period  samples  callers                     binary\n"
		       " 66.67%    2000        3  ns::f(int, char const*)     /usr/bin/app\n"
		       " 50.00%    1500        2    [unknown] (file-missing)  /gone\\x0afile\n"
		       " 33.33%    1000        1      [stack-cut]\n"
		       " 16.67%     500        1    =cmd|' /C calc'!A0        [kernel.kallsyms]\n"
		       "... 1 more function\n"
		       "\n"
		       "cpu/mem-loads,ldlat=30/P: 1 sample, period 0 events, 0 lost\n"
		       "percent  period  samples  callers                                          "
		       " binary\n"
		       "  0.00%       0        1  b\\xffr\\x1b[2J                                  "
		       "   /usr/bin/app\n"
		       "  0.00%       0        1                                          "
		       "b\\xffr\\x1b[2J  /usr/bin/app\n"
		       "  0.00%       0        1                                            ... "
		       "12345 more\n"
		       "  0.00%       0        0  " SPACES_64 SPACES_64 "...\n");
}
END_TEST

START_TEST(callers_and_callees)
{
	const struct results trees = with_trees();

	check_shown_as(&trees, 0, &(struct console_settings){.callers = any, .callees = any},
		       "cycles:u: 7 samples, period 3 k events, 0 lost\n"
		       "percent  period  samples  callers                     binary\n"
		       " 66.67%    2000        3  ns::f(int, char const*)     /usr/bin/app\n"
		       " 50.00%    1500        2    [unknown] (file-missing)  /gone\\x0afile\n"
		       " 33.33%    1000        1      [stack-cut]\n"
		       " 16.67%     500        1    =cmd|' /C calc'!A0        [kernel.kallsyms]\n"
		       " 16.67%     500        1  =cmd|' /C calc'!A0          [kernel.kallsyms]\n"
		       "\n"
		       "percent  period  samples  callees                  binary\n"
		       " 66.67%    2000        3  ns::f(int, char const*)  /usr/bin/app\n"
		       "\n"
		       "cpu/mem-loads,ldlat=30/P: 1 sample, period 0 events, 0 lost\n"
		       "percent  period  samples  callers                                          "
		       " binary\n"
		       "  0.00%       0        1  b\\xffr\\x1b[2J                                  "
		       "   /usr/bin/app\n"
		       "  0.00%       0        1                                          "
		       "b\\xffr\\x1b[2J  /usr/bin/app\n"
		       "  0.00%       0        1                                            ... "
		       "12345 more\n"
		       "  0.00%       0        0  " SPACES_64 SPACES_64 "...\n");
}
END_TEST

START_TEST(no_function_matches)
{
	char first[] = "std::*", second[] = "b\x1b[2J";
	char *const both[] = {first, second, NULL}, *const one[] = {second, NULL};

	check_shown_as(&results, 0, &(struct console_settings){.callers = both, .callees = one},
		       "no function with samples, or that called one, matches "
		       "--callers=std::*,b\\x1b[2J\n"
		       "no function with samples, or that called one, matches "
		       "--callees=b\\x1b[2J\n");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("console");
	TCase *tcase = tcase_create("console");

	tcase_add_test(tcase, of_several_events);
	tcase_add_test(tcase, cut);
	tcase_add_test(tcase, of_wide_characters);
	tcase_add_test(tcase, of_nothing);
	tcase_add_test(tcase, that_cannot_be_written);
	tcase_add_test(tcase, of_many_silent_events);
	tcase_add_test(tcase, of_a_dummy_event);
	tcase_add_test(tcase, without_functions_that_only_called);
	tcase_add_test(tcase, of_a_clock);
	tcase_add_test(tcase, of_a_part);
	tcase_add_test(tcase, of_a_window);
	tcase_add_test(tcase, of_a_window_with_a_long_name);
	tcase_add_test(tcase, with_call_chains);
	tcase_add_test(tcase, callers_of_functions);
	tcase_add_test(tcase, the_first_trees_alone);
	tcase_add_test(tcase, callers_and_callees);
	tcase_add_test(tcase, no_function_matches);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
