/* When the first and the last sample of a recording were taken: as perf noted, or as they say. */
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

static const struct mkperf_event timed = {
	.type = PERF_TYPE_SOFTWARE,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
	.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
};
static const struct mkperf_event untimed = {
	.type = PERF_TYPE_SOFTWARE,
	.sample_type = PERF_SAMPLE_IP,
	.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
};

static struct mkperf *start(const struct mkperf_options *options, const struct mkperf_event *event)
{
	struct mkperf *m = mkperf_new(options);

	mkperf_event(m, event);
	mkperf_comm(m, NULL, 0, 1, 1, "made up");
	mkperf_comm(m, &(struct mkperf_id){.time = 500}, 0, 1, 1, "before");
	return m;
}

static void note_times(struct mkperf *m, uint64_t first, uint64_t last)
{
	mkperf_feature_begin(m, MKPERF_SAMPLE_TIME);
	mkperf_u64(m, first);
	mkperf_u64(m, last);
	mkperf_feature_end(m);
}

/* Samples at 1000 to 5000, in another order than that of time, and a record after them. */
static void add_samples(struct mkperf *m)
{
	static const uint64_t times[] = {3000, 1000, 5000, 2000};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		mkperf_sample(m, &(struct mkperf_sample){.time = times[i]});
	mkperf_comm(m, &(struct mkperf_id){.time = 9000}, 0, 1, 1, "after");
}

/* The recording itself is still to be read, from its start. */
static void check_unread(struct perffile *file)
{
	const struct record *rec;

	do
		rec = recording_next(file);
	while (rec && rec->type != RECORD_COMM);
	ck_assert_ptr_nonnull(rec);
	ck_assert_str_eq(rec->comm.comm, "made up");
}

/* Returns what perffile_sample_times() does, and closes @file. */
static int find(struct perffile *file, bool last, struct sample_times *times)
{
	const struct times_search search = {.last = last};
	struct error err = {0};
	const int rc = perffile_sample_times(file, &search, times, &err);

	ck_assert_msg(rc >= 0, "%s", err.text);
	check_unread(file);
	perffile_close(file);
	return rc;
}

static void check_both(struct perffile *file, uint64_t first, uint64_t last)
{
	struct sample_times times;

	ck_assert_int_eq(find(file, true, &times), 1);
	ck_assert_uint_eq(times.first, first);
	ck_assert_uint_eq(times.last, last);
}

/* _i: the byte order. */
START_TEST(perf_has_noted_them)
{
	struct mkperf *m = start(&(struct mkperf_options){.swap = _i}, &timed);

	add_samples(m);
	note_times(m, 1001, 4999); /* so that it shows where they come from */
	check_both(recording_open(m), 1001, 4999);
}
END_TEST

START_TEST(what_perf_noted_cannot_be)
{
	static const uint64_t noted[][2] = {{0, 0},
					    {0, 5000},
					    {5000, 1000},
					    {1000, (uint64_t)UINT32_MAX << 32},
					    {UINT64_MAX, UINT64_MAX}};
	struct mkperf *m = start(NULL, &timed);

	add_samples(m);
	note_times(m, noted[_i][0], noted[_i][1]);
	check_both(recording_open(m), 1000, 5000);
}
END_TEST

START_TEST(what_perf_noted_is_cut_off)
{
	struct mkperf *m = start(NULL, &timed);

	add_samples(m);
	mkperf_feature_begin(m, MKPERF_SAMPLE_TIME);
	mkperf_u64(m, 1001);
	mkperf_feature_end(m);
	check_both(recording_open(m), 1000, 5000);
}
END_TEST

/* _i: bit 0 the byte order, bit 1 as of a pipe, bit 2 compressed, bit 3 left unfinished. */
START_TEST(nothing_is_noted)
{
	struct mkperf_options options = {.swap = _i & 1, .pipe = _i & 2, .unfinished = _i & 8};
	struct mkperf *m;

	options.packing.type = _i & 4 ? MKPERF_RECORD_COMPRESSED : 0;
	m = start(&options, &timed);
	add_samples(m);
	check_both(recording_open(m), 1000, 5000);
}
END_TEST

START_TEST(the_first_one_alone)
{
	struct mkperf *m = start(NULL, &timed);
	struct sample_times times;

	add_samples(m);
	ck_assert_int_eq(find(recording_open(m), false, &times), 1);
	ck_assert_uint_eq(times.first, 1000);
}
END_TEST

START_TEST(files_of_a_directory)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = start(NULL, &timed);
	struct error err = {0};

	for (unsigned i = 1; i <= 3; i++) {
		mkperf_stream(m, i);
		mkperf_sample(m, &(struct mkperf_sample){.time = 1000 * (5 - i)});
	}
	ck_assert(mkperf_save_directory(m, path.text));
	mkperf_free(m);
	check_both(perffile_open(path.text, &err), 2000, 4000);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(a_file_that_is_packed_as_a_whole)
{
	struct mkperf *m = start(NULL, &timed);
	struct error err = {0};
	size_t len, packed_len;
	const uint8_t *bytes;
	uint8_t *packed;

	add_samples(m);
	bytes = mkperf_finish(m, &len);
	packed = mkperf_wrap(MKPERF_GZIP, bytes, len, &packed_len);
	ck_assert_ptr_nonnull(packed);
	check_both(recording_open_bytes(packed, packed_len, &err), 1000, 5000);
	free(packed);
	mkperf_free(m);
}
END_TEST

/* What comes before the place where a recording was cut off counts. */
START_TEST(a_file_that_is_cut_off)
{
	struct mkperf *m = start(NULL, &timed);
	struct error err = {0};
	const uint8_t *bytes;
	uint64_t cut;
	size_t len;

	mkperf_sample(m, &(struct mkperf_sample){.time = 1000});
	mkperf_sample(m, &(struct mkperf_sample){.time = 2000});
	cut = mkperf_offset(m) + 4;
	mkperf_sample(m, &(struct mkperf_sample){.time = 3000});
	bytes = mkperf_finish(m, &len);
	check_both(recording_open_bytes(bytes, (size_t)cut, &err), 1000, 2000);
	mkperf_free(m);
}
END_TEST

START_TEST(no_samples)
{
	struct mkperf *m = start(NULL, &timed);

	mkperf_comm(m, &(struct mkperf_id){.time = 9000}, 0, 1, 1, "after");
	check_both(recording_open(m), 500, 9000);
}
END_TEST

START_TEST(no_times)
{
	struct mkperf *m = start(NULL, &untimed);
	struct sample_times times;

	add_samples(m);
	ck_assert_int_eq(find(recording_open(m), true, &times), 0);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("sampletimes");
	TCase *tc = tcase_create("sampletimes");

	tcase_add_loop_test(tc, perf_has_noted_them, 0, 2);
	tcase_add_loop_test(tc, what_perf_noted_cannot_be, 0, 5);
	tcase_add_test(tc, what_perf_noted_is_cut_off);
	tcase_add_loop_test(tc, nothing_is_noted, 0, 16);
	tcase_add_test(tc, the_first_one_alone);
	tcase_add_test(tc, files_of_a_directory);
	tcase_add_test(tc, a_file_that_is_packed_as_a_whole);
	tcase_add_test(tc, a_file_that_is_cut_off);
	tcase_add_test(tc, no_samples);
	tcase_add_test(tc, no_times);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
