/* Directory recordings: which files belong to one, in which order, and what may be wrong with it.
 */
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NR_STREAMS = 12 }; /* data.9 and data.10 among them */

static const struct mkperf_event event = {
	.type = PERF_TYPE_SOFTWARE,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
	.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
};

/* Sample @i lies in stream @i % NR_STREAMS + 1; those of one time come in the streams' order. */
static struct scratch_path make_recording(const struct mkperf_options *options, bool same_time)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = mkperf_new(options);

	mkperf_event(m, &event);
	mkperf_comm(m, NULL, 0, 1, 1, "first");
	for (unsigned i = 0; i < 10 * NR_STREAMS; i++) {
		mkperf_stream(m, 1 + i % NR_STREAMS);
		mkperf_sample(m, &(struct mkperf_sample){
					 .ip = i, .time = 1000 + (same_time ? i / NR_STREAMS : i)});
	}
	ck_assert(mkperf_save_directory(m, path.text));
	mkperf_free(m);
	return dir;
}

static struct perffile *open_recording(const char *dir)
{
	struct error err = {0};
	struct perffile *file = perffile_open(scratch_join(dir, "perf.data").text, &err);

	ck_assert_msg(file, "%s", err.text);
	return file;
}

/* _i: bit 0 the byte order, bit 1 compressed, bit 2 samples of one time. */
START_TEST(streams_are_merged_by_time)
{
	struct mkperf_options options = {.swap = _i & 1};
	struct scratch_path dir;
	struct perffile *file;

	options.packing.type = _i & 2 ? MKPERF_RECORD_COMPRESSED2 : 0;
	options.packing.flush = 50;
	dir = make_recording(&options, _i & 4);
	file = open_recording(dir.text);
	ck_assert_str_eq(recording_next(file)->comm.comm, "first");
	for (unsigned i = 0; i < 10 * NR_STREAMS; i++)
		ck_assert_uint_eq(recording_next(file)->sample.ip, i);
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->late, 0);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	ck_assert_uint_eq(perffile_bytes_read(file), perffile_bytes_total(file));
	perffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* What else lies there, and streams with nothing in them. */
START_TEST(other_files)
{
	struct scratch_path dir = make_recording(NULL, false);
	struct scratch_path rec = scratch_join(dir.text, "perf.data");
	struct perffile *file;

	scratch_write(rec.text, "data.99", "");
	scratch_write(rec.text, "notes", "not a stream");
	ck_assert_int_eq(mkdir(scratch_join(rec.text, "kcore_dir").text, 0700), 0);
	file = open_recording(dir.text);
	ck_assert_uint_eq(recording_drain(file), 1 + 10 * NR_STREAMS);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	perffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* A stream that is cut off loses its own end only. */
START_TEST(cut_stream)
{
	struct scratch_path dir = make_recording(NULL, false);
	struct scratch_path rec = scratch_join(dir.text, "perf.data");
	struct perffile *file;

	ck_assert_int_eq(truncate(scratch_join(rec.text, "data.3").text, 10 * 24 - 5), 0);
	file = open_recording(dir.text);
	ck_assert_uint_eq(recording_drain(file), 10 * NR_STREAMS);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 19);
	ck_assert_uint_eq(perffile_counts(file)->truncated_offset, 9 * 24);
	perffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* perf record makes all files from data.0 on: a number that is skipped was lost. */
START_TEST(missing_streams)
{
	struct scratch_path dir = make_recording(NULL, false);
	struct scratch_path rec = scratch_join(dir.text, "perf.data");
	struct perffile *file = open_recording(dir.text);

	ck_assert_uint_eq(perffile_counts(file)->missing_files, 0);
	perffile_close(file);
	ck_assert_int_eq(unlink(scratch_join(rec.text, "data.3").text), 0);
	ck_assert_int_eq(unlink(scratch_join(rec.text, "data.10").text), 0);
	scratch_write(rec.text, "data.07", "");
	scratch_write(rec.text, "data.old", "");
	file = open_recording(dir.text);
	ck_assert_uint_eq(recording_drain(file), 1 + 10 * (NR_STREAMS - 2));
	ck_assert_uint_eq(perffile_counts(file)->missing_files, 2);
	ck_assert_uint_eq(perffile_counts(file)->missing_file, 3);
	perffile_close(file);
	ck_assert_int_eq(unlink(scratch_join(rec.text, "data.0").text), 0);
	file = open_recording(dir.text);
	ck_assert_uint_eq(perffile_counts(file)->missing_files, 3);
	ck_assert_uint_eq(perffile_counts(file)->missing_file, 0);
	perffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* perf record --kcore: a directory with nothing but data. */
START_TEST(data_alone)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = mkperf_new(NULL);
	struct perffile *file;

	mkperf_event(m, &event);
	mkperf_sample(m, &(struct mkperf_sample){.ip = 7, .time = 5});
	mkperf_round(m);
	ck_assert(mkperf_save_directory(m, path.text));
	mkperf_free(m);
	file = open_recording(dir.text);
	ck_assert_uint_eq(recording_drain(file), 2);
	ck_assert_str_eq(perffile_kcore_dir(file), scratch_join(path.text, "kcore_dir").text);
	perffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* A stream that cannot be waited for. */
START_TEST(stream_is_pipe)
{
	struct scratch_path dir = make_recording(NULL, false);
	struct scratch_path rec = scratch_join(dir.text, "perf.data");
	struct error err = {0};

	ck_assert_int_eq(mkfifo(scratch_join(rec.text, "data.99").text, 0600), 0);
	ck_assert_ptr_null(perffile_open(rec.text, &err));
	ck_assert_int_eq(err.kind, ERROR_UNSUPPORTED);
	ck_assert_msg(strstr(err.text, "/data.99: is a pipe, expected a file"), "%s", err.text);
	scratch_remove(dir.text);
}
END_TEST

static void assert_fails(const char *dir, enum error_kind kind, const char *text)
{
	struct error err = {0};

	ck_assert_ptr_null(perffile_open(dir, &err));
	ck_assert_int_eq(err.kind, kind);
	ck_assert_msg(strstr(err.text, text), "%s", err.text);
}

START_TEST(no_recordings)
{
	struct scratch_path dir = scratch_make();

	assert_fails(dir.text, ERROR_FORMAT,
		     "is a directory, but not a recording: it contains no file named data");
	scratch_write(dir.text, "data.0", "x");
	assert_fails(dir.text, ERROR_FORMAT,
		     "is a directory, but not a recording: it contains no file named data");
	ck_assert_int_eq(symlink("data", scratch_join(dir.text, "data").text), 0);
	assert_fails(dir.text, ERROR_IO,
		     "/data: cannot be opened: Too many levels of symbolic links");
	ck_assert_int_eq(unlink(scratch_join(dir.text, "data").text), 0);
	scratch_write(dir.text, "data", "");
	assert_fails(dir.text, ERROR_FORMAT, "/data: is empty");
	scratch_write(dir.text, "data", "PERFILE1 and some more");
	assert_fails(dir.text, ERROR_FORMAT, "/data: is not a perf.data file");
	scratch_remove(dir.text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("directory");
	TCase *tcase = tcase_create("directory");

	tcase_add_loop_test(tcase, streams_are_merged_by_time, 0, 8);
	tcase_add_test(tcase, other_files);
	tcase_add_test(tcase, cut_stream);
	tcase_add_test(tcase, missing_streams);
	tcase_add_test(tcase, data_alone);
	tcase_add_test(tcase, stream_is_pipe);
	tcase_add_test(tcase, no_recordings);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
