/* The window: what the last seconds of a recording counted. */
#include "decode/count/recentcount.h"
#include "decode/count/splitcount.h"

#include "decode/replay.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the slices ------------------------------------------------------------------------------ */

static struct recentcount window;

static void count(uint64_t time, uint32_t kind, uint32_t number, uint64_t period)
{
	ck_assert(recentcount_count(&window, time,
				    &(struct recentcount_count){kind, number, 0, {1, period}}));
}

/* What number @number of @kind counted in the whole window. */
static void check_sum(uint32_t kind, uint32_t number, uint64_t samples, uint64_t period)
{
	struct recentcount_counts sum = {0};
	struct tally found = {0};

	ck_assert(recentcount_sum(&window, &sum));
	for (size_t i = 0; i < sum.index.nr; i++) {
		if (sum.list[i].kind == kind && sum.list[i].number == number) {
			ck_assert_uint_eq(found.samples, 0);
			found = sum.list[i].tally;
		}
	}
	recentcount_counts_free(&sum);
	ck_assert_uint_eq(found.samples, samples);
	ck_assert_uint_eq(found.period, period);
}

/* A window of 1000 ns: slices of 10. */
START_TEST(slices_leave_one_by_one)
{
	recentcount_init(&window, 1000);
	count(100005, RECENT_ADDRESS, 1, 1);
	count(100009, RECENT_ADDRESS, 1, 10);
	count(100010, RECENT_ADDRESS, 1, 100);
	count(100010, RECENT_PATH, 1, 1000);
	count(100999, RECENT_ADDRESS, 2, 10000);
	check_sum(RECENT_ADDRESS, 1, 3, 111);
	check_sum(RECENT_PATH, 1, 1, 1000);
	check_sum(RECENT_PATH + 1, 1, 0, 0);
	count(101000, RECENT_ADDRESS, 2, 20000);
	check_sum(RECENT_ADDRESS, 1, 1, 100);
	count(101019, RECENT_LEFT_OUT, 1, 5);
	check_sum(RECENT_ADDRESS, 1, 0, 0);
	check_sum(RECENT_ADDRESS, 2, 2, 30000);
	check_sum(RECENT_LEFT_OUT, 1, 1, 5);
	recentcount_free(&window);
}
END_TEST

START_TEST(late_samples_count_where_they_belong)
{
	recentcount_init(&window, 1000);
	count(100500, RECENT_ADDRESS, 1, 1);
	count(99515, RECENT_ADDRESS, 1, 10);
	count(99509, RECENT_ADDRESS, 1, 100); /* too late */
	check_sum(RECENT_ADDRESS, 1, 2, 11);
	count(100510, RECENT_ADDRESS, 1, 1000);
	check_sum(RECENT_ADDRESS, 1, 2, 1001);
	recentcount_free(&window);
}
END_TEST

START_TEST(a_long_pause_empties_it)
{
	recentcount_init(&window, 1001); /* slices of 11 */
	for (uint64_t time = 0; time < 1100; time += 11)
		count(time, RECENT_ADDRESS, (uint32_t)time, 1);
	check_sum(RECENT_ADDRESS, 0, 1, 1);
	count(UINT64_MAX, RECENT_ADDRESS, 5, 7);
	for (uint64_t time = 0; time < 1100; time += 11)
		check_sum(RECENT_ADDRESS, (uint32_t)time, 0, 0);
	check_sum(RECENT_ADDRESS, 5, 1, 7);
	count(0, RECENT_ADDRESS, 5, 7);
	check_sum(RECENT_ADDRESS, 5, 1, 7);
	recentcount_free(&window);
}
END_TEST

START_TEST(what_waits_is_forgotten)
{
	recentcount_init(&window, 1000);
	count(5, RECENT_WAITING, 1, 1);
	count(15, RECENT_WAITING, 1, 1);
	count(15, RECENT_ADDRESS, 1, 1);
	recentcount_forget_waiting(&window);
	count(15, RECENT_WAITING, 1, 4);
	check_sum(RECENT_WAITING, 1, 1, 4);
	check_sum(RECENT_ADDRESS, 1, 1, 1);
	recentcount_free(&window);
}
END_TEST

/* Of one number, each tuple of keys has its own sum, sorted by pair. */
START_TEST(tuples_are_counted_apart)
{
	struct splitcount counts = {0};
	const struct split_counts *of;

	recentcount_init(&window, 1000);
	for (uint32_t i = 0; i < 6; i++)
		ck_assert(recentcount_count(
			&window, 100 * i,
			&(struct recentcount_count){RECENT_ADDRESS, 7 - i % 2, i % 3, {1, 10}}));
	count(100, RECENT_LEFT_OUT, 1, 5);
	count(100, RECENT_PATH, 9, 3);
	ck_assert(splitcount_of_window(&counts, &window));
	ck_assert_uint_eq(counts.nr, 6 + 1);
	ck_assert_uint_eq(counts.nr_kinds, RECENT_PATH + 1);
	of = &counts.kinds[RECENT_ADDRESS];
	ck_assert_uint_eq(of->nr, 6);
	for (uint32_t i = 0; i < 6; i++) {
		ck_assert_uint_eq(of->list[i].pair, (uint64_t)(i / 2) << 32 | (6 + i % 2));
		ck_assert_uint_eq(of->list[i].tally.samples, 1);
		ck_assert_uint_eq(of->list[i].tally.period, 10);
	}
	ck_assert_uint_eq(counts.kinds[RECENT_LEFT_OUT].nr, 0);
	ck_assert_uint_eq(counts.kinds[RECENT_PATH].list[0].tally.period, 3);
	splitcount_free(&counts);
	recentcount_free(&window);
}
END_TEST

/* ---- through the replay ---------------------------------------------------------------------- */

static struct filter filter;
static struct replay_settings settings;
static struct perffile *file;
static struct replay *replay;
static const struct results *results;

static void setup(void)
{
	filter = (struct filter){0};
	settings = (struct replay_settings){
		.filter = &filter,
		.symbols = {.build_id_cache = "/nonexistent", .debug_dir = "/nonexistent"},
	};
	file = NULL;
	replay = NULL;
}

static void teardown(void)
{
	replay_destroy(replay);
	perffile_close(file);
	filter_free(&filter);
}

/* Applies the next @nr samples and all that is before and between them. */
static void apply(size_t nr)
{
	const struct record *rec;
	struct error err = {0};

	while (nr > 0 && (rec = recording_next(file))) {
		ck_assert_int_ge(replay_apply(replay, rec, &err), 0);
		nr -= rec->type == RECORD_SAMPLE;
	}
}

static void start(struct mkperf *m)
{
	file = recording_open(m);
	replay = replay_create(&settings, file, NULL);
	ck_assert_ptr_nonnull(replay);
}

static void finish(void)
{
	struct error err = {0};

	apply(SIZE_MAX);
	results = replay_finish(replay, &err);
	ck_assert_msg(results, "%s", err.text);
}

static void snapshot(void)
{
	struct error err = {0};

	results = replay_snapshot(replay, &err);
	ck_assert_msg(results, "%s", err.text);
}

enum { TYPE = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD };

/* A process for each of two binaries. */
static struct mkperf *new_recording(uint64_t sample_type)
{
	static const char *const binaries[] = {"/opt/none/one", "/opt/none/two"};
	struct mkperf *m = mkperf_new(NULL);

	mkperf_event(m, &(struct mkperf_event){.type = PERF_TYPE_SOFTWARE,
					       .config = PERF_COUNT_SW_CPU_CLOCK,
					       .sample_type = sample_type});
	for (uint32_t pid = 1; pid <= 2; pid++)
		mkperf_mmap2(m, NULL,
			     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
						   .pid = pid,
						   .tid = pid,
						   .start = 0x1000 * pid,
						   .len = 0x1000,
						   .filename = binaries[pid - 1],
						   .prot = 5});
	return m;
}

static void put_sample(struct mkperf *m, uint32_t pid, uint64_t time, uint64_t period)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
						 .pid = pid,
						 .tid = pid,
						 .ip = 0x1000 * pid + time % 16,
						 .time = time,
						 .period = period});
}

static void check_row(size_t number, const char *binary, uint64_t samples, uint64_t period)
{
	const struct function_stat *row = &results->window->functions[number];

	ck_assert_uint_lt(number, results->window->nr_functions);
	ck_assert_str_eq(row->binary, binary);
	ck_assert_uint_eq(row->self.samples, samples);
	ck_assert_uint_eq(row->self.period, period);
	ck_assert_uint_eq(row->children.period, period);
}

static void check_event(struct tally total, struct tally taken)
{
	const struct window_event *event = &results->window->events[0];

	ck_assert_uint_eq(event->total.samples, total.samples);
	ck_assert_uint_eq(event->total.period, total.period);
	ck_assert_uint_eq(event->taken.samples, taken.samples);
	ck_assert_uint_eq(event->taken.period, taken.period);
}

static struct mkperf *one_then_two(uint64_t sample_type)
{
	struct mkperf *m = new_recording(sample_type);

	put_sample(m, 1, 10000, 1);
	put_sample(m, 1, 10100, 10);
	put_sample(m, 2, 10950, 100);
	put_sample(m, 2, 11050, 1000);
	put_sample(m, 2, 12100, 10000);
	return m;
}

START_TEST(the_order_is_that_of_the_window)
{
	settings.window = 1000;
	start(one_then_two(TYPE));
	apply(3);
	snapshot();
	ck_assert_uint_eq(results->window->length, 1000);
	ck_assert_uint_eq(results->window->nr_functions, 2);
	check_row(0, "/opt/none/two", 1, 100);
	check_row(1, "/opt/none/one", 2, 11);
	apply(1);
	snapshot();
	check_row(0, "/opt/none/two", 2, 1100);
	check_row(1, "/opt/none/one", 1, 10);
	check_event((struct tally){3, 1110}, (struct tally){3, 1110});
	finish();
	ck_assert_uint_eq(results->window->nr_functions, 1);
	check_row(0, "/opt/none/two", 1, 10000);
	check_event((struct tally){1, 10000}, (struct tally){1, 10000});
	/* The rows of all are what they always were. */
	ck_assert_uint_eq(results->nr_functions, 2);
	ck_assert_uint_eq(results->functions[0].self.period, 11100);
	ck_assert_uint_eq(results->functions[1].self.period, 11);
	ck_assert(!results->window_untimed);
}
END_TEST

/* Time goes on with samples that are left out. */
START_TEST(filters_narrow_it)
{
	settings.window = 1000;
	ck_assert_int_eq(filter_add(&filter, "pid", "1", NULL), 0);
	start(one_then_two(TYPE));
	apply(4);
	snapshot();
	ck_assert_uint_eq(results->window->nr_functions, 1);
	check_row(0, "/opt/none/one", 1, 10);
	check_event((struct tally){1, 10}, (struct tally){3, 1110});
	finish();
	ck_assert_uint_eq(results->window->nr_functions, 0);
	check_event((struct tally){0, 0}, (struct tally){1, 10000});
	ck_assert_uint_eq(results->events[0].total.period, 11);
}
END_TEST

START_TEST(without_times_there_is_none)
{
	settings.window = 1000;
	start(one_then_two(TYPE & ~PERF_SAMPLE_TIME));
	finish();
	ck_assert_ptr_null(results->window);
	ck_assert(results->window_untimed);
	ck_assert_uint_eq(results->events[0].total.samples, 5);
}
END_TEST

/* A sample whose user part never came counts on what is known of its path, once. */
START_TEST(what_still_waits_has_a_path)
{
	const uint64_t user_deferred = (uint64_t)-640, cookie = 77;
	const uint64_t ips[] = {PERF_CONTEXT_KERNEL, 0xffffffff81000000, user_deferred, cookie};
	struct mkperf *m = new_recording(TYPE | PERF_SAMPLE_CALLCHAIN);

	settings.window = 1000;
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_KERNEL,
						 .pid = 1,
						 .tid = 1,
						 .ip = ips[1],
						 .time = 10000,
						 .period = 5,
						 .ips = ips,
						 .nr_ips = 4});
	start(m);
	finish();
	check_row(0, "[unmapped]", 1, 5);
	finish();
	check_row(0, "[unmapped]", 1, 5);
}
END_TEST

START_TEST(nobody_asked_for_it)
{
	start(one_then_two(TYPE));
	finish();
	ck_assert_ptr_null(results->window);
	ck_assert(!results->window_untimed);
}
END_TEST

/* ---- what it should be ----------------------------------------------------------------------- */

/* Opens a real recording with call chains. @paths_max: as in struct replay_settings. */
static void start_demo(size_t paths_max)
{
	struct error err = {0};

	settings.stacks.paths_max = paths_max;
	file = perffile_open("data/demo-callgraph.data", &err);
	ck_assert_msg(file, "%s", err.text);
	replay = replay_create(&settings, file, &err);
	ck_assert_msg(replay, "%s", err.text);
}

/* The time of the recording's last sample; the time where a window of @length begins. */
static uint64_t start_of_window(uint64_t length, uint64_t *last)
{
	const uint64_t slice = (length - 1) / RECENT_SLICES + 1;
	const struct record *rec;

	start_demo(0);
	while ((rec = recording_next(file))) {
		if (rec->type == RECORD_SAMPLE && rec->time > *last)
			*last = rec->time;
	}
	teardown();
	setup();
	return (*last / slice - (RECENT_SLICES - 1)) * slice;
}

static void copy_rows(struct function_stat *to, size_t max, size_t *nr,
		      const struct function_stat *rows, size_t nr_rows)
{
	*nr = 0;
	for (size_t i = 0; i < nr_rows; i++) {
		if (!rows[i].self.samples)
			continue;
		ck_assert_uint_lt(*nr, max);
		to[*nr] = rows[i];
		to[*nr].binary = strdup(rows[i].binary);
		++*nr;
	}
}

static const struct {
	uint64_t length; /* ns */
	size_t paths_max;
} lengths[] = {{1000000, 0}, {50000000, 0}, {50000000, 2}, {200000000, 3}, {1000000000, 2}};

/* The window has the rows, with their callees, that --time makes of the same time. */
START_TEST(it_is_what_the_filter_of_time_leaves)
{
	enum { ROWS_MAX = 64 };
	struct function_stat expected[ROWS_MAX], found[ROWS_MAX];
	size_t nr_expected, nr_found;
	const uint64_t length = lengths[_i].length;
	uint64_t last = 0, from = start_of_window(length, &last);
	char time[64];

	ck_assert_uint_lt(from, last);
	snprintf(time, sizeof(time), "%llu,", (unsigned long long)from);
	ck_assert_int_eq(filter_add(&filter, "time", time, NULL), 0);
	start_demo(0);
	finish();
	copy_rows(expected, ROWS_MAX, &nr_expected, results->functions, results->nr_functions);
	teardown();
	setup();
	settings.window = length;
	start_demo(lengths[_i].paths_max);
	apply(100);
	snapshot(); /* which changes nothing */
	finish();
	copy_rows(found, ROWS_MAX, &nr_found, results->window->functions,
		  results->window->nr_functions);
	ck_assert_uint_gt(nr_found, 0);
	ck_assert_uint_eq(nr_found, nr_expected);
	for (size_t i = 0; i < nr_found; i++) {
		ck_assert_str_eq(found[i].binary, expected[i].binary);
		ck_assert_uint_eq(found[i].self.samples, expected[i].self.samples);
		ck_assert_uint_eq(found[i].self.period, expected[i].self.period);
		ck_assert_uint_eq(found[i].children.samples, expected[i].children.samples);
		ck_assert_uint_eq(found[i].children.period, expected[i].children.period);
		free((char *)found[i].binary);
		free((char *)expected[i].binary);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("window");
	TCase *tc = tcase_create("window");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, slices_leave_one_by_one);
	tcase_add_test(tc, late_samples_count_where_they_belong);
	tcase_add_test(tc, a_long_pause_empties_it);
	tcase_add_test(tc, what_waits_is_forgotten);
	tcase_add_test(tc, tuples_are_counted_apart);
	tcase_add_test(tc, the_order_is_that_of_the_window);
	tcase_add_test(tc, filters_narrow_it);
	tcase_add_test(tc, without_times_there_is_none);
	tcase_add_test(tc, what_still_waits_has_a_path);
	tcase_add_test(tc, nobody_asked_for_it);
	tcase_add_loop_test(tc, it_is_what_the_filter_of_time_leaves, 0,
			    sizeof(lengths) / sizeof(lengths[0]));
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
