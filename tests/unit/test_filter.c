/* Filters: what each option's argument means and which records pass. */
#include "decode/replay/filter.h"

#include "tests/support/suite.h"
#include "util/text.h"

#include <check.h>
#include <string.h>

static struct filter filter;
static struct error err;

static void setup(void)
{
	memset(&filter, 0, sizeof(filter));
	memset(&err, 0, sizeof(err));
}

static void teardown(void)
{
	filter_free(&filter);
}

START_TEST(nothing_set_lets_everything_pass)
{
	struct record rec = {0};

	ck_assert(!filter_active(&filter));
	ck_assert(filter_record(&filter, &rec));
	ck_assert(filter_comm(&filter, "x"));
	ck_assert(filter_binary(&filter, "/bin/x"));
	ck_assert(filter_symbol(&filter, "f"));
}
END_TEST

START_TEST(numbers)
{
	struct record rec = {.has = HAS_PID | HAS_CPU, .pid = 12, .cpu = 3};

	ck_assert_int_eq(filter_add(&filter, "pid", "11,12", &err), 0);
	ck_assert(filter_active(&filter));
	ck_assert(filter_record(&filter, &rec));
	rec.pid = 1;
	ck_assert(!filter_record(&filter, &rec));
	rec.pid = 11;
	rec.has = HAS_CPU; /* what is not there does not pass */
	ck_assert(!filter_record(&filter, &rec));
	rec.has = HAS_PID | HAS_CPU;
	ck_assert_int_eq(filter_add(&filter, "cpu", "0", &err), 0);
	ck_assert(!filter_record(&filter, &rec));
	rec.cpu = 0;
	ck_assert(filter_record(&filter, &rec));
}
END_TEST

/* Both ends are in a range. */
START_TEST(ranges)
{
	struct record rec = {.has = HAS_CPU};
	char passed[17] = {0};

	ck_assert_int_eq(filter_add(&filter, "cpu", "2-4,7,9-9", &err), 0);
	ck_assert_int_eq(filter_add(&filter, "cpu", "12-4294967295", &err), 0);
	for (rec.cpu = 0; rec.cpu < 16; rec.cpu++)
		passed[rec.cpu] = filter_record(&filter, &rec) ? 'x' : '.';
	ck_assert_str_eq(passed, "..xxx..x.x..xxxx");
}
END_TEST

START_TEST(minus_one_is_a_number_as_perf_writes_it)
{
	struct record rec = {.has = HAS_PID, .pid = UINT32_MAX};

	ck_assert_int_eq(filter_add(&filter, "pid", "-1", &err), 0);
	ck_assert(filter_record(&filter, &rec));
}
END_TEST

START_TEST(what_is_no_number)
{
	static const char *const bad[] = {"",		"x",	"1x",		"1,",  "-2",
					  "4294967296", " 1",	"1-",		"3-2", "1-2-3",
					  "1--1",	"1- 2", "0-4294967296", "+1"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_int_eq(filter_add(&filter, "tid", bad[i], &err), -1);
		ck_assert_int_eq(err.kind, ERROR_USAGE);
	}
	ck_assert_str_eq(err.text,
			 "option --tid: '+1' is neither a number nor a range such as 0-3");
}
END_TEST

START_TEST(patterns)
{
	ck_assert_int_eq(filter_add(&filter, "comm", "make,cc*", &err), 0);
	ck_assert(filter_comm(&filter, "make"));
	ck_assert(filter_comm(&filter, "cc1plus"));
	ck_assert(!filter_comm(&filter, "xcc"));
	ck_assert_int_eq(filter_add(&filter, "comm", "sh", &err), 0); /* given twice: either */
	ck_assert(filter_comm(&filter, "sh"));
	ck_assert(filter_comm(&filter, "make"));
}
END_TEST

/* A name that is not UTF-8 may be written as tables show it, or as it is. */
START_TEST(names_as_tables_show_them)
{
	ck_assert_int_eq(filter_add(&filter, "comm", "\xd0\xbe" TEXT_REPLACEMENT ",b\xff", &err),
			 0);
	ck_assert(filter_comm(&filter, "\xd0\xbe\xd1"));
	ck_assert(filter_comm(&filter, "\xd0\xbe" TEXT_REPLACEMENT));
	ck_assert(filter_comm(&filter, "b\xff"));
	ck_assert(!filter_comm(&filter, "\xd0\xbe"));
	ck_assert(!filter_comm(&filter, "b\xd0\xbe"));
}
END_TEST

START_TEST(binaries_by_path_or_base_name)
{
	ck_assert_int_eq(filter_add(&filter, "binary", "libc.so*,/opt/a", &err), 0);
	ck_assert(filter_binary(&filter, "/usr/lib/libc.so.6"));
	ck_assert(filter_binary(&filter, "/opt/a"));
	ck_assert(!filter_binary(&filter, "/opt/a/b"));
	ck_assert_int_eq(filter_add(&filter, "binary", "[kernel.kallsyms]", &err), 0);
	ck_assert(filter_binary(&filter, "[kernel.kallsyms]")); /* no pattern: brackets and all */
}
END_TEST

START_TEST(a_comma_inside_brackets_belongs_to_the_name)
{
	ck_assert_int_eq(filter_add(&filter, "symbol", "f(int, char),map<int, char>::at,g", &err),
			 0);
	ck_assert(filter_symbol(&filter, "f(int, char)"));
	ck_assert(filter_symbol(&filter, "map<int, char>::at"));
	ck_assert(filter_symbol(&filter, "g"));
	ck_assert(!filter_symbol(&filter, "f(int"));
}
END_TEST

/* As fnmatch(3) reads it, a backslash takes the next character as it is. */
START_TEST(functions_without_their_versions)
{
	ck_assert_int_eq(filter_add(&filter, "symbol", "pow,mem*,exact@@V1", &err), 0);
	ck_assert(filter_symbol(&filter, "pow@@GLIBC_2.29"));
	ck_assert(filter_symbol(&filter, "pow"));
	ck_assert(filter_symbol(&filter, "memcpy@GLIBC_2.2.5"));
	ck_assert(filter_symbol(&filter, "exact@@V1"));
	ck_assert(!filter_symbol(&filter, "exact@@V2"));
	ck_assert(!filter_symbol(&filter, "pow@plt"));
	ck_assert(!filter_symbol(&filter, "powf@@GLIBC_2.27"));
}
END_TEST

START_TEST(a_comma_after_a_backslash_belongs_to_the_name)
{
	ck_assert_int_eq(filter_add(&filter, "comm", "a\\,b,c\\\\,d\\", &err), 0);
	ck_assert(filter_comm(&filter, "a,b"));
	ck_assert(filter_comm(&filter, "c\\"));
	ck_assert(filter_comm(&filter, "d\\"));
	ck_assert(!filter_comm(&filter, "a"));
	ck_assert(!filter_comm(&filter, "b"));
	ck_assert(!filter_comm(&filter, "c\\,d\\"));
	ck_assert_int_eq(filter_add(&filter, "binary", "/p rog\\,x,f\\(a,y", &err), 0);
	ck_assert(filter_binary(&filter, "/p rog,x"));
	ck_assert(filter_binary(&filter, "f(a"));
	ck_assert(filter_binary(&filter, "y"));
}
END_TEST

START_TEST(events)
{
	struct event event = {.name = "cycles:u"};
	struct record rec = {.event = &event};

	ck_assert_int_eq(filter_add(&filter, "event", "cycles*", &err), 0);
	ck_assert(filter_record(&filter, &rec));
	event.name = "faults";
	ck_assert(!filter_record(&filter, &rec));
	rec.event = NULL;
	ck_assert(!filter_record(&filter, &rec));
}
END_TEST

/* A recording that was not closed has no names of events: they are made, with what perf adds. */
START_TEST(events_without_a_recorded_name)
{
	ck_assert_int_eq(filter_add(&filter, "event", "cpu-clock,faults:u", &err), 0);
	ck_assert(filter_event(&filter, "cpu-clock"));
	ck_assert(filter_event(&filter, "cpu-clock:H"));
	ck_assert(filter_event(&filter, "faults:u"));
	ck_assert(!filter_event(&filter, "cpu-clock:G"));
	ck_assert(!filter_event(&filter, "faults:uH"));
	ck_assert(!filter_event(&filter, ":H"));
}
END_TEST

START_TEST(times)
{
	static const struct {
		const char *range;
		uint64_t from, to;
	} good[] = {
		{"5,7", 5, 7},
		{",7", 0, 7},
		{"5,", 5, UINT64_MAX},
		{"1.5,2.25", 1500000000, 2250000000},
		{"0.000000001,0.0000000029", 1, 2},
		{"12.,", 12000000000, UINT64_MAX},
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_int_eq(filter_add(&filter, "time", good[i].range, &err), 0);
		ck_assert_uint_eq(filter.from, good[i].from);
		ck_assert_uint_eq(filter.to, good[i].to);
	}
}
END_TEST

START_TEST(a_time_range_is_half_open)
{
	struct record rec = {.has = HAS_TIME, .time = 5};

	ck_assert_int_eq(filter_add(&filter, "time", "5,7", &err), 0);
	ck_assert(filter_record(&filter, &rec));
	rec.time = 6;
	ck_assert(filter_record(&filter, &rec));
	rec.time = 7;
	ck_assert(!filter_record(&filter, &rec));
	rec.time = 6;
	rec.has = 0;
	ck_assert(!filter_record(&filter, &rec));
}
END_TEST

/* What counts from the first sample, or is a part of all, waits for these. Until then no record is
 * after the start. */
START_TEST(a_time_range_that_waits_for_samples)
{
	struct record rec = {.has = HAS_TIME, .time = UINT64_MAX - 1};

	ck_assert_int_eq(filter_add(&filter, "time", "5,", &err), 0);
	ck_assert(!filter.awaits_times);
	ck_assert_int_eq(filter_add(&filter, "time", "+0.000000001,+0.000000003", &err), 0);
	ck_assert(filter.awaits_times);
	ck_assert(!filter_record(&filter, &rec));
	filter_first(&filter, 1000);
	ck_assert(!filter.awaits_times);
	filter_first(&filter, 2000); /* a later one */
	ck_assert_uint_eq(filter.from, 1001);
	ck_assert_uint_eq(filter.to, 1003);
	ck_assert_int_eq(filter_add(&filter, "time", ",+1", &err), 0);
	ck_assert(filter_record(&filter, &rec));
	ck_assert_int_eq(filter_add(&filter, "time", "10%,20%", &err), 0);
	ck_assert(!filter_record(&filter, &rec));
	filter_place(&filter, &(struct sample_times){1000, 2000});
	ck_assert_uint_eq(filter.from, 1100);
	ck_assert_uint_eq(filter.to, 1200);
}
END_TEST

START_TEST(what_samples_lack)
{
	enum { TIME = 1 << 2, CPU = 1 << 7 }; /* PERF_SAMPLE_... */
	const char *how;

	ck_assert_int_eq(filter_add(&filter, "pid", "1", &err), 0);
	ck_assert_ptr_null(filter_lacks(&filter, 0, &how));
	ck_assert_int_eq(filter_add(&filter, "time", "1,", &err), 0);
	ck_assert_str_eq(filter_lacks(&filter, CPU, &how), "time");
	ck_assert_str_eq(how, "--timestamp");
	ck_assert_ptr_null(filter_lacks(&filter, TIME, &how));
	ck_assert_int_eq(filter_add(&filter, "cpu", "0", &err), 0);
	ck_assert_str_eq(filter_lacks(&filter, TIME, &how), "CPU");
	ck_assert_str_eq(how, "--sample-cpu");
	ck_assert_ptr_null(filter_lacks(&filter, TIME | CPU, &how));
}
END_TEST

START_TEST(what_is_no_time)
{
	static const char *const bad[] = {
		"5", "5,6,7", "a,b", "1.2.3,", "-1,", "99999999999999999999,", "7,5", "5,5", ",0"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_int_eq(filter_add(&filter, "time", bad[i], &err), -1);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("filter");
	TCase *tc = tcase_create("filter");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing_set_lets_everything_pass);
	tcase_add_test(tc, numbers);
	tcase_add_test(tc, ranges);
	tcase_add_test(tc, minus_one_is_a_number_as_perf_writes_it);
	tcase_add_test(tc, what_is_no_number);
	tcase_add_test(tc, patterns);
	tcase_add_test(tc, names_as_tables_show_them);
	tcase_add_test(tc, binaries_by_path_or_base_name);
	tcase_add_test(tc, a_comma_inside_brackets_belongs_to_the_name);
	tcase_add_test(tc, functions_without_their_versions);
	tcase_add_test(tc, a_comma_after_a_backslash_belongs_to_the_name);
	tcase_add_test(tc, events);
	tcase_add_test(tc, events_without_a_recorded_name);
	tcase_add_test(tc, times);
	tcase_add_test(tc, a_time_range_is_half_open);
	tcase_add_test(tc, a_time_range_that_waits_for_samples);
	tcase_add_test(tc, what_samples_lack);
	tcase_add_test(tc, what_is_no_time);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
