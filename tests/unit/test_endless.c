/*
 * Long searches for the next record: each place is looked at, and they can be seen and ended. And
 * an end that comes early.
 */
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	NR_SAMPLES = 5,
	SAMPLE_BYTES = 48,
	TICK_BYTES = 16 << 20,	   /* see perffile_set_tick() */
	NR_ZEROS = 5 * TICK_BYTES, /* a hole in the file */
};

static void put_samples(struct mkperf *m, uint64_t time)
{
	for (uint64_t i = 0; i < NR_SAMPLES; i++)
		mkperf_sample(
			m, &(struct mkperf_sample){.pid = 1, .tid = 1, .ip = 1, .time = time + i});
}

/* Left by a killed recorder: it has no end but the file's. */
static struct mkperf *new_recording(void)
{
	static const uint64_t id = 7;
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.unfinished = true});

	mkperf_event(m, &(struct mkperf_event){.sample_type = 0xc7, /* IP, TID, TIME, ID, CPU */
					       .sample_period = 1,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					       .ids = &id,
					       .nr_ids = 1});
	return m;
}

/* Samples, and a hole up to @size; 0: no hole. */
static void save(const char *path, off_t size)
{
	struct mkperf *m = new_recording();

	put_samples(m, 1000);
	ck_assert(mkperf_save(m, path));
	mkperf_free(m);
	if (size)
		ck_assert_int_eq(truncate(path, size), 0);
}

struct ticks {
	struct perffile *file;
	unsigned nr;
	unsigned stop_at, fail_at; /* the tick that does so; 0: none */
};

static int tick(void *arg, struct error *err)
{
	struct ticks *ticks = arg;

	ticks->nr++;
	if (ticks->nr == ticks->stop_at)
		perffile_stop(ticks->file);
	return ticks->nr == ticks->fail_at ? error_set(err, ERROR_INTERRUPTED, "enough") : 0;
}

/* Reads what is in @dir; returns what perffile_next() gave at last. */
static int read_all(const char *dir, struct ticks *ticks, size_t *nr_records, struct error *err)
{
	struct scratch_path path = scratch_join(dir, "perf.data");
	const struct record *rec;
	int rc;

	save(path.text, NR_ZEROS);
	ticks->file = perffile_open(path.text, err);
	ck_assert_ptr_nonnull(ticks->file);
	perffile_set_tick(ticks->file, tick, ticks);
	for (*nr_records = 0; (rc = perffile_next(ticks->file, &rec, err)) > 0;)
		++*nr_records;
	return rc;
}

START_TEST(to_the_end)
{
	struct scratch_path dir = scratch_make();
	struct ticks ticks = {0};
	struct error err = {0};
	size_t nr;

	ck_assert_int_eq(read_all(dir.text, &ticks, &nr, &err), 0);
	ck_assert_uint_eq(nr, NR_SAMPLES);
	ck_assert_uint_eq(ticks.nr, 4); /* the header's bytes are no part of it */
	ck_assert_uint_gt(perffile_counts(ticks.file)->truncated_bytes, 4 * TICK_BYTES);
	perffile_close(ticks.file);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(given_up)
{
	struct scratch_path dir = scratch_make();
	struct ticks ticks = {.fail_at = 2};
	struct error err = {0};
	size_t nr;

	ck_assert_int_eq(read_all(dir.text, &ticks, &nr, &err), -1);
	ck_assert_str_eq(err.text, "enough");
	ck_assert_uint_eq(ticks.nr, 2);
	perffile_close(ticks.file);
	scratch_remove(dir.text);
}
END_TEST

/* What was read is given; what was not is no loss of the recording's. */
START_TEST(stopped)
{
	struct scratch_path dir = scratch_make();
	struct ticks ticks = {.stop_at = 2};
	struct error err = {0};
	size_t nr;

	ck_assert_int_eq(read_all(dir.text, &ticks, &nr, &err), 0);
	ck_assert_uint_eq(nr, NR_SAMPLES);
	ck_assert_uint_eq(ticks.nr, 2);
	ck_assert_uint_eq(perffile_counts(ticks.file)->truncated_bytes, 0);
	ck_assert_uint_eq(perffile_counts(ticks.file)->damaged, 0);
	perffile_close(ticks.file);
	scratch_remove(dir.text);
}
END_TEST

/* ---- a file that is cut while it is read
 * --------------------------------------------------------- */

/* That its rest is gone is said, also where a record ends: nothing else would tell. */
START_TEST(cut_while_it_is_read)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct error err = {0};
	struct perffile *file;
	off_t size;
	int fd;

	save(path.text, 0);
	fd = open(path.text, O_RDONLY);
	size = lseek(fd, 0, SEEK_END);
	close(fd);
	file = perffile_open(path.text, &err);
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(truncate(path.text, size - 2 * SAMPLE_BYTES - _i), 0);
	ck_assert_uint_eq(recording_drain(file), NR_SAMPLES - (_i ? 3 : 2));
	ck_assert_uint_eq(perffile_counts(file)->missing_bytes, 2 * SAMPLE_BYTES + (uint64_t)_i);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, _i ? SAMPLE_BYTES - 1 : 0);
	perffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* ---- zeros between records ------------------------------------------------------------------- */

/* Bytes of a recording of 2 * NR_SAMPLES samples with @nr_zeros in their middle, to be freed. */
static uint8_t *make_gap(size_t nr_zeros, size_t *len)
{
	struct mkperf *m = new_recording();
	const uint8_t *bytes;
	uint8_t *made;
	size_t before;

	put_samples(m, 1000);
	put_samples(m, 2000);
	bytes = mkperf_finish(m, len);
	ck_assert_ptr_nonnull(bytes);
	before = *len - (size_t)NR_SAMPLES * SAMPLE_BYTES;
	made = calloc(*len + nr_zeros, 1);
	ck_assert_ptr_nonnull(made);
	memcpy(made, bytes, before);
	memcpy(made + before + nr_zeros, bytes + before, *len - before);
	*len += nr_zeros;
	mkperf_free(m);
	return made;
}

/* What is behind zeros is found, wherever it starts in the words by which they are passed. */
static void check_gap(size_t nr_zeros)
{
	struct error err = {0};
	size_t len;
	uint8_t *bytes = make_gap(nr_zeros, &len);
	struct perffile *file = recording_open_bytes(bytes, len, &err);
	const struct perffile_counts *counts;

	free(bytes);
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(recording_drain(file), 2 * NR_SAMPLES);
	counts = perffile_counts(file);
	ck_assert_uint_eq(counts->damaged, 1);
	/* which of the two depends on what the first bytes behind few zeros are taken for */
	ck_assert_uint_eq(counts->damages[DAMAGE_SIZE].bytes + counts->damages[DAMAGE_TYPE].bytes,
			  nr_zeros);
	ck_assert_uint_eq(counts->truncated_bytes, 0);
	perffile_close(file);
}

START_TEST(gaps)
{
	for (size_t nr = 1; nr < 100; nr++)
		check_gap(nr);
	for (size_t nr = 256 * 1024 - 50; nr < 256 * 1024 + 50; nr += 7) /* a block of the reader */
		check_gap(nr);
}
END_TEST

/* A trace that lies in a file is passed over unread: were it read, there would be ticks. */
START_TEST(traces_are_not_read)
{
	const uint64_t payload = UINT64_C(1) << 36;
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = new_recording();
	struct ticks ticks = {.fail_at = 1};
	struct error err = {0};
	const struct record *rec;
	uint64_t start = mkperf_offset(m), end;
	size_t len, nr = 0;
	const uint8_t *bytes;
	int fd, rc;

	put_samples(m, 1000);
	end = mkperf_offset(m);
	mkperf_begin(m, MKPERF_RECORD_AUXTRACE, 0);
	mkperf_u64(m, payload);
	mkperf_bytes(m, NULL, 32);
	mkperf_end(m);
	bytes = mkperf_finish(m, &len);
	ck_assert_ptr_nonnull(bytes);
	fd = open(path.text, O_CREAT | O_WRONLY, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, bytes, len, 0), (ssize_t)len);
	ck_assert_int_eq(pwrite(fd, bytes + start, end - start, (off_t)(len + payload)),
			 (ssize_t)(end - start));
	close(fd);
	mkperf_free(m);
	ticks.file = perffile_open(path.text, &err);
	ck_assert_ptr_nonnull(ticks.file);
	perffile_set_tick(ticks.file, tick, &ticks);
	while ((rc = perffile_next(ticks.file, &rec, &err)) > 0)
		nr++;
	ck_assert_msg(rc == 0, "%s", err.text);
	ck_assert_uint_eq(nr, 2 * NR_SAMPLES + 1);
	ck_assert_uint_eq(perffile_counts(ticks.file)->damaged, 0);
	ck_assert_uint_eq(perffile_counts(ticks.file)->truncated_bytes, 0);
	perffile_close(ticks.file);
	scratch_remove(dir.text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("endless");
	TCase *tcase = tcase_create("searches");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, to_the_end);
	tcase_add_test(tcase, given_up);
	tcase_add_test(tcase, stopped);
	tcase_add_test(tcase, traces_are_not_read);
	tcase_add_test(tcase, gaps);
	tcase_add_loop_test(tcase, cut_while_it_is_read, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
