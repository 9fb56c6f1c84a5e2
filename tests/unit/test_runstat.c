/* What tells a recording from others: its start by either clock, its length, what is lost. */
#include "decode/replay.h"

#include "tests/support/answers.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { SAMPLE_TYPE = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME, IN_2023 = 1700000000 };

#define SECOND UINT64_C(1000000000) /* ns */

/* Two samples 250 ns apart, the first 1000 ns after the recording's clock was read as 5000. */
static struct mkperf *new_recording(uint64_t wall)
{
	struct mkperf *m = mkperf_new(NULL);
	struct mkperf_event event = {.sample_type = SAMPLE_TYPE};

	mkperf_event(m, &event);
	mkperf_sample(m, &(struct mkperf_sample){.time = 6000, .pid = 1, .tid = 1});
	mkperf_sample(m, &(struct mkperf_sample){.time = 6250, .pid = 1, .tid = 1});
	if (!wall)
		return m;
	mkperf_feature_begin(m, MKPERF_CLOCK_DATA);
	mkperf_u32(m, 1);
	mkperf_u32(m, 1);
	mkperf_u64(m, wall);
	mkperf_u64(m, 5000);
	mkperf_feature_end(m);
	return m;
}

/* Checks the row of @m, which is freed and whose file was written IN_2023: "start start_by
 * duration". */
static void check_row(struct mkperf *m, const char *expected)
{
	const struct timespec times[2] = {{.tv_sec = IN_2023}, {.tv_sec = IN_2023}};
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	const struct filter filter = {0};
	struct replay_settings settings = {.filter = &filter};
	const struct record *rec;
	const struct run_stat *row;
	const struct results *results;
	struct perffile *file;
	struct replay *replay;
	struct error err = {0};
	char text[100];

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	ck_assert_int_eq(utimensat(AT_FDCWD, path.text, times, 0), 0);
	file = perffile_open(path.text, &err);
	ck_assert_msg(file, "%s", err.text);
	needs_add(&settings.needs, &runstat_run);
	replay = replay_create(&settings, file, &err);
	while ((rec = recording_next(file)))
		ck_assert_int_eq(replay_apply(replay, rec, &err), 1);
	results = replay_finish(replay, &err);
	ck_assert_msg(results, "%s", err.text);
	ck_assert_uint_eq(ANSWER_NR(results, runstat_run), 1);
	row = ANSWER_ROWS(results, runstat_run, run_stat);
	snprintf(text, sizeof(text), "%" PRIu64 " %s %" PRIu64, row->start, row->start_by,
		 row->duration);
	ck_assert_str_eq(text, expected);
	replay_destroy(replay);
	perffile_close(file);
	scratch_remove(dir.text);
}

START_TEST(starts_by_its_clock)
{
	check_row(new_recording(1600000000 * SECOND), "1600000000000001000 clock 250");
}
END_TEST

START_TEST(starts_before_the_file_was_written)
{
	check_row(new_recording(0), "1699999999999999750 file 250");
}
END_TEST

/* Before 1970, or later than a number can say. */
START_TEST(wall_clock_cannot_be)
{
	check_row(new_recording(UINT64_MAX), "1699999999999999750 file 250");
	check_row(new_recording(INT64_MAX), "1699999999999999750 file 250");
}
END_TEST

/* The hash of a recording's bytes, and none of what is no file. */
START_TEST(hash_of_its_bytes)
{
	struct error err = {0};
	struct perffile *file = perffile_open("data/demo.data", &err);
	uint64_t hash = 0;

	ck_assert_msg(file, "%s", err.text);
	ck_assert_int_eq(perffile_hash(file, &hash, &err), 1);
	ck_assert_uint_eq(hash, 0x31bc3bd06a1dc3ea);
	perffile_close(file);
	file = perffile_open("-", &err);
	ck_assert(!file || perffile_hash(file, &hash, &err) == 0);
	perffile_close(file);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("runstat");
	TCase *tcase = tcase_create("runstat");

	tcase_add_test(tcase, starts_by_its_clock);
	tcase_add_test(tcase, starts_before_the_file_was_written);
	tcase_add_test(tcase, wall_clock_cannot_be);
	tcase_add_test(tcase, hash_of_its_bytes);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
