/* When samples were taken and in which threads: the timeline, and the cells of paths. */
#include "decode/answer/pathcells.h"
#include "tests/support/answers.h"
#include "tests/support/replaying.h"
#include "tests/support/suite.h"

#include <check.h>

enum { IP = 1 << 0, TID = 1 << 1, TIME = 1 << 2, CALLCHAIN = 1 << 5, PERIOD = 1 << 8, USER = 2 };

static struct mkperf *m;
static struct replaying replaying;
static struct filter filter;
static const struct results *results;

static void setup(void)
{
	m = mkperf_new(NULL);
	ck_assert_ptr_nonnull(m);
}

static void teardown(void)
{
	replaying_end(&replaying);
	mkperf_free(m);
}

static void add_event(uint64_t sample_type)
{
	mkperf_event(m, &(struct mkperf_event){.name = "cycles",
					       .type = 1,
					       .sample_type = sample_type,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL});
	mkperf_comm(m, &(struct mkperf_id){.pid = 10, .tid = 10, .time = 1}, 0, 10, 10, "main");
}

static void sample(uint64_t time, uint32_t tid, uint64_t ip, uint64_t period)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = USER,
						 .pid = 10,
						 .tid = tid,
						 .ip = ip,
						 .time = time,
						 .period = period});
}

static void run(void)
{
	static const struct answer *const wanted[] = {&timelinestat_parts, &pathstat_paths,
						      &pathstat_cells, &pathstat_slices,
						      &processstat_thread_lives};
	struct replay_settings settings = {
		.filter = &filter,
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		needs_add(&settings.needs, wanted[i]);
	mkperf_event_desc(m);
	replaying = replaying_begin(m, &settings);
	m = NULL;
	replaying_finish(&replaying);
	results = replaying.results;
}

/* ---- the timeline ---------------------------------------------------------------------------- */

static void check_part(size_t i, uint64_t start, uint64_t length, uint64_t samples)
{
	const struct timeline_part *part =
		&ANSWER_ROWS(results, timelinestat_parts, timeline_part)[i];

	ck_assert_str_eq(part->event->name, "cycles");
	ck_assert_uint_eq(part->start, start);
	ck_assert_uint_eq(part->length, length);
	ck_assert_uint_eq(part->samples, samples);
}

START_TEST(parts_begin_with_the_first_sample)
{
	add_event(IP | TID | TIME | PERIOD);
	sample(1000, 10, 0x1000, 1);
	sample(1000, 10, 0x1000, 1);
	sample(1002, 10, 0x1000, 1);
	run();
	ck_assert_uint_eq(ANSWER_NR(results, timelinestat_parts), 3);
	check_part(0, 1000, 1, 2);
	check_part(1, 1001, 1, 0);
	check_part(2, 1002, 1, 1);
}
END_TEST

/* 1024 parts are not enough for 3000 ns until they are 4 ns long. */
START_TEST(parts_get_longer_with_the_recording)
{
	add_event(IP | TID | TIME | PERIOD);
	sample(1000, 10, 0x1000, 1);
	sample(1003, 10, 0x1000, 1);
	sample(1004, 10, 0x1000, 1);
	sample(4000, 10, 0x1000, 1);
	run();
	ck_assert_uint_eq(ANSWER_NR(results, timelinestat_parts), 751);
	check_part(0, 1000, 4, 2);
	check_part(1, 1004, 4, 1);
	check_part(2, 1008, 4, 0);
	check_part(750, 4000, 4, 1);
}
END_TEST

START_TEST(samples_without_times_are_nowhere)
{
	add_event(IP | TID | PERIOD);
	sample(0, 10, 0x1000, 5);
	run();
	ck_assert_uint_eq(ANSWER_NR(results, timelinestat_parts), 0);
	ck_assert_uint_eq(ANSWER_NR(results, pathstat_cells), 1);
	ck_assert_uint_eq(ANSWER_ROWS(results, pathstat_slices, path_slices)->nr, 0);
	ck_assert_uint_eq(ANSWER_ROWS(results, pathstat_cells, path_cell)->period, 5);
}
END_TEST

/* ---- cells ----------------------------------------------------------------------------------- */

static void check_cell(const struct path_cell *cell, uint32_t path, uint32_t slice,
		       uint32_t samples, uint64_t period)
{
	ck_assert_uint_eq(cell->path, path);
	ck_assert_uint_eq(cell->slice, slice);
	ck_assert_uint_eq(cell->samples, samples);
	ck_assert_uint_eq(cell->period, period);
}

/* Two threads, and slices of 8 ns: 1000 ns are 128 times that or less. */
static void two_threads(void)
{
	sample(1000, 10, 0x1000, 1);
	sample(1007, 10, 0x1000, 2);
	sample(1008, 10, 0x1000, 4);
	sample(1001, 11, 0x1000, 8);
	sample(2000, 10, 0x1000, 16);
	run();
}

static void check_two_threads(void)
{
	const struct path_slices *slices = ANSWER_ROWS(results, pathstat_slices, path_slices);
	const struct path_cell *cells = ANSWER_ROWS(results, pathstat_cells, path_cell);

	ck_assert_uint_eq(slices->start, 1000);
	ck_assert_uint_eq(slices->length, 8);
	ck_assert_uint_eq(slices->nr, 126);
	ck_assert(slices->threads);
	ck_assert_uint_eq(ANSWER_NR(results, pathstat_paths), 1);
	ck_assert_uint_eq(ANSWER_NR(results, pathstat_cells), 4);
	check_cell(&cells[0], 0, 0, 2, 3);
	check_cell(&cells[1], 0, 1, 1, 4);
	check_cell(&cells[2], 0, 125, 1, 16);
	check_cell(&cells[3], 0, 0, 1, 8);
	ck_assert_uint_eq(cells[0].thread, cells[2].thread);
	ck_assert_uint_lt(cells[2].thread, cells[3].thread);
}

START_TEST(cells_of_samples_without_call_chains)
{
	add_event(IP | TID | TIME | PERIOD);
	two_threads();
	check_two_threads();
}
END_TEST

START_TEST(cells_of_samples_with_call_chains)
{
	add_event(IP | TID | TIME | PERIOD | CALLCHAIN);
	two_threads();
	check_two_threads();
}
END_TEST

START_TEST(cells_name_the_threads)
{
	const struct path_cell *cells;
	struct thread_stat thread;
	struct error err;

	add_event(IP | TID | TIME | PERIOD);
	two_threads();
	cells = ANSWER_ROWS(results, pathstat_cells, path_cell);
	ck_assert_int_eq(answer_start(results, &processstat_thread_lives, &err), 0);
	ck_assert_int_eq(answer_next(results, &processstat_thread_lives, &thread, &err), 1);
	ck_assert_int_eq(thread.tid, 10);
	ck_assert_uint_eq(thread.life, cells[0].thread);
	ck_assert_int_eq(answer_next(results, &processstat_thread_lives, &thread, &err), 1);
	ck_assert_int_eq(thread.tid, 11);
	ck_assert_uint_eq(thread.life, cells[3].thread);
}
END_TEST

/* ---- bounds ---------------------------------------------------------------------------------- */

enum { MANY = 3 * SAMPLELOG_BUFFERED + 5, ADDRESSES = 7 };

static uint32_t same_number(void *arg, uint32_t address)
{
	(void)arg;
	return address;
}

/* Adds MANY samples, of ADDRESSES addresses and 3 threads, at times 0, 1, 2, ... */
static void fill_log(struct sample_log *log)
{
	struct error err;

	samplelog_init(log, true);
	for (uint32_t i = 0; i < MANY; i++) {
		const struct logged_sample one = {i, 2, SAMPLELOG_ADDRESS | i % ADDRESSES,
						  1 + i % 3};

		ck_assert_int_eq(samplelog_add(log, &one, i < 10 ? 0 : 2, &err), 0);
	}
}

/* With @max cells at most; the sums are those of all samples. */
static struct path_slices check_bounded(size_t max)
{
	static const struct path_of_address of_address = {same_number, NULL};
	static const uint32_t places[ADDRESSES] = {0, 1, 2, 3, 4, 5, 6};
	struct sample_log log;
	struct path_cells cells;
	struct path_slices slices;
	struct error err;
	uint64_t samples[ADDRESSES] = {0}, periods = 0;

	fill_log(&log);
	pathcells_start(&cells, &log, max);
	for (size_t table = 0; table < 3; table++) {
		ck_assert_int_eq(pathcells_add_table(&cells, table, NULL, &of_address, &err), 0);
		ck_assert_uint_le(cells.nr, max);
	}
	ck_assert(pathcells_end(&cells, places, ADDRESSES));
	for (size_t i = 0; i < cells.nr; i++) {
		samples[cells.list[i].path] += cells.list[i].samples;
		periods += cells.list[i].period;
		ck_assert_uint_lt(cells.list[i].slice, cells.slices.nr);
	}
	for (size_t i = 0; i < ADDRESSES; i++)
		ck_assert_uint_eq(samples[i], MANY / ADDRESSES + (i < MANY % ADDRESSES));
	ck_assert_uint_eq(periods, 2 * (uint64_t)MANY);
	slices = cells.slices;
	pathcells_free(&cells);
	samplelog_free(&log);
	return slices;
}

START_TEST(many_samples_go_through_a_file)
{
	const struct path_slices slices = check_bounded(1 << 20);

	ck_assert_uint_eq(slices.nr, 128);
	ck_assert_uint_eq(slices.length, MANY / 128 + 1);
	ck_assert(slices.threads);
}
END_TEST

/* 7 paths in 3 threads: 21 cells for each slice. */
START_TEST(slices_get_longer_where_cells_are_too_many)
{
	const struct path_slices slices = check_bounded(1000);

	ck_assert_uint_eq(slices.nr, 16);
	ck_assert(slices.threads);
}
END_TEST

START_TEST(threads_are_one_where_that_does_not_help)
{
	const struct path_slices slices = check_bounded(20);

	ck_assert_uint_eq(slices.nr, 1);
	ck_assert(!slices.threads);
}
END_TEST

START_TEST(a_log_knows_which_samples_are_of_which_table)
{
	struct logged_sample read[4];
	struct sample_log log;
	struct error err;
	uint64_t first, end;

	fill_log(&log);
	samplelog_range(&log, 0, &first, &end);
	ck_assert_uint_eq(first, 0);
	ck_assert_uint_eq(end, 10);
	samplelog_range(&log, 1, &first, &end);
	ck_assert_uint_eq(first, end);
	samplelog_range(&log, 2, &first, &end);
	ck_assert_uint_eq(first, 10);
	ck_assert_uint_eq(end, MANY);
	/* Two of them are in the file still. */
	ck_assert_int_eq(samplelog_read(&log, 3 * SAMPLELOG_BUFFERED - 2, 4, read, &err), 0);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(read[i].time, 3 * SAMPLELOG_BUFFERED - 2 + i);
	samplelog_free(&log);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("timeline");
	TCase *tc = tcase_create("timeline");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, parts_begin_with_the_first_sample);
	tcase_add_test(tc, parts_get_longer_with_the_recording);
	tcase_add_test(tc, samples_without_times_are_nowhere);
	tcase_add_test(tc, cells_of_samples_without_call_chains);
	tcase_add_test(tc, cells_of_samples_with_call_chains);
	tcase_add_test(tc, cells_name_the_threads);
	tcase_add_test(tc, many_samples_go_through_a_file);
	tcase_add_test(tc, slices_get_longer_where_cells_are_too_many);
	tcase_add_test(tc, threads_are_one_where_that_does_not_help);
	tcase_add_test(tc, a_log_knows_which_samples_are_of_which_table);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
