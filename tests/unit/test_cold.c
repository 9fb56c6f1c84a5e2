/*
 * Records that are too many to wait in memory for their turn: they come in the same order with the
 * same contents, wherever they are read again from, and a file that changes meanwhile is an error.
 */
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/writer/mkperf_session.h"

#include <check.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct mkperf_event event = {
	.type = PERF_TYPE_SOFTWARE,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
	.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
};

/* The plain sample with @time that shows where it was put; @raw_size bytes more. */
static void put_sample(struct mkperf *m, uint64_t time, uint32_t raw_size)
{
	static const uint8_t raw[65000];

	mkperf_sample(m, &(struct mkperf_sample){.ip = mkperf_offset(m),
						 .time = time,
						 .raw = raw,
						 .raw_size = raw_size / 8 * 8 + 4});
}

/* ---- the same order ---- */

enum { NR_CPUS = 5, NR_BURSTS = 6, BURST = 40 };

/* Bursts of CPUs, one after the other, that belong between each other: no time comes twice. */
static void put_bursts(struct mkperf *m, bool directory)
{
	for (unsigned burst = 0; burst < NR_BURSTS; burst++) {
		for (unsigned cpu = 0; cpu < NR_CPUS; cpu++) {
			if (directory)
				mkperf_stream(m, 1 + cpu);
			for (unsigned i = 0; i < BURST; i++)
				put_sample(m, 1000 + (burst * BURST + i) * NR_CPUS + cpu,
					   cpu == 1 && i % 16 == 3 ? 60000 : 8 * (i % 3));
		}
	}
}

static struct mkperf *new_bursts(const struct mkperf_options *options, bool directory)
{
	struct mkperf *m = mkperf_new(options);

	mkperf_event(m, &event);
	mkperf_comm(m, NULL, 0, 1, 1, "first");
	put_bursts(m, directory);
	return m;
}

/* What of each record must not depend on where it waited. */
static void assert_same_record(const struct record *a, const struct record *b)
{
	ck_assert_uint_eq(a->nr, b->nr);
	ck_assert_uint_eq(a->file_offset, b->file_offset);
	ck_assert_uint_eq(a->type, b->type);
	ck_assert_uint_eq(a->size, b->size);
	ck_assert_uint_eq(a->time, b->time);
	if (a->type == RECORD_SAMPLE) {
		ck_assert_uint_eq(a->sample.ip, b->sample.ip);
		ck_assert_uint_eq(span_left(&a->sample.extra.raw), span_left(&b->sample.extra.raw));
	}
}

static struct perffile *open_path(const char *path, size_t memory)
{
	struct error err = {0};
	struct perffile *file = perffile_open(path, &err);

	ck_assert_msg(file, "%s", err.text);
	if (memory != SIZE_MAX)
		perffile_set_memory(file, memory);
	return file;
}

/* Reads @path with all in memory and with no more than @memory bytes. */
static void check_same(const char *path, size_t memory, size_t nr_records)
{
	struct perffile *warm = open_path(path, SIZE_MAX), *cold = open_path(path, memory);
	const struct record *rec;
	size_t nr = 0;

	for (; (rec = recording_next(warm)); nr++) {
		const struct record *other = recording_next(cold);

		ck_assert_ptr_nonnull(other);
		assert_same_record(rec, other);
		ck_assert_uint_le(perffile_bytes_read(cold), perffile_bytes_total(cold));
	}
	ck_assert_ptr_null(recording_next(cold));
	ck_assert_uint_eq(nr, nr_records);
	ck_assert_uint_eq(perffile_bytes_cold(warm), 0);
	ck_assert_uint_gt(perffile_bytes_cold(cold), 0);
	ck_assert_uint_eq(perffile_counts(cold)->late, perffile_counts(warm)->late);
	ck_assert_uint_eq(perffile_counts(cold)->damaged, 0);
	ck_assert_uint_ge(perffile_bytes_read(cold), perffile_bytes_read(warm));
	perffile_close(warm);
	perffile_close(cold);
}

static const struct mkperf_options shapes[] = {
	{0},
	{.swap = true},
	{.v1 = true},
	{.unfinished = true},
	{.pipe = true},
	{.packing = {.type = MKPERF_RECORD_COMPRESSED2, .flush = 100000}},
	{.swap = true, .pipe = true, .packing = {.type = MKPERF_RECORD_COMPRESSED, .cut = 3}},
};

static const size_t memories[] = {0, 600000};

enum { NR_SHAPES = sizeof(shapes) / sizeof(shapes[0]), NR_MEMORIES = 2 };

/* Without rounds everything is one window. */
START_TEST(cold_is_warm)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = new_bursts(&shapes[_i / NR_MEMORIES], false);

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	check_same(path.text, memories[_i % NR_MEMORIES],
		   1 + NR_CPUS * NR_BURSTS * BURST + (shapes[_i / NR_MEMORIES].pipe ? 1 : 0));
	scratch_remove(dir.text);
}
END_TEST

/* _i: bit 0 the memory, bit 1 the byte order, bit 2 compressed. */
START_TEST(cold_directory)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf_options options = {.swap = _i & 2};
	struct mkperf *m;

	options.packing.type = _i & 4 ? MKPERF_RECORD_COMPRESSED2 : 0;
	m = new_bursts(&options, true);
	ck_assert(mkperf_save_directory(m, path.text));
	mkperf_free(m);
	check_same(path.text, memories[_i % NR_MEMORIES], 1 + NR_CPUS * NR_BURSTS * BURST);
	scratch_remove(dir.text);
}
END_TEST

/* A window between rounds may be too large, too; rounds release it in parts. */
START_TEST(cold_rounds)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf_options options = {.pipe = _i & 1};
	struct mkperf *m = mkperf_new(&options);

	mkperf_session(m, &(struct mkperf_session){.seed = (uint64_t)_i, .order = MKPERF_SHUFFLED});
	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	m = NULL;
	{
		struct perffile *file = open_path(path.text, SIZE_MAX);
		size_t nr = recording_drain(file);

		perffile_close(file);
		check_same(path.text, 0, nr);
	}
	scratch_remove(dir.text);
}
END_TEST

/* @nr large samples that come in order from the number *@next on, and the end of their round. */
static void put_round(struct mkperf *m, unsigned nr, uint64_t *next)
{
	for (unsigned i = 0; i < nr; i++)
		put_sample(m, 1000 + (*next)++, 60000);
	mkperf_round(m);
}

/* When rounds fit in memory again, their records stay there. _i: compressed. */
START_TEST(warm_after_large_round)
{
	enum { LARGE = 60, SMALL = 6, NR_SMALL = 20, MEMORY = 2000000 };
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = new_bursts(&shapes[_i ? 5 : 0], false);
	struct perffile *file;
	uint64_t cold, next = 2000;

	put_round(m, LARGE, &next);
	for (unsigned i = 0; i < NR_SMALL; i++)
		put_round(m, SMALL, &next);
	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	file = open_path(path.text, MEMORY);
	while (recording_next(file)->time < 1000 + 2000 + LARGE + 4 * SMALL)
		;
	cold = perffile_bytes_cold(file);
	ck_assert_uint_gt(cold, 0);
	recording_drain(file);
	ck_assert_uint_eq(perffile_bytes_cold(file), cold);
	perffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* A stream's records are put aside; it is read once. */
START_TEST(cold_stream)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = new_bursts(&(struct mkperf_options){.pipe = true}, false);
	struct perffile *warm, *piped;
	const struct record *rec;
	int fds[2], in;
	char byte[4096];
	ssize_t len;

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	ck_assert_int_eq(pipe(fds), 0);
	if (fork() == 0) {
		in = open(path.text, O_RDONLY);
		while ((len = read(in, byte, sizeof(byte))) > 0 &&
		       write(fds[1], byte, (size_t)len) == len)
			;
		_exit(0);
	}
	close(fds[1]);
	ck_assert_int_ge(dup2(fds[0], STDIN_FILENO), 0);
	close(fds[0]);
	warm = open_path(path.text, SIZE_MAX);
	piped = open_path("-", 0);
	while ((rec = recording_next(warm)))
		assert_same_record(rec, recording_next(piped));
	ck_assert_ptr_null(recording_next(piped));
	ck_assert_uint_gt(perffile_bytes_cold(piped), 0);
	perffile_close(warm);
	perffile_close(piped);
	scratch_remove(dir.text);
}
END_TEST

/*
 * More runs at work at once than fit into memory: each record of a run comes behind one of every
 * other run.
 */
START_TEST(many_runs_at_work)
{
	enum { NR_RUNS = 1500, RUN = 30 };
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.pipe = _i});

	mkperf_event(m, &event);
	for (unsigned run = 0; run < NR_RUNS; run++) {
		for (unsigned i = 0; i < RUN; i++)
			put_sample(m, 1000 + i * NR_RUNS + (run * 7) % NR_RUNS, 0);
	}
	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	check_same(path.text, 300000, NR_RUNS * RUN + (unsigned)_i);
	scratch_remove(dir.text);
}
END_TEST

/* The opposite of order: each record is a run of its own. */
START_TEST(descending_times)
{
	enum { NR_SAMPLES = 20000 };
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = mkperf_new(NULL);

	mkperf_event(m, &event);
	for (unsigned i = 0; i < NR_SAMPLES; i++)
		put_sample(m, 1000000 - i, 0);
	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	check_same(path.text, 300000, NR_SAMPLES);
	scratch_remove(dir.text);
}
END_TEST

/* ---- progress ---- */

struct ticks {
	struct perffile *file;
	uint64_t last; /* bytes done at the last of them */
	unsigned nr, nr_max;
};

static int tick(void *arg, struct error *err)
{
	struct ticks *ticks = arg;
	uint64_t done = perffile_bytes_read(ticks->file);

	ck_assert_uint_le(done, perffile_bytes_total(ticks->file));
	ticks->last = done;
	if (++ticks->nr == ticks->nr_max)
		return error_set(err, ERROR_INTERRUPTED, "enough");
	return 0;
}

/* Before the first record comes much is read, which may be seen and ended. */
START_TEST(ticks_while_reading)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = new_bursts(&(struct mkperf_options){.unfinished = true}, false);
	struct ticks ticks = {.nr_max = _i ? 20 : 0};
	const struct record *rec;
	struct error err = {0};
	int rc;

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	ticks.file = open_path(path.text, 0);
	perffile_set_tick(ticks.file, tick, &ticks);
	ck_assert_str_eq(recording_next(ticks.file)->comm.comm, "first");
	ck_assert_uint_eq(ticks.nr, 0);
	rc = perffile_next(ticks.file, &rec, &err);
	ck_assert_int_eq(rc, _i ? -1 : 1);
	if (_i) {
		ck_assert_uint_eq(ticks.nr, 20);
		ck_assert_str_eq(err.text, "enough");
	} else {
		ck_assert_uint_ge(ticks.nr, NR_CPUS * NR_BURSTS - 1);
		ck_assert_uint_ge(ticks.last, perffile_bytes_total(ticks.file) / 2 - 50000);
		ck_assert_uint_eq(recording_drain(ticks.file), NR_CPUS * NR_BURSTS * BURST - 1);
	}
	perffile_close(ticks.file);
	scratch_remove(dir.text);
}
END_TEST

/* ---- files that change between the two times they are read ---- */

/* A recording of @nr samples that ends in a record which comes first, having no time. */
static struct scratch_path save_changing(const char *dir, unsigned nr)
{
	struct scratch_path path = scratch_join(dir, "perf.data");
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.unfinished = true});

	mkperf_event(m, &event);
	for (unsigned i = 0; i < nr; i++)
		put_sample(m, i % 100 == 0 ? 1000 - i : 10000 + i, 0);
	mkperf_comm(m, NULL, 0, 1, 1, "last");
	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	return path;
}

/* Everything is read once and cold when this returns. */
static struct perffile *read_once(const char *path)
{
	struct perffile *file = open_path(path, 0);

	ck_assert_str_eq(recording_next(file)->comm.comm, "last");
	return file;
}

static int read_rest(struct perffile *file, struct error *err)
{
	const struct record *rec;
	int rc;

	while ((rc = perffile_next(file, &rec, err)) > 0)
		;
	return rc;
}

START_TEST(shrunken_file)
{
	struct scratch_path dir = scratch_make(), path = save_changing(dir.text, 500);
	struct perffile *file = read_once(path.text);
	struct error err = {0};

	ck_assert_int_eq(truncate(path.text, 4000), 0);
	ck_assert_int_eq(read_rest(file, &err), -1);
	ck_assert_msg(strstr(err.text, "changed while it was being read, at byte"), "%s", err.text);
	ck_assert_int_eq(err.kind, ERROR_IO);
	perffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* Other bytes in place of the first ones: an error or other records, nothing worse. */
START_TEST(overwritten_file)
{
	struct scratch_path dir = scratch_make(), path = save_changing(dir.text, 500);
	struct perffile *file = read_once(path.text);
	int fd = open(path.text, O_WRONLY | O_CLOEXEC);
	off_t size = lseek(fd, 0, SEEK_END);
	struct error err = {0};
	int rc;

	ck_assert_int_gt(size, 0);
	srand((unsigned)_i);
	for (off_t at = 300; at < size; at += 1 + rand() % 400) {
		uint8_t byte = (uint8_t)rand();

		ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
	}
	rc = read_rest(file, &err);
	ck_assert(rc == 0 || strstr(err.text, "changed while it was being read, at byte"));
	perffile_close(file);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

/* Writes a record's @type, misc 0 and @size at @at. */
static void put_header(int fd, off_t at, uint32_t type, uint16_t size)
{
	ck_assert_int_eq(pwrite(fd, &type, sizeof(type), at), sizeof(type));
	ck_assert_int_eq(pwrite(fd, &(uint16_t){0}, 2, at + 4), 2);
	ck_assert_int_eq(pwrite(fd, &size, sizeof(size), at + 6), sizeof(size));
}

/* Two samples of one size have become a larger and a smaller one, which end where they ended. */
/* Makes sample @nr of @path larger and the next smaller; together they have as many bytes. */
static void change_sizes(const char *path, unsigned nr)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	uint64_t data;
	uint16_t size;

	ck_assert_int_eq(pread(fd, &data, sizeof(data), 40), sizeof(data));
	ck_assert_int_eq(pread(fd, &size, sizeof(size), (off_t)data + 6), sizeof(size));
	data += (uint64_t)nr * size;
	put_header(fd, (off_t)data, PERF_RECORD_SAMPLE, (uint16_t)(size + 8));
	put_header(fd, (off_t)data + size + 8, PERF_RECORD_SAMPLE, (uint16_t)(size - 8));
	close(fd);
}

/* Two samples of one size have become a larger and a smaller one, which end where they ended. */
START_TEST(other_sizes)
{
	struct scratch_path dir = scratch_make(), path = save_changing(dir.text, 500);
	struct perffile *file = read_once(path.text);
	struct error err = {0};

	change_sizes(path.text, 40);
	ck_assert_int_eq(read_rest(file, &err), -1);
	ck_assert_msg(strstr(err.text, "changed while it was being read, at byte"), "%s", err.text);
	perffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

/* Runs of 100 samples, each of which starts before the one that it follows has ended. */
static struct scratch_path save_overlapping(const char *dir, unsigned nr)
{
	struct scratch_path path = scratch_join(dir, "perf.data");
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.unfinished = true});

	mkperf_event(m, &event);
	for (unsigned i = 0; i < nr; i++)
		put_sample(m, 1 + i / 100 * 50 + i % 100, 0);
	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	return path;
}

enum { NR_OVERLAPPING = 40000, MEMORY_OVERLAPPING = 300000 };

/* Runs that follow each other in the file are read again together. */
START_TEST(overlapping_runs)
{
	struct scratch_path dir = scratch_make();
	struct scratch_path path = save_overlapping(dir.text, NR_OVERLAPPING);

	check_same(path.text, MEMORY_OVERLAPPING, NR_OVERLAPPING);
	scratch_remove(dir.text);
}
END_TEST

/* ... and each is checked before it is used, not only the first. */
START_TEST(other_sizes_in_later_run)
{
	struct scratch_path dir = scratch_make();
	struct scratch_path path = save_overlapping(dir.text, NR_OVERLAPPING);
	struct perffile *file = open_path(path.text, MEMORY_OVERLAPPING);
	struct error err = {0};

	ck_assert_uint_eq(recording_next(file)->nr, 0); /* everything is read once */
	change_sizes(path.text, 2140);
	ck_assert_int_eq(read_rest(file, &err), -1);
	ck_assert_msg(strstr(err.text, "changed while it was being read, at byte"), "%s", err.text);
	perffile_close(file);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(no_room_aside)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = new_bursts(&shapes[5], false);
	struct perffile *file;
	struct error err = {0};

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	ck_assert_int_eq(setenv("TMPDIR", "/nonexistent", 1), 0);
	file = open_path(path.text, 0);
	ck_assert_int_eq(read_rest(file, &err), -1);
	ck_assert_str_eq(err.text, "/nonexistent: cannot create a temporary file there: "
				   "No such file or directory");
	perffile_close(file);
	unsetenv("TMPDIR");
	scratch_remove(dir.text);
}
END_TEST

static TCase *order_tests(void)
{
	TCase *tcase = tcase_create("order");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, cold_is_warm, 0, NR_SHAPES * NR_MEMORIES);
	tcase_add_loop_test(tcase, cold_directory, 0, 8);
	tcase_add_loop_test(tcase, cold_rounds, 0, 4);
	tcase_add_loop_test(tcase, warm_after_large_round, 0, 2);
	tcase_add_test(tcase, cold_stream);
	tcase_add_loop_test(tcase, many_runs_at_work, 0, 2);
	tcase_add_test(tcase, descending_times);
	tcase_add_loop_test(tcase, ticks_while_reading, 0, 2);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("cold");
	TCase *tcase = tcase_create("changes");

	tcase_add_test(tcase, shrunken_file);
	tcase_add_test(tcase, other_sizes);
	tcase_add_test(tcase, overlapping_runs);
	tcase_add_test(tcase, other_sizes_in_later_run);
	tcase_add_loop_test(tcase, overwritten_file, 0, 50);
	tcase_add_test(tcase, no_room_aside);
	suite_add_tcase(suite, order_tests());
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
