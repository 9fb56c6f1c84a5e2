/* Slices of time: what they hold, how they are joined, and the noise of rows from them. */
#include "decode/count/timeslice.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct time_slices slices;
static struct address_table addresses;
static const struct event event = {.number = 0};

static void setup(void)
{
	memset(&slices, 0, sizeof(slices));
	memset(&addresses, 0, sizeof(addresses));
}

static void teardown(void)
{
	time_slices_free(&slices);
	address_table_free(&addresses);
}

/* A sample at @time, in ms. */
static void count(double time, uint64_t place, uint64_t period)
{
	ck_assert(time_slices_sample(&slices, &addresses, true, (uint64_t)(time * 1048576)));
	ck_assert(address_add(&addresses, 0, 0, place, period));
}

static void finish(void)
{
	ck_assert(time_slices_finish(&slices, &addresses));
}

/* The slice @number as "ADDRESS:PERIOD ..." */
static const char *text(size_t number)
{
	static char out[200];
	const struct time_slice *slice = &slices.list[number];

	out[0] = 0;
	for (size_t i = 0; i < slice->nr; i++)
		sprintf(out + strlen(out), "%s%u:%g", i ? " " : "", slice->counts[i].number,
			(double)slice->counts[i].period);
	return out;
}

/* A slice ends a millisecond after its first sample; one that would be empty is none. */
START_TEST(slices_follow_time)
{
	count(10, 7, 1);
	count(10.5, 7, 2);
	count(10.9, 8, 4);
	count(11, 7, 8);
	count(10.7, 8, 16); /* late: it counts where it comes */
	count(500, 9, 32);
	count(500.5, 7, 64);
	finish();
	ck_assert_uint_eq(slices.nr, 3);
	ck_assert_str_eq(text(0), "0:3 1:4");
	ck_assert_str_eq(text(1), "0:8 1:16");
	ck_assert_str_eq(text(2), "0:64 2:32");
}
END_TEST

START_TEST(no_samples_no_slices)
{
	finish();
	ck_assert_uint_eq(slices.nr, 0);
}
END_TEST

/* The 128th slice makes 64 of twice the length, which hold the same. */
START_TEST(too_many_blocks_are_joined)
{
	for (int i = 0; i < 127; i++)
		count(i, i % 2 ? 5 : 6, 1);
	count(127, 5, 100);
	ck_assert_uint_eq(slices.nr, 127);
	count(128, 9, 1);
	ck_assert_uint_eq(slices.nr, 64);
	count(129.5, 9, 1);
	count(130, 9, 5);
	finish();
	ck_assert_uint_eq(slices.nr, 66);
	ck_assert_str_eq(text(0), "0:1 1:1");
	ck_assert_str_eq(text(63), "0:1 1:100");
	ck_assert_str_eq(text(64), "2:2");
	ck_assert_str_eq(text(65), "2:5");
}
END_TEST

/* However long the recording, 64 to 127 slices, and no sample is lost. */
START_TEST(slices_stay_few)
{
	double sum = 0;

	for (int i = 0; i < 50000; i++)
		count(i * 0.7, (uint64_t)i % 10, 1);
	finish();
	ck_assert_uint_ge(slices.nr, 64);
	ck_assert_uint_lt(slices.nr, 128);
	for (size_t i = 0; i < slices.nr; i++)
		for (size_t j = 0; j < slices.list[i].nr; j++)
			sum += (double)slices.list[i].counts[j].period;
	ck_assert_double_eq(sum, 50000);
}
END_TEST

/* Where memory is short, 32 slices must do. */
START_TEST(slices_are_joined_for_want_of_memory)
{
	slices.most = 100;
	for (int i = 0; i < 120; i++)
		for (uint64_t place = 0; place < 50; place++)
			count(i + 0.01 * (double)place, place, 1);
	finish();
	ck_assert_uint_le(slices.nr, 33);
	ck_assert_uint_ge(slices.nr, 16);
}
END_TEST

/* The end of time is no end of the program. */
START_TEST(times_out_of_bounds)
{
	ck_assert(time_slices_sample(&slices, &addresses, true, 5));
	ck_assert(address_add(&addresses, 0, 0, 1, 1));
	for (int i = 0; i < 3; i++) {
		ck_assert(time_slices_sample(&slices, &addresses, true, UINT64_MAX));
		ck_assert(address_add(&addresses, 0, 0, 1, 1));
	}
	finish();
	ck_assert_uint_ge(slices.nr, 2);
}
END_TEST

/* Without times, each sample takes as long as a slice does at first. */
START_TEST(slices_of_samples_without_times)
{
	for (int i = 0; i < 256; i++) {
		ck_assert(time_slices_sample(&slices, &addresses, false, 0));
		ck_assert(address_add(&addresses, 0, 0, 1, 1));
	}
	finish();
	ck_assert_uint_eq(slices.nr, 64);
	for (size_t i = 0; i < 64; i++)
		ck_assert_str_eq(text(i), "0:4");
}
END_TEST

/* Two functions, in each of 10 slices @counts of the first and 10 less that of the second. */
static struct function_stat noise_of(const int counts[10])
{
	const struct address_rows of_addresses = {.words = (uint32_t[]){1, 0, 1, 1},
						  .list_of = (uint32_t[]){0, 2}};
	struct function_stat rows[2] = {{.event = &event}, {.event = &event}};

	for (int i = 0; i < 10; i++) {
		count(i, 1, 0);
		count(i, 2, 0);
		for (int j = 0; j < 10; j++)
			count(i, j < counts[i] ? 1 : 2, 1);
	}
	finish();
	for (int i = 0; i < 2; i++)
		rows[i].self = rows[i].children = addresses.addresses[i].self;
	for (int i = 0; i < 2; i++)
		rows[i].self.samples -= 10; /* those of period 0 only set the numbers */
	ck_assert(time_slices_noise(&slices, &of_addresses, rows, 2, 1));
	ck_assert_double_eq_tol(rows[0].noise, rows[1].noise, 1e-15); /* two parts of one whole */
	return rows[0];
}

/*
 * 50 of 100 samples, 4 and 6 in turn: 9 differences of 2, so 10 / (2 * 9) * 9 * 4 / 100^2; the
 * plain variance would be 0.5 * 0.5 / 100 = 0.0025.
 */
START_TEST(noise_from_differences)
{
	struct function_stat row = noise_of((const int[]){4, 6, 4, 6, 4, 6, 4, 6, 4, 6});

	ck_assert_double_eq_tol(row.noise, 0.002, 1e-12);
	ck_assert_double_eq_tol(row.noise_df, 2 / (3. / 10 + 1. / 50), 1e-12);
	ck_assert_double_eq_tol(row.children_noise, row.noise, 1e-12);
}
END_TEST

/* A phase counts with its two edges alone: 10 / (2 * 9) * 2 * 100 / 100^2. */
START_TEST(a_phase_is_no_noise)
{
	struct function_stat row = noise_of((const int[]){0, 0, 10, 10, 10, 10, 10, 0, 0, 0});

	ck_assert_double_eq_tol(row.noise, 1. / 90, 1e-12);
}
END_TEST

/* Seven slices tell nothing. */
START_TEST(few_blocks_tell_nothing)
{
	const struct address_rows of_addresses = {.words = (uint32_t[]){1, 0},
						  .list_of = (uint32_t[]){0}};
	struct function_stat row = {.event = &event};

	for (int i = 0; i < 7; i++)
		count(i, 1, 1);
	finish();
	row.self = addresses.addresses[0].self;
	ck_assert(time_slices_noise(&slices, &of_addresses, &row, 1, 1));
	ck_assert_double_eq(row.noise, 0);
	ck_assert_double_eq(row.noise_df, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("timeslice");
	TCase *tcase = tcase_create("slices");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, slices_follow_time);
	tcase_add_test(tcase, no_samples_no_slices);
	tcase_add_test(tcase, too_many_blocks_are_joined);
	tcase_add_test(tcase, slices_stay_few);
	tcase_add_test(tcase, slices_are_joined_for_want_of_memory);
	tcase_add_test(tcase, times_out_of_bounds);
	tcase_add_test(tcase, slices_of_samples_without_times);
	tcase_add_test(tcase, noise_from_differences);
	tcase_add_test(tcase, a_phase_is_no_noise);
	tcase_add_test(tcase, few_blocks_tell_nothing);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
