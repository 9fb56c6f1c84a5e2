/* Values of a comparison as people read them. */
#include "report/valuetext.h"

#include "tests/support/suite.h"

#include <check.h>
#include <math.h>

static const struct valuetext_kind time_of_run = {MEASURE_PERIOD, true};
static const struct valuetext_kind count = {MEASURE_PERIOD, false};
static const struct valuetext_kind share = {MEASURE_SHARE, true};
static const struct valuetext_kind time_rate = {MEASURE_RATE, true};

static void check_value(struct valuetext_kind kind, double value, const char *expected)
{
	char text[VALUETEXT_MAX];

	valuetext_value(text, kind, value);
	ck_assert_str_eq(text, expected);
}

START_TEST(values)
{
	check_value(time_of_run, 0, "0");
	check_value(time_of_run, 250, "250 ns");
	check_value(time_of_run, 999.4, "999 ns");
	check_value(time_of_run, 999.6, "1 us");
	check_value(time_of_run, 1e6, "1 ms");
	check_value(time_of_run, 93333240, "93.3 ms");
	check_value(time_of_run, 999.6e6, "1 s");
	check_value(time_of_run, 1.2494e9, "1.25 s");
	check_value(time_of_run, 3.6e12, "3600 s");
	check_value(count, 7. / 3, "2.33");
	check_value(count, 1000.75, "1 k");
	check_value(count, 18446744073709551615., "18446744 T");
	check_value(share, 0, "0 %");
	check_value(share, 12.345678, "12.3 %");
	check_value(share, 0.0123, "0.01 %");
	check_value(share, 100, "100 %");
	check_value(time_rate, 508.5e6, "508 ms/s");
	check_value(count, 1e300, "1.00e+288 T");
}
END_TEST

static void check_change(double old_value, double new_value, const char *expected)
{
	char text[VALUETEXT_MAX];

	valuetext_change(text, old_value, new_value);
	ck_assert_str_eq(text, expected);
}

START_TEST(changes)
{
	check_change(193, 1, "-99 %");
	check_change(193, 0, "-100 %");
	check_change(1e6, 1, "-99.9 %"); /* something is left */
	check_change(100, 100, "0 %");
	check_change(100, 99.99, "0 %");
	check_change(100, 103.2, "+3.2 %");
	check_change(100, 118, "+18 %");
	check_change(100, 199, "+99 %");
	check_change(100, 210, "x 2.1");
	check_change(1, 190, "x 190");
	check_change(1, 1e12, "x 1.0e+12");
	check_change(0, 5, "new");
	check_change(0, 0, "0 %");
}
END_TEST

static void check_interval(struct valuetext_kind kind, double low, double high,
			   const char *expected)
{
	char text[VALUETEXT_MAX];

	valuetext_interval(text, kind, low, high);
	ck_assert_str_eq(text, expected);
}

START_TEST(intervals)
{
	check_interval(time_of_run, -210e6, -174.6e6, "-210 to -175 ms");
	check_interval(time_of_run, -0.5e6, 1.5e9, "0 to +1.5 s");
	check_interval(share, 1.2, 3.4, "+1.2 to +3.4 points");
	check_interval(time_rate, -1e9, 0, "-1 to 0 s/s");
	check_interval(count, -INFINITY, 3, "unknown");
}
END_TEST

static void check_total(struct diff diff, struct diff_event event, const char *expected)
{
	char text[VALUETEXT_TOTAL_MAX];

	valuetext_total(text, &diff, &event);
	ck_assert_str_eq(text, expected);
}

START_TEST(totals)
{
	struct diff diff = {.measure = MEASURE_PERIOD, .nr_runs = 10, .nr_old = 5};
	struct diff_event event = {.is_time = true,
				   .change = {.old_value = 1.2494e9,
					      .new_value = 1.0193e9,
					      .percent = -18.42,
					      .low = -24.2,
					      .high = -12.1,
					      .verdict = VERDICT_LESS}};

	check_total(
		diff, event,
		"Total per run: 1.249 s -> 1.019 s, -18.4 % (-24 to -12 %), 5 and 5 runs: faster");
	event.change.low = -18.6;
	event.change.high = -18.1;
	check_total(diff, event,
		    "Total per run: 1.249 s -> 1.019 s, -18.4 % (-18.6 to -18.1 %), 5 and 5 runs: "
		    "faster");
	event.change.low = -24.2;
	event.change.high = -12.1;
	diff.measure = MEASURE_SHARE; /* a total of shares is no news */
	check_total(diff, event,
		    "Total per run: 1.249 s -> 1.019 s, -18.4 % (-24 to -12 %), 5 and 5 runs");
	diff.measure = MEASURE_RATE;
	event.change.per_second = true;
	check_total(
		diff, event,
		"Total per second: 1.249 s/s -> 1.019 s/s, -18.4 % (-24 to -12 %), 5 and 5 runs: "
		"lower");
	diff = (struct diff){.measure = MEASURE_PERIOD, .nr_runs = 2, .nr_old = 1};
	event = (struct diff_event){.change = {.old_value = 0,
					       .new_value = 5000,
					       .percent = INFINITY,
					       .low = -INFINITY,
					       .high = INFINITY,
					       .expected = 14.43}};
	check_total(diff, event,
		    "Total per run: 0 -> 5 k, new (+- 14 %: one run a side cannot tell)");
	event.change.new_value = 0;
	check_total(diff, event,
		    "Total per run: 0 -> 0, 0 % (+- 14 %: one run a side cannot tell)");
}
END_TEST

/* An interval that is too wide to be shown takes nothing from the verdict. */
START_TEST(totals_without_interval)
{
	struct diff diff = {.measure = MEASURE_PERIOD, .nr_runs = 4, .nr_old = 2};
	struct diff_event event = {.change = {.old_value = 2,
					      .new_value = 2e15,
					      .percent = 1e17,
					      .low = 9.8e16,
					      .high = 1.02e17,
					      .verdict = VERDICT_MORE}};

	check_total(diff, event, "Total per run: 2 -> 2000 T, x 1.0e+15, 2 and 2 runs: slower");
	event.change = (struct total_change){.old_value = 2,
					     .new_value = 2.1,
					     .percent = 5,
					     .low = -INFINITY,
					     .high = INFINITY,
					     .verdict = VERDICT_UNSURE};
	diff.nr_runs = 3;
	check_total(diff, event, "Total per run: 2 -> 2.1, +5.0 %, 2 and 1 run: unsure");
	diff.measure = MEASURE_SHARE;
	check_total(diff, event, "Total per run: 2 -> 2.1, +5.0 %, 2 and 1 run");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("valuetext");
	TCase *tcase = tcase_create("valuetext");

	tcase_add_test(tcase, values);
	tcase_add_test(tcase, changes);
	tcase_add_test(tcase, intervals);
	tcase_add_test(tcase, totals);
	tcase_add_test(tcase, totals_without_interval);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
