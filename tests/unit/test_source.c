/*
 * Where recordings come from: standard input, FIFOs, sockets, and files wrapped in bzip2, gzip, xz
 * or zstd, whole and cut.
 */
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/writer/mkperf_session.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct mkperf *new_session(const struct mkperf_options *options)
{
	struct mkperf *m = mkperf_new(options);

	mkperf_session(m, &(struct mkperf_session){.seed = 5});
	return m;
}

static void assert_all_same(struct recording_tables *a, struct recording_tables *b)
{
	for (unsigned i = 0; i < NR_TABLES; i++)
		ck_assert(strcmp(a->text[i], b->text[i]) == 0);
	recording_tables_free(a);
	recording_tables_free(b);
}

/* A child that writes the bytes to @fd, @chunk at a time. */
static pid_t start_writer(int fd, const uint8_t *bytes, size_t len, size_t chunk)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid > 0)
		return pid;
	while (len > 0) {
		ssize_t put = write(fd, bytes, len < chunk ? len : chunk);

		if (put <= 0)
			_exit(1);
		bytes += put;
		len -= (size_t)put;
	}
	_exit(0);
}

static void await(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

static const struct mkperf_options shapes[] = {
	{0}, /* is copied first, for its events lie apart from its data */
	{.pipe = true},
	{.pipe = true, .swap = true},
	{.pipe = true, .packing = {.type = MKPERF_RECORD_COMPRESSED2, .cut = 3}},
	{.unfinished = true},
};

enum { NR_SHAPES = sizeof(shapes) / sizeof(shapes[0]), NR_CHUNKS = 3 };

static const size_t chunks[NR_CHUNKS] = {7, 4096, 1 << 20};

/* The tables of what comes through a pipe of one of the kinds. */
START_TEST(standard_input)
{
	struct mkperf *m = new_session(&shapes[_i % NR_SHAPES]);
	struct recording_tables file = recording_tables_of(new_session(&shapes[_i % NR_SHAPES]));
	struct recording_tables piped;
	struct error err = {0};
	const uint8_t *bytes;
	size_t len;
	int fds[2];
	pid_t pid;

	bytes = mkperf_finish(m, &len);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(pipe(fds), 0);
	pid = start_writer(fds[1], bytes, len, chunks[_i / NR_SHAPES]);
	close(fds[1]);
	ck_assert_int_ge(dup2(fds[0], STDIN_FILENO), 0);
	close(fds[0]);
	ck_assert_msg(recording_read_tables("-", &piped, &err), "%s", err.text);
	await(pid);
	mkperf_free(m);
	assert_all_same(&file, &piped);
}
END_TEST

START_TEST(fifo)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "fifo");
	struct mkperf *m = new_session(&shapes[_i % NR_SHAPES]);
	struct recording_tables file = recording_tables_of(new_session(&shapes[_i % NR_SHAPES]));
	struct recording_tables piped;
	struct error err = {0};
	const uint8_t *bytes;
	size_t len;
	pid_t pid;

	bytes = mkperf_finish(m, &len);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(mkfifo(path.text, 0600), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		int fd = open(path.text, O_WRONLY); /* waits for the reader */

		_exit(fd < 0 || write(fd, bytes, len) != (ssize_t)len);
	}
	ck_assert_msg(recording_read_tables(path.text, &piped, &err), "%s", err.text);
	await(pid);
	scratch_remove(dir.text);
	mkperf_free(m);
	assert_all_same(&file, &piped);
}
END_TEST

/* Standard input is the end of a pipe whose other end is returned. */
static int pipe_to_input(void)
{
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_ge(dup2(fds[0], STDIN_FILENO), 0);
	close(fds[0]);
	return fds[1];
}

/* The first record of @file cannot be had; what comes then is the end. */
static void assert_no_record(struct perffile *file, const char *why)
{
	const struct record *rec;
	struct error err = {0};

	ck_assert_int_eq(perffile_next(file, &rec, &err), -1);
	ck_assert_str_eq(err.text, why);
	ck_assert_int_eq(perffile_next(file, &rec, &err), 0);
	perffile_close(file);
}

/* Nothing came at all: known only when something is read. */
START_TEST(empty_input)
{
	struct error err = {0};

	close(pipe_to_input());
	assert_no_record(perffile_open("-", &err),
			 "standard input: is empty, expected a recording made by perf record");
}
END_TEST

START_TEST(input_is_text)
{
	struct error err = {0};
	int fd = pipe_to_input();
	struct perffile *file = perffile_open("-", &err);

	ck_assert_int_eq(write(fd, "some text\n", 10), 10);
	close(fd);
	ck_assert_uint_eq(perffile_nr_events(file), 0);
	assert_no_record(file, "standard input: is not a perf.data file: neither PERFILE2 "
			       "nor PERFFILE at byte 0");
}
END_TEST

/* ---- who waits for data ---- */

/* Writes a recording into a pipe, @step bytes whenever the reader has nothing left. */
struct feeder {
	int fd;
	const uint8_t *bytes;
	size_t len, step;
	bool idle; /* says every other time that there is something when there is not */
	unsigned nr_calls;
};

static bool feed(void *arg, int fd)
{
	struct feeder *feeder = arg;
	size_t len = feeder->len < feeder->step ? feeder->len : feeder->step;

	ck_assert_int_ge(fd, 0);
	if (feeder->nr_calls++ % 2 == 1 && feeder->idle)
		return true;
	if (len == 0)
		return false;
	ck_assert_int_eq(write(feeder->fd, feeder->bytes, len), (ssize_t)len);
	feeder->bytes += len;
	feeder->len -= len;
	return true;
}

static struct mkperf *new_samples(const struct mkperf_options *options)
{
	struct mkperf *m = mkperf_new(options);

	mkperf_event(m, &(struct mkperf_event){.sample_type = 1 | 4}); /* IP, TIME: 24 bytes */
	for (unsigned i = 0; i < 100; i++)
		mkperf_sample(m, &(struct mkperf_sample){.ip = i, .time = 1000 + i});
	return m;
}

/*
 * The writer stays; who waits ends the stream, @cut bytes before the recording's end. All that came
 * is given.
 */
static void check_feeding(const struct mkperf_options *options, size_t step, size_t cut, bool idle)
{
	struct mkperf *m = new_samples(options);
	struct feeder feeder = {.fd = pipe_to_input(), .step = step, .idle = idle};
	struct perffile *file;
	struct error err = {0};
	uint64_t nr = 0;

	feeder.bytes = mkperf_finish(m, &feeder.len);
	ck_assert_ptr_nonnull(feeder.bytes);
	feeder.len -= cut;
	file = perffile_open("-", &err);
	ck_assert_msg(file, "%s", err.text);
	perffile_set_wait(file, feed, &feeder);
	ck_assert(perffile_is_stream(file));
	for (const struct record *rec; (rec = recording_next(file));) {
		if (rec->type == RECORD_SAMPLE)
			ck_assert_uint_eq(rec->sample.ip, nr++);
	}
	ck_assert_uint_eq(nr, cut ? 99 : 100);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, cut ? 24 - cut : 0);
	ck_assert_uint_eq(feeder.len, 0);
	ck_assert(perffile_is_stream(file) == options->pipe);
	nr = feeder.nr_calls;
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(feeder.nr_calls, nr); /* not asked again behind the end */
	perffile_close(file);
	mkperf_free(m);
	close(feeder.fd);
}

/* _i: bit 0 a record is cut, bit 1 called again until there is data. */
START_TEST(waiting_for_pieces)
{
	const struct mkperf_options options = {.pipe = true};

	check_feeding(&options, 10, _i & 1 ? 5 : 0, _i & 2);
	check_feeding(&options, 1000, _i & 1 ? 5 : 0, _i & 2);
}
END_TEST

/* What has its events apart from its data is copied; the copy is cut where the stream ends. */
START_TEST(waiting_for_a_copy)
{
	const struct mkperf_options options = {.unfinished = true};

	check_feeding(&options, 100, _i & 1 ? 5 : 0, _i & 2);
}
END_TEST

static bool never(void *arg, int fd)
{
	(void)fd;
	*(unsigned *)arg += 1;
	return false;
}

/* Opening does not wait for a writer; reading does where it can be ended. */
START_TEST(fifo_without_writer)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "fifo");
	struct error err = {0};
	unsigned nr_calls = 0;
	struct perffile *file;
	char why[512];

	ck_assert_int_eq(mkfifo(path.text, 0600), 0);
	file = perffile_open(path.text, &err);
	ck_assert_msg(file, "%s", err.text);
	perffile_set_wait(file, never, &nr_calls);
	snprintf(why, sizeof(why), "%s: is empty, expected a recording made by perf record",
		 path.text);
	assert_no_record(file, why);
	ck_assert_uint_eq(nr_calls, 1);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(file_is_no_stream)
{
	struct perffile *file = recording_open(new_samples(NULL));
	unsigned nr_calls = 0;

	perffile_set_wait(file, never, &nr_calls);
	ck_assert(!perffile_is_stream(file));
	ck_assert_uint_eq(recording_drain(file), 100);
	ck_assert_uint_eq(nr_calls, 0);
	perffile_close(file);
}
END_TEST

/* ---- broken off ---- */

/*
 * Standard input is a socket that gives @len bytes, then an error: its other end has gone without
 * reading what it was sent.
 */
static void break_input(const uint8_t *bytes, size_t len)
{
	int fds[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	ck_assert_int_eq(write(fds[0], "?", 1), 1);
	ck_assert_int_eq(write(fds[1], bytes, len), (ssize_t)len);
	close(fds[1]);
	ck_assert_int_ge(dup2(fds[0], STDIN_FILENO), 0);
	close(fds[0]);
}

/* All that came is read, as if the stream had ended there; the reason is kept. _i: copied first. */
START_TEST(broken_off)
{
	const struct mkperf_options options = {.pipe = !_i, .unfinished = _i};
	struct mkperf *m = new_samples(&options);
	const struct perffile_counts *counts;
	struct error err = {0};
	struct perffile *file;
	const uint8_t *bytes;
	uint64_t nr = 0;
	size_t len;

	bytes = mkperf_finish(m, &len);
	break_input(bytes, len - 5);
	file = perffile_open("-", &err);
	ck_assert_msg(file, "%s", err.text);
	for (const struct record *rec; (rec = recording_next(file));)
		nr += rec->type == RECORD_SAMPLE;
	counts = perffile_counts(file);
	ck_assert_uint_eq(nr, 99);
	ck_assert_uint_eq(counts->truncated_bytes, 24 - 5);
	ck_assert_int_eq(counts->broken, ECONNRESET);
	ck_assert_uint_eq(counts->broken_offset, len - 5);
	perffile_close(file);
	mkperf_free(m);
}
END_TEST

/* Without a whole head there is nothing to read. */
START_TEST(broken_head)
{
	struct error err = {0};

	break_input((const uint8_t *)"PERFILE2xx", 10);
	assert_no_record(perffile_open("-", &err),
			 "standard input: cannot read at byte 10: Connection reset by peer");
}
END_TEST

static TCase *breaking_tests(void)
{
	TCase *tcase = tcase_create("broken off");

	tcase_add_loop_test(tcase, broken_off, 0, 2);
	tcase_add_test(tcase, broken_head);
	return tcase;
}

/* ---- wrapped ---- */

static uint8_t *wrapped_session(unsigned number, size_t *len)
{
	struct mkperf *m = new_session(&shapes[number / MKPERF_WRAPPERS]);
	size_t plain_len;
	const uint8_t *plain = mkperf_finish(m, &plain_len);
	uint8_t *wrapped =
		mkperf_wrap((enum mkperf_wrapper)(number % MKPERF_WRAPPERS), plain, plain_len, len);

	ck_assert_ptr_nonnull(wrapped);
	mkperf_free(m);
	return wrapped;
}

static void write_bytes(const char *path, const uint8_t *bytes, size_t len)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
	ck_assert_int_eq(fclose(file), 0);
}

/* Tables of the first @len bytes; false if it is no recording. */
static bool read_bytes(const uint8_t *bytes, size_t len, struct recording_tables *tables)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "wrapped");
	struct error err = {0};
	bool usable;

	write_bytes(path.text, bytes, len);
	usable = recording_read_tables(path.text, tables, &err);
	ck_assert(usable || (err.kind == ERROR_FORMAT && err.text[0]));
	scratch_remove(dir.text);
	return usable;
}

START_TEST(wrapped_is_plain)
{
	size_t len;
	uint8_t *bytes = wrapped_session((unsigned)_i, &len);
	struct recording_tables wrapped, plain;

	plain = recording_tables_of(new_session(&shapes[_i / MKPERF_WRAPPERS]));
	ck_assert(read_bytes(bytes, len, &wrapped));
	ck_assert(!wrapped.counts.cut_wrapper);
	assert_all_same(&plain, &wrapped);
	free(bytes);
}
END_TEST

/* Two wrapped files one behind the other are one, as for the four programs themselves. */
START_TEST(wrapped_in_two)
{
	struct mkperf *m = new_session(NULL);
	struct recording_tables plain = recording_tables_of(new_session(NULL)), tables;
	size_t len, first_len, second_len, half;
	const uint8_t *bytes = mkperf_finish(m, &len);
	uint8_t *first, *second, *both;

	half = len / 2;
	first = mkperf_wrap((enum mkperf_wrapper)_i, bytes, half, &first_len);
	second = mkperf_wrap((enum mkperf_wrapper)_i, bytes + half, len - half, &second_len);
	both = realloc(first, first_len + second_len);
	ck_assert(both && second);
	memcpy(both + first_len, second, second_len);
	ck_assert(read_bytes(both, first_len + second_len, &tables));
	ck_assert(!tables.counts.cut_wrapper);
	assert_all_same(&plain, &tables);
	free(both);
	free(second);
	mkperf_free(m);
}
END_TEST

static const struct {
	size_t nr_zeros;
	const char *behind;
	bool cut;
} paddings[] = {{1, "", false}, {1 << 20, "", false}, {1 << 20, "x", true}, {0, "x", true}};

/* Zeros behind gzip's last member are no part of it, as for gzip itself; anything else is damage.
 */
START_TEST(padded_gzip)
{
	const size_t nr_zeros = paddings[_i].nr_zeros, more = strlen(paddings[_i].behind);
	struct recording_tables plain = recording_tables_of(new_session(&shapes[0])), tables;
	size_t len;
	uint8_t *bytes = wrapped_session(MKPERF_GZIP, &len);
	uint8_t *padded = realloc(bytes, len + nr_zeros + more);

	ck_assert_ptr_nonnull(padded);
	memset(padded + len, 0, nr_zeros);
	memcpy(padded + len + nr_zeros, paddings[_i].behind, more);
	ck_assert(read_bytes(padded, len + nr_zeros + more, &tables));
	ck_assert(tables.counts.cut_wrapper == paddings[_i].cut);
	assert_all_same(&plain, &tables);
	free(padded);
}
END_TEST

/* What can be unwrapped is read, and the cut is told. */
START_TEST(cut_wrappers)
{
	size_t len;
	uint8_t *bytes = wrapped_session((unsigned)_i, &len);
	uint64_t most = 0;

	for (size_t cut = 1; cut < len; cut += len / 40 + 1) {
		struct recording_tables tables;
		uint64_t samples;

		if (!read_bytes(bytes, cut, &tables))
			continue;
		ck_assert(tables.counts.cut_wrapper);
		samples = recording_sum(tables.text[TABLE_RESULTS], "samples", NULL, NULL);
		ck_assert_uint_eq(samples, recording_sum(tables.text[TABLE_STAT], "count", "record",
							 "SAMPLE"));
		ck_assert_uint_ge(samples, most); /* more bytes, never fewer samples */
		most = samples;
		recording_tables_free(&tables);
	}
	free(bytes);
}
END_TEST

/* So little that nothing can be unwrapped: the file is not empty. */
START_TEST(wrappers_without_a_byte)
{
	struct error err = {0};
	size_t len;
	uint8_t *bytes = wrapped_session((unsigned)_i, &len);

	ck_assert_uint_gt(len, 20);
	ck_assert_ptr_null(recording_open_bytes(bytes, 20, &err));
	ck_assert_int_eq(err.kind, ERROR_FORMAT);
	ck_assert_ptr_nonnull(strstr(err.text, ": the compressed file that contains the recording "
					       "is truncated or damaged: nothing of it can be "
					       "unpacked"));
	free(bytes);
}
END_TEST

/* A byte in the middle that is not what it was. */
START_TEST(bent_wrappers)
{
	size_t len;
	uint8_t *bytes = wrapped_session((unsigned)_i, &len);
	struct recording_tables tables;

	bytes[len / 2] ^= 0x55;
	if (read_bytes(bytes, len, &tables)) {
		ck_assert(tables.counts.cut_wrapper || _i % MKPERF_WRAPPERS == MKPERF_ZSTD);
		recording_tables_free(&tables);
	}
	free(bytes);
}
END_TEST

/* In a wrapper there is no recording. */
START_TEST(wrapped_text)
{
	static const uint8_t text[] = "some text that is no recording at all, but of some length";
	struct error err = {0};
	size_t len;
	uint8_t *bytes = mkperf_wrap((enum mkperf_wrapper)_i, text, sizeof(text), &len);

	ck_assert_ptr_nonnull(bytes);
	ck_assert_ptr_null(recording_open_bytes(bytes, len, &err));
	ck_assert_int_eq(err.kind, ERROR_FORMAT);
	ck_assert_ptr_nonnull(strstr(err.text, "neither PERFILE2 nor PERFFILE"));
	free(bytes);
}
END_TEST

/* Nothing at all in it. */
START_TEST(wrapped_nothing)
{
	struct error err = {0};
	size_t len;
	uint8_t *bytes = mkperf_wrap((enum mkperf_wrapper)_i, NULL, 0, &len);

	ck_assert_ptr_nonnull(bytes);
	ck_assert_ptr_null(recording_open_bytes(bytes, len, &err));
	ck_assert_int_eq(err.kind, ERROR_FORMAT);
	free(bytes);
}
END_TEST

static TCase *wrapper_tests(void)
{
	TCase *tcase = tcase_create("wrapped");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, wrapped_is_plain, 0, NR_SHAPES * MKPERF_WRAPPERS);
	tcase_add_loop_test(tcase, wrapped_in_two, 0, MKPERF_WRAPPERS);
	tcase_add_loop_test(tcase, padded_gzip, 0, sizeof(paddings) / sizeof(paddings[0]));
	tcase_add_loop_test(tcase, cut_wrappers, 0, 2 * MKPERF_WRAPPERS);
	tcase_add_loop_test(tcase, wrappers_without_a_byte, 0, MKPERF_WRAPPERS);
	tcase_add_loop_test(tcase, bent_wrappers, 0, MKPERF_WRAPPERS);
	tcase_add_loop_test(tcase, wrapped_text, 0, MKPERF_WRAPPERS);
	tcase_add_loop_test(tcase, wrapped_nothing, 0, MKPERF_WRAPPERS);
	return tcase;
}

static TCase *waiting_tests(void)
{
	TCase *tcase = tcase_create("waiting");

	tcase_add_loop_test(tcase, waiting_for_pieces, 0, 4);
	tcase_add_loop_test(tcase, waiting_for_a_copy, 0, 4);
	tcase_add_test(tcase, fifo_without_writer);
	tcase_add_test(tcase, file_is_no_stream);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("source");
	TCase *tcase = tcase_create("streams");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, standard_input, 0, NR_SHAPES * NR_CHUNKS);
	tcase_add_loop_test(tcase, fifo, 0, NR_SHAPES);
	tcase_add_test(tcase, empty_input);
	tcase_add_test(tcase, input_is_text);
	suite_add_tcase(suite, tcase);
	suite_add_tcase(suite, waiting_tests());
	suite_add_tcase(suite, breaking_tests());
	suite_add_tcase(suite, wrapper_tests());
	return suite_run(suite);
}
