/* What --time selects: how it is written, and which times of a recording that is. */
#include "decode/replay/timerange.h"

#include "tests/support/suite.h"

#include <check.h>
#include <string.h>

static struct time_range range;
static struct error err;

static void setup(void)
{
	memset(&range, 0, sizeof(range));
	memset(&err, 0, sizeof(err));
}

/* ---- how it is written ---- */

START_TEST(what_is_a_range)
{
	static const struct {
		const char *text;
		enum time_unit unit;
		bool has_from, has_to;
		uint64_t from, to;
	} good[] = {
		{"5,7", TIME_CLOCK, true, true, 5, 7},
		{"1.5,2000000000", TIME_CLOCK, true, true, 1500000000, 2000000000},
		{",", TIME_CLOCK, false, false, 0, 0},
		{"+1,+2.5", TIME_ELAPSED, true, true, 1000000000, 2500000000},
		{"+.5,", TIME_ELAPSED, true, false, 500000000, 0},
		{",+0.000000001", TIME_ELAPSED, false, true, 0, 1},
		{"+0,+1.", TIME_ELAPSED, true, true, 0, 1000000000},
		{"10%,20%", TIME_PERCENT, true, true, TIME_PERCENT_ALL / 10, TIME_PERCENT_ALL / 5},
		{"0%,100%", TIME_PERCENT, true, true, 0, TIME_PERCENT_ALL},
		{",12.5%", TIME_PERCENT, false, true, 0, TIME_PERCENT_ALL / 8},
		{"99.9999999990%,", TIME_PERCENT, true, false, TIME_PERCENT_ALL - 1, 0},
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_int_eq(timerange_parse(&range, good[i].text, &err), 0);
		ck_assert_int_eq(range.unit, good[i].unit);
		ck_assert_int_eq(range.has_from, good[i].has_from);
		ck_assert_int_eq(range.has_to, good[i].has_to);
		ck_assert_uint_eq(range.from, good[i].from);
		ck_assert_uint_eq(range.to, good[i].to);
	}
}
END_TEST

static void check_refused(const char *text, const char *why)
{
	ck_assert_int_eq(timerange_parse(&range, text, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_msg(strstr(err.text, why), "%s: %s", text, err.text);
}

START_TEST(what_is_none)
{
	static const char *const bad[] = {
		"",	 "5",	  "5,6,7",  "a,b",    "1.2.3,", "-1,", "99999999999999999999,",
		"+,",	 "+.,",	  ",+",	    "+-1,",   "++1,",	"1+,", "+99999999999,",
		"%,",	 ".%,",	  ",%",	    "1%%,",   "-1%,",	"%1,", "0%-10%",
		"10%/2", "+10%,", "+1 ,+2", "1.5.0%,"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_refused(bad[i], "is not FROM,TO in ns of the recording's clock, or in "
				      "seconds with a point (12.5,13.0); in seconds from the first "
				      "sample with a + (+1.5,+2); or in percent of the time from "
				      "the first sample to the last (10%,20%)");
}
END_TEST

START_TEST(two_ways_in_one_range)
{
	static const char *const bad[] = {"1,+2",   "+1,2",   "+1,2.5", "10%,20", "10.0,20%",
					  "10%,+2", "+1,20%", "0,20%",	"+0,0"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_refused(bad[i], "FROM and TO must be written in one way: both by the "
				      "recording's clock, both with a +, or both in percent");
}
END_TEST

START_TEST(ends_in_no_order)
{
	static const char *const bad[] = {"7,5", "5,5",	    ",0",	 "+2,+1", "+1,+1.0",
					  ",+0", "20%,10%", "10%,10.0%", ",0%",	  "100%,100%"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_refused(bad[i], "FROM is not before TO");
	check_refused("100%,", "nothing is after FROM");
}
END_TEST

START_TEST(more_than_all)
{
	static const char *const bad[] = {"101%,", ",100.000000001%", "10%,18446744073%"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_refused(bad[i], "100% is the most");
}
END_TEST

/* ---- which times that is ---- */

static void check_place(const char *text, uint64_t first, uint64_t last, uint64_t from, uint64_t to)
{
	const struct sample_times times = {first, last};
	uint64_t at[2];

	ck_assert_int_eq(timerange_parse(&range, text, &err), 0);
	timerange_place(&range, &times, &at[0], &at[1]);
	ck_assert_uint_eq(at[0], from);
	ck_assert_uint_eq(at[1], to);
}

START_TEST(by_the_clock)
{
	check_place("5,1.5", 1000, 2000, 5, 1500000000);
	check_place("5,", 1000, 2000, 5, UINT64_MAX);
	check_place(",5", 1000, 2000, 0, 5);
}
END_TEST

START_TEST(since_the_first_sample)
{
	check_place("+0,+0.000000007", 1000, 2000, 1000, 1007);
	check_place("+1,", 1000, 2000, 1000001000, UINT64_MAX);
	check_place(",+1", 1000, 2000, 0, 1000001000);
	check_place("+10000000000,+18446744073", UINT64_C(10000000000000000000), 0, UINT64_MAX,
		    UINT64_MAX);
}
END_TEST

START_TEST(parts_of_the_time)
{
	check_place("10%,20%", 1000, 2000, 1100, 1200);
	check_place("0%,50%", 1000, 2001, 0, 1500);
	check_place("50%,100%", 1000, 2001, 1500, UINT64_MAX);
	check_place("90%,", 1000, 2000, 1900, UINT64_MAX);
	check_place(",10%", 1000, 2000, 0, 1100);
	check_place("50%,75%", 1000, 1000, 1000, 1000); /* of no time */
	check_place("50%,99.999999999%", 0, UINT64_MAX, UINT64_MAX / 2, 18446744073525084174U);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("timerange");
	TCase *tc = tcase_create("timerange");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, what_is_a_range);
	tcase_add_test(tc, what_is_none);
	tcase_add_test(tc, two_ways_in_one_range);
	tcase_add_test(tc, ends_in_no_order);
	tcase_add_test(tc, more_than_all);
	tcase_add_test(tc, by_the_clock);
	tcase_add_test(tc, since_the_first_sample);
	tcase_add_test(tc, parts_of_the_time);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
