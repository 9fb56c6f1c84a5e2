/* libreadperf: what its functions say of recordings made for the purpose. */
#include "tests/support/suite.h"
#include "tests/writer/mkperf.h"

#include <readperf/readperf.h>

#include <check.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The path of @name in the folder of recordings, which is given or below the current one. */
static const char *data_path(const char *name, char path[PATH_MAX])
{
	const char *folder = getenv("TESTS_DATA");

	snprintf(path, PATH_MAX, "%s/%s", folder ? folder : "tests/data", name);
	return path;
}

static struct readperf_recording *open_data(const char *name)
{
	struct readperf_error err = {0};
	char path[PATH_MAX];
	struct readperf_recording *recording = readperf_recording_open(data_path(name, path), &err);

	ck_assert_msg(recording, "%s", err.text);
	return recording;
}

/* Adds up the records, their samples and the periods of these. */
struct sums {
	uint64_t records, samples, period;
};

static struct sums sum_up(struct readperf_recording *recording)
{
	const struct readperf_record *record;
	struct readperf_error err = {0};
	struct sums sums = {0};
	uint64_t period;
	int rc;

	while ((rc = readperf_recording_next(recording, &record, &err)) > 0) {
		sums.records++;
		if (readperf_record_type(record) != READPERF_RECORD_SAMPLE)
			continue;
		sums.samples++;
		ck_assert_int_eq(readperf_record_number(record, READPERF_FIELD_PERIOD, &period), 1);
		sums.period += period;
	}
	ck_assert_msg(rc == 0, "%s", err.text);
	return sums;
}

START_TEST(test_a_recording_is_read_by_path_descriptor_and_memory)
{
	struct readperf_recording *by_path = open_data("demo.data"), *by_fd, *by_memory;
	char path[PATH_MAX];
	int fd = open(data_path("demo.data", path), O_RDONLY);
	const off_t size = lseek(fd, 0, SEEK_END);
	char *bytes = malloc((size_t)size);
	struct sums sums[3];

	ck_assert_int_eq(pread(fd, bytes, (size_t)size, 0), size);
	by_fd = readperf_recording_open_fd(fd, "a descriptor", NULL);
	by_memory = readperf_recording_open_memory(bytes, (size_t)size, "memory", NULL);
	close(fd);
	free(bytes);
	sums[0] = sum_up(by_path);
	sums[1] = sum_up(by_fd);
	sums[2] = sum_up(by_memory);
	ck_assert_uint_eq(sums[0].records, 802);
	ck_assert_uint_eq(sums[0].samples, 786);
	ck_assert_uint_eq(sums[0].period, UINT64_C(786) * 500000);
	ck_assert_mem_eq(&sums[1], &sums[0], sizeof(sums[0]));
	ck_assert_mem_eq(&sums[2], &sums[0], sizeof(sums[0]));
	readperf_recording_close(by_path);
	readperf_recording_close(by_fd);
	readperf_recording_close(by_memory);
}
END_TEST

/* What tells a record from others, and the bytes of its chain. */
static uint64_t mark_of(const struct readperf_record *record)
{
	uint64_t time, ips[64], mark = readperf_record_index(record) * 31;
	const size_t nr = readperf_record_words(record, READPERF_FIELD_CALLCHAIN, ips, 64);
	const char *name = readperf_record_text(record, READPERF_FIELD_FILENAME);

	readperf_record_number(record, READPERF_FIELD_TIME, &time);
	mark = mark * 31 + time;
	for (size_t i = 0; i < nr && i < 64; i++)
		mark = mark * 31 + ips[i];
	for (; name && *name; name++)
		mark = mark * 31 + (unsigned char)*name;
	return mark * 31 + readperf_record_type(record);
}

/* Reads @name by batches of @room records, looking at them when the batch is complete. */
static uint64_t mark_of_batches(const char *name, size_t room, bool in_order, size_t *nr_records)
{
	struct readperf_recording *recording = open_data(name);
	const struct readperf_record *records[300];
	struct readperf_error err = {0};
	uint64_t mark = 0;
	long nr;

	*nr_records = 0;
	if (in_order)
		readperf_recording_keep_order(recording);
	while ((nr = readperf_recording_next_batch(recording, records, room, &err)) > 0) {
		ck_assert_uint_le((size_t)nr, room);
		for (long i = 0; i < nr; i++) {
			if (in_order)
				ck_assert_uint_eq(readperf_record_index(records[i]), *nr_records);
			mark = mark * 31 + mark_of(records[i]);
			++*nr_records;
		}
	}
	ck_assert_msg(nr == 0, "%s", err.text);
	ck_assert_int_eq(readperf_recording_next_batch(recording, records, room, &err), 0);
	readperf_recording_close(recording);
	return mark;
}

START_TEST(test_batches_have_the_same_records)
{
	static const char *const names[] = {"demo.data",   "demo-callgraph.data", "demo-pipe.data",
					    "stacks.data", "service.data",	  "trace-tsc.data"};
	static const size_t rooms[] = {1, 7, 256, 300};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct readperf_recording *recording = open_data(names[i]);
		const struct readperf_record *record;
		uint64_t mark = 0;
		size_t nr = 0, nr_of_batches;

		for (; readperf_recording_next(recording, &record, NULL) > 0; nr++)
			mark = mark * 31 + mark_of(record);
		ck_assert_uint_gt(nr, 8);
		readperf_recording_close(recording);
		for (size_t j = 0; j < sizeof(rooms) / sizeof(rooms[0]); j++) {
			ck_assert_uint_eq(
				mark_of_batches(names[i], rooms[j], false, &nr_of_batches), mark);
			ck_assert_uint_eq(nr_of_batches, nr);
		}
		mark_of_batches(names[i], 100, true, &nr_of_batches);
		ck_assert_uint_eq(nr_of_batches, nr);
	}
}
END_TEST

/* Reads batches from @recording; returns how many records came until @most are there, or the end.
 */
static size_t count_batches(struct readperf_recording *recording, size_t most)
{
	const struct readperf_record *records[300];
	size_t sum = 0;
	long nr = 1;

	while (nr > 0 && sum < most) {
		nr = readperf_recording_next_batch(recording, records, 300, NULL);
		ck_assert_int_ge(nr, 0);
		sum += (size_t)nr;
	}
	return sum;
}

/* A batch does not wait for data of a pipe while it has records. */
START_TEST(test_batches_of_a_pipe)
{
	enum { FIRST_BYTES = 2048 };
	char path[PATH_MAX], bytes[1 << 16];
	int file = open(data_path("demo-pipe.data", path), O_RDONLY), fds[2];
	const ssize_t size = read(file, bytes, sizeof(bytes));
	struct readperf_recording *recording;
	size_t nr;

	ck_assert_int_gt(size, FIRST_BYTES);
	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(write(fds[1], bytes, FIRST_BYTES), FIRST_BYTES);
	recording = readperf_recording_open_fd(fds[0], "a pipe", NULL);
	ck_assert_ptr_nonnull(recording);
	nr = count_batches(recording, 1);
	ck_assert_uint_gt(nr, 0);
	ck_assert_int_eq(write(fds[1], bytes + FIRST_BYTES, (size_t)size - FIRST_BYTES),
			 size - FIRST_BYTES);
	close(fds[1]);
	nr += count_batches(recording, SIZE_MAX);
	readperf_recording_close(recording);
	close(fds[0]);
	recording = open_data("demo-pipe.data");
	ck_assert_uint_eq(nr, count_batches(recording, SIZE_MAX));
	readperf_recording_close(recording);
	close(file);
}
END_TEST

START_TEST(test_numbers_of_a_batch)
{
	struct readperf_recording *recording = open_data("demo.data");
	const struct readperf_record *records[100];
	uint64_t times[100], one;
	uint8_t has[100];
	size_t nr_with = 0, expected;
	long nr = readperf_recording_next_batch(recording, records, 100, NULL);

	ck_assert_int_gt(nr, 20);
	expected = readperf_records_numbers(records, (size_t)nr, READPERF_FIELD_PERIOD, times, has);
	for (long i = 0; i < nr; i++) {
		ck_assert_int_eq(has[i], readperf_record_has(records[i], READPERF_FIELD_PERIOD));
		readperf_record_number(records[i], READPERF_FIELD_PERIOD, &one);
		ck_assert_uint_eq(times[i], one);
		nr_with += has[i];
	}
	ck_assert_uint_eq(nr_with, expected);
	ck_assert_uint_lt(nr_with, (size_t)nr);
	ck_assert_uint_eq(
		readperf_records_numbers(records, (size_t)nr, READPERF_FIELD_COMM, times, NULL), 0);
	ck_assert_uint_eq(times[0], 0);
	readperf_recording_close(recording);
}
END_TEST

START_TEST(test_errors_have_kind_text_and_offset)
{
	struct readperf_error err = {0};
	char head[104] = "PERFILE2";
	uint64_t size = sizeof(head);

	ck_assert_ptr_null(readperf_recording_open("/nonexistent", &err));
	ck_assert_int_eq(err.kind, READPERF_ERROR_IO);
	ck_assert_uint_eq(err.offset, READPERF_NO_OFFSET);
	ck_assert_str_eq(err.text, "/nonexistent: cannot open it: No such file or directory");
	memcpy(head + 8, &size, sizeof(size)); /* its attr size is 0 */
	ck_assert_ptr_null(readperf_recording_open_memory(head, sizeof(head), "made", &err));
	ck_assert_int_eq(err.kind, READPERF_ERROR_FORMAT);
	ck_assert_uint_eq(err.offset, 16);
	ck_assert_ptr_null(readperf_recording_open_memory(head, 0, "nothing", &err));
	ck_assert_str_eq(err.text, "nothing: is empty, expected a recording made by perf record");
	ck_assert_ptr_null(readperf_recording_open_fd(-1, "none", &err));
	ck_assert_int_eq(err.kind, READPERF_ERROR_USAGE);
}
END_TEST

START_TEST(test_fields_are_there_or_not)
{
	struct readperf_recording *recording = open_data("demo.data");
	const struct readperf_record *record;
	uint64_t value, words[4];
	size_t len;

	do
		ck_assert_int_eq(readperf_recording_next(recording, &record, NULL), 1);
	while (readperf_record_type(record) != READPERF_RECORD_SAMPLE);
	ck_assert_int_eq(readperf_record_number(record, READPERF_FIELD_PID, &value), 1);
	ck_assert_uint_eq(value, 28815);
	ck_assert_int_eq(readperf_record_number(record, READPERF_FIELD_TIME, &value), 1);
	ck_assert_uint_eq(value / 1000, UINT64_C(4272357255));
	ck_assert_int_eq(readperf_record_number(record, READPERF_FIELD_IP, &value), 1);
	ck_assert_uint_eq(value, UINT64_C(0x7fd1bd0c714c));
	ck_assert_int_eq(readperf_record_number(record, READPERF_FIELD_PPID, &value), 0);
	ck_assert_uint_eq(value, 0);
	ck_assert_ptr_null(readperf_record_text(record, READPERF_FIELD_COMM));
	ck_assert_ptr_null(readperf_record_bytes(record, READPERF_FIELD_RAW, &len));
	ck_assert_uint_eq(len, 0);
	ck_assert_uint_eq(readperf_record_words(record, READPERF_FIELD_CALLCHAIN, words, 4), 0);
	ck_assert_int_eq(readperf_record_has(record, READPERF_FIELD_CALLCHAIN), 0);
	ck_assert_str_eq(readperf_event_name(readperf_record_event(record)), "cpu-clock:u");
	ck_assert_str_eq(readperf_field_name(READPERF_FIELD_STREAM_ID), "stream_id");
	ck_assert_ptr_null(readperf_field_name(READPERF_FIELD_VAR3_W + 1));
	ck_assert_ptr_null(readperf_field_name(-1));
	readperf_recording_close(recording);
}
END_TEST

static struct readperf_recording *open_made(struct mkperf *m)
{
	struct readperf_error err = {0};
	struct readperf_recording *recording;
	size_t len = 0;
	const uint8_t *bytes = mkperf_finish(m, &len);

	ck_assert_ptr_nonnull(bytes);
	recording = readperf_recording_open_memory(bytes, len, "made", &err);
	ck_assert_msg(recording, "%s", err.text);
	mkperf_free(m);
	return recording;
}

/* A recording of one event, which has a raw field or counts in @read_format. */
static struct mkperf *new_made(uint64_t sample_type, uint64_t read_format)
{
	static const uint64_t id = 7;
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = false});

	mkperf_event(m, &(struct mkperf_event){.name = "cycles",
					       .sample_type = PERF_SAMPLE_TIME | sample_type,
					       .read_format = read_format,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					       .ids = &id,
					       .nr_ids = 1});
	return m;
}

START_TEST(test_times_of_counters)
{
	static const uint64_t both =
		PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	static const uint64_t formats[] = {0, both, PERF_FORMAT_GROUP, PERF_FORMAT_GROUP | both};
	static const uint64_t reads[][4] = {{70}, {70, 8, 6}, {1, 70}, {1, 8, 6, 70}};
	struct mkperf *m = new_made(PERF_SAMPLE_READ, formats[_i]);
	const int has = (formats[_i] & both) != 0;
	struct readperf_recording *recording;
	const struct readperf_record *record;
	uint64_t words[3], value;
	size_t nr = 1;

	while (nr < 4 && reads[_i][nr])
		nr++;
	mkperf_sample(m, &(struct mkperf_sample){.time = 5, .read = reads[_i], .nr_read = nr});
	recording = open_made(m);
	ck_assert_int_eq(readperf_recording_next(recording, &record, NULL), 1);
	ck_assert_int_eq(readperf_record_number(record, READPERF_FIELD_ENABLED, &value), has);
	ck_assert_uint_eq(value, has ? 8 : 0);
	ck_assert_int_eq(readperf_record_number(record, READPERF_FIELD_RUNNING, &value), has);
	ck_assert_uint_eq(value, has ? 6 : 0);
	ck_assert_uint_eq(readperf_record_words(record, READPERF_FIELD_VALUES, words, 3), 2);
	ck_assert_uint_eq(words[0], 70);
	readperf_recording_close(recording);
}
END_TEST

/* A big-endian machine lays out the bit fields of flags from the other end. _i: it is one. */
START_TEST(test_branches_of_either_byte_order)
{
	/* mispred, in_tx, cycles, type, spec, new_type, priv, and bits that are not in use */
	static const uint64_t little = 1 | 1 << 2 | UINT64_C(0x1234) << 4 | 5 << 20 | 2 << 24 |
				       9 << 26 | UINT64_C(6) << 30 | UINT64_C(0x12345) << 33;
	static const uint64_t big = UINT64_C(1) << 63 | UINT64_C(1) << 61 | UINT64_C(0x1234) << 44 |
				    UINT64_C(5) << 40 | UINT64_C(2) << 38 | UINT64_C(9) << 34 |
				    UINT64_C(6) << 31 | 0x12345;
	static const bool is_host_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = _i != is_host_big});
	const struct mkperf_branch branches[] = {{0x401000, 0x402000, _i ? big : little},
						 {0x403000, 0x404000, 0}};
	struct readperf_recording *recording;
	const struct readperf_record *record;
	uint64_t words[6] = {0};

	mkperf_event(m, &(struct mkperf_event){.sample_type = PERF_SAMPLE_BRANCH_STACK});
	mkperf_sample(m, &(struct mkperf_sample){.branches = branches, .nr_branches = 2});
	recording = open_made(m);
	ck_assert_int_eq(readperf_recording_next(recording, &record, NULL), 1);
	ck_assert_uint_eq(readperf_record_words(record, READPERF_FIELD_BRANCHES, words, 5), 6);
	ck_assert_uint_eq(words[0], 0x401000);
	ck_assert_uint_eq(words[1], 0x402000);
	ck_assert_uint_eq(words[2], little);
	ck_assert_uint_eq(words[3], 0x403000);
	ck_assert_uint_eq(words[4], 0x404000);
	ck_assert_uint_eq(words[5], 0);
	readperf_recording_close(recording);
}
END_TEST

/* A weight is a latency of 64 bits, or of 32 bits with two other numbers. _i: with them. */
START_TEST(test_parts_of_a_weight)
{
	static const uint64_t weight = UINT64_C(5) << 48 | UINT64_C(30) << 32 | 100;
	struct mkperf *m = new_made(_i ? PERF_SAMPLE_WEIGHT_STRUCT : PERF_SAMPLE_WEIGHT, 0);
	struct readperf_recording *recording;
	const struct readperf_record *record;
	uint64_t value;

	mkperf_sample(m, &(struct mkperf_sample){.weight = weight});
	recording = open_made(m);
	ck_assert_int_eq(readperf_recording_next(recording, &record, NULL), 1);
	ck_assert_int_eq(readperf_record_number(record, READPERF_FIELD_WEIGHT, &value), 1);
	ck_assert_uint_eq(value, _i ? 100 : weight);
	ck_assert_int_eq(readperf_record_number(record, READPERF_FIELD_VAR2_W, &value), _i);
	ck_assert_uint_eq(value, _i ? 30 : 0);
	ck_assert_int_eq(readperf_record_number(record, READPERF_FIELD_VAR3_W, &value), _i);
	ck_assert_uint_eq(value, _i ? 5 : 0);
	readperf_recording_close(recording);
}
END_TEST

START_TEST(test_time_of_day)
{
	struct mkperf *m = new_made(0, 0);
	struct readperf_recording *recording = open_data("demo.data");
	int64_t wall = 1;

	ck_assert_int_eq(readperf_recording_wall_time(recording, 5, &wall), 0);
	ck_assert_int_eq(wall, 0);
	readperf_recording_close(recording);
	mkperf_sample(m, &(struct mkperf_sample){.time = 2007});
	mkperf_feature_begin(m, MKPERF_CLOCK_DATA);
	mkperf_u32(m, 1);
	mkperf_u32(m, 1);
	mkperf_u64(m, 1700000000000000000);
	mkperf_u64(m, 2000);
	mkperf_feature_end(m);
	recording = open_made(m);
	ck_assert_int_eq(readperf_recording_wall_time(recording, 2007, &wall), 1);
	ck_assert_int_eq(wall, 1700000000000000007);
	readperf_recording_close(recording);
}
END_TEST

/* Large records fill many blocks, of which a batch keeps but some; those of damage are passed. */
START_TEST(test_batches_of_large_records)
{
	enum { NR = 90, BYTES = 60004 };
	static char raw[BYTES];
	uint64_t damaged[2] = {0, UINT32_MAX}; /* its raw field is longer than the record */
	struct mkperf *m = new_made(PERF_SAMPLE_RAW, 0);
	struct readperf_recording *recording;
	const struct readperf_record *records[NR];
	long nr, sum = 0, batches = 0;
	size_t len;

	for (unsigned i = 0; i < NR; i++) {
		memset(raw, (int)i, sizeof(raw));
		/* later ones first, each ten */
		mkperf_sample(m, &(struct mkperf_sample){.time = 1000 + i / 10 * 10 + 9 - i % 10,
							 .raw = raw,
							 .raw_size = BYTES});
		damaged[0] = 1000 + i;
		mkperf_record(m, PERF_RECORD_SAMPLE, 0, damaged, sizeof(damaged));
	}
	recording = open_made(m);
	while ((nr = readperf_recording_next_batch(recording, records, NR, NULL)) > 0) {
		for (long i = 0; i < nr; i++) {
			const long at = (sum + i) / 10 * 10 + 9 - (sum + i) % 10;
			const unsigned char *bytes =
				readperf_record_bytes(records[i], READPERF_FIELD_RAW, &len);

			ck_assert_uint_ge(len, BYTES);
			ck_assert_int_eq(bytes[0], (int)at);
			ck_assert_int_eq(bytes[BYTES - 1], (int)at);
		}
		sum += nr;
		batches++;
	}
	ck_assert_int_eq(sum, NR);
	ck_assert_uint_eq(readperf_recording_count(recording, READPERF_COUNT_DAMAGED), NR);
	ck_assert_int_ge(batches, 2);
	readperf_recording_close(recording);
}
END_TEST

/* The end of a stream that broke off is an error, once, after its records. _i: in batches. */
START_TEST(test_broken_off)
{
	const struct mkperf_options options = {.pipe = true};
	struct mkperf *m = mkperf_new(&options);
	struct readperf_recording *recording;
	const struct readperf_record *record;
	struct readperf_error err = {0};
	const uint8_t *bytes;
	long rc, nr = 0;
	int fds[2];
	size_t len;
	char why[100];

	mkperf_event(m, &(struct mkperf_event){.sample_type = PERF_SAMPLE_TIME});
	for (uint64_t i = 0; i < 20; i++)
		mkperf_sample(m, &(struct mkperf_sample){.time = i});
	bytes = mkperf_finish(m, &len);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	ck_assert_int_eq(write(fds[0], "?", 1), 1); /* nobody reads it: an error for who wrote it */
	ck_assert_int_eq(write(fds[1], bytes, len), (ssize_t)len);
	close(fds[1]);
	recording = readperf_recording_open_fd(fds[0], "socket", &err);
	ck_assert_ptr_nonnull(recording);
	close(fds[0]);
	while ((rc = _i ? readperf_recording_next_batch(recording, &record, 1, &err)
			: readperf_recording_next(recording, &record, &err)) > 0)
		nr += readperf_record_type(record) == PERF_RECORD_SAMPLE;
	ck_assert_int_eq(rc, -1);
	ck_assert_int_eq(nr, 20);
	snprintf(why, sizeof(why), "socket: broke off at byte %zu: Connection reset by peer", len);
	ck_assert_str_eq(err.text, why);
	ck_assert_int_eq(readperf_recording_next(recording, &record, &err), 0);
	readperf_recording_close(recording);
	mkperf_free(m);
}
END_TEST

/* Counts the processes that are called as @arg says. */
struct named {
	const char *comm;
	unsigned nr;
};

static int count_named(void *arg, uint32_t pid, uint32_t ppid, const char *comm)
{
	struct named *named = arg;

	ck_assert_uint_ne(pid, ppid);
	named->nr += strcmp(named->comm, comm) == 0;
	return 0;
}

static int stop_at_second(void *arg, uint64_t start, uint64_t end, uint64_t pgoff,
			  const struct readperf_binary *binary)
{
	unsigned *nr = arg;

	ck_assert_uint_lt(start, end);
	ck_assert_uint_eq(pgoff % 4096, 0);
	ck_assert_ptr_nonnull(readperf_binary_path(binary));
	return ++*nr == 2 ? 7 : 0;
}

START_TEST(test_a_replay_knows_what_is_now)
{
	struct readperf_recording *recording = open_data("demo.data");
	struct readperf_replay *replay = readperf_replay_create(recording, NULL, NULL);
	const struct readperf_record *record;
	const struct readperf_binary *binary;
	struct named demo = {"demo", 0};
	unsigned nr_maps = 0;
	uint64_t place;

	do {
		ck_assert_int_eq(readperf_recording_next(recording, &record, NULL), 1);
		ck_assert_int_eq(readperf_replay_apply(replay, record, NULL), 1);
	} while (readperf_record_type(record) != READPERF_RECORD_SAMPLE);
	ck_assert_str_eq(readperf_replay_comm(replay, record), "demo");
	ck_assert_str_eq(readperf_replay_thread_comm(replay, 28815, 28815), "demo");
	ck_assert_str_eq(readperf_replay_thread_comm(replay, 1, 1), "");
	binary = readperf_replay_locate(replay, 28815, READPERF_CPUMODE_USER, 0x7fd1bd0c714c,
					&place);
	ck_assert_str_eq(readperf_binary_path(binary), "/opt/demo/demo");
	ck_assert_uint_eq(place, 0x114c);
	binary = readperf_replay_locate(replay, 1, READPERF_CPUMODE_USER, 0x1000, &place);
	ck_assert_str_eq(readperf_binary_path(binary), "[unmapped]");
	ck_assert_int_eq(readperf_replay_processes(replay, count_named, &demo), 0);
	ck_assert_uint_eq(demo.nr, 2);
	ck_assert_int_eq(readperf_replay_maps(replay, 28815, stop_at_second, &nr_maps), 7);
	ck_assert_int_eq(readperf_replay_chain(replay, record, NULL), 1);
	ck_assert_uint_eq(readperf_replay_frame_ip(replay, 0), UINT64_C(0x7fd1bd0c714c));
	ck_assert_int_eq(readperf_replay_frame_returns(replay, 0), 0);
	ck_assert_ptr_null(readperf_replay_frame_place(replay, 1, &place));
	readperf_replay_free(replay);
	readperf_recording_close(recording);
}
END_TEST

static struct readperf_replay *replay_all(struct readperf_recording *recording,
					  const struct readperf_settings *settings)
{
	struct readperf_error err = {0};
	struct readperf_replay *replay = readperf_replay_create(recording, settings, &err);
	const struct readperf_record *record;

	ck_assert_msg(replay, "%s", err.text);
	while (readperf_recording_next(recording, &record, &err) > 0)
		ck_assert_int_ge(readperf_replay_apply(replay, record, &err), 0);
	ck_assert_msg(readperf_replay_finish(replay, &err) == 0, "%s", err.text);
	return replay;
}

static struct readperf_settings *settings_of(const char *tables)
{
	struct readperf_settings *settings = readperf_settings_create(NULL);
	char path[PATH_MAX];

	ck_assert_int_eq(readperf_settings_set(settings, "tables", tables, NULL), 0);
	ck_assert_int_eq(
		readperf_settings_set(settings, "buildid-dir", data_path("buildid", path), NULL),
		0);
	return settings;
}

START_TEST(test_tables_are_arrays)
{
	struct readperf_settings *settings = settings_of("results,overview");
	struct readperf_recording *recording = open_data("demo.data");
	struct readperf_replay *replay = replay_all(recording, settings);
	struct readperf_table *table = readperf_table_read(replay, "results", NULL);
	const size_t function = readperf_table_find(table, "function");
	const size_t line = readperf_table_find(table, "line");
	const uint64_t *period;
	uint64_t sum = 0;

	ck_assert_uint_eq(readperf_table_nr_columns(table), 16);
	period = readperf_table_numbers(table, 0);
	for (size_t i = 0; i < readperf_table_nr_rows(table); i++)
		sum += period[i];
	ck_assert_uint_eq(sum, UINT64_C(786) * 500000);
	ck_assert_int_eq(readperf_table_column_type(table, function), READPERF_COLUMN_TEXT);
	ck_assert_str_eq(
		readperf_table_text(table, function, readperf_table_codes(table, function)[0]),
		"count_words");
	ck_assert_ptr_null(readperf_table_text(table, function, 1000000));
	ck_assert_uint_eq(readperf_table_known(table, line)[0], 1);
	ck_assert_ptr_null(readperf_table_codes(table, 0));
	ck_assert_ptr_null(readperf_table_numbers(table, 16));
	readperf_table_free(table);
	table = readperf_table_read(replay, "overview", NULL);
	ck_assert_uint_eq(readperf_table_nr_rows(table), 802);
	readperf_table_free(table);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	readperf_settings_free(settings);
}
END_TEST

/* The samples in the tables of @recording, which is closed, within @time. */
static uint64_t count_within(struct readperf_recording *recording, const char *time)
{
	struct readperf_settings *settings = settings_of("results");
	struct readperf_replay *replay;
	struct readperf_table *table;
	const uint64_t *samples;
	uint64_t sum = 0;

	ck_assert_int_eq(readperf_settings_set(settings, "time", time, NULL), 0);
	replay = replay_all(recording, settings);
	table = readperf_table_read(replay, "results", NULL);
	samples = readperf_table_numbers(table, readperf_table_find(table, "samples"));
	for (size_t i = 0; i < readperf_table_nr_rows(table); i++)
		sum += samples[i];
	readperf_table_free(table);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	readperf_settings_free(settings);
	return sum;
}

/* Returns the recording called @name with its bytes in a pipe. */
static struct readperf_recording *open_piped(const char *name)
{
	static uint8_t bytes[65536]; /* as many as a pipe takes */
	char path[PATH_MAX];
	struct readperf_recording *recording;
	ssize_t size;
	int fds[2], fd = open(data_path(name, path), O_RDONLY | O_CLOEXEC);

	ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
	size = read(fd, bytes, sizeof(bytes));
	ck_assert_int_eq(write(fds[1], bytes, (size_t)size), size);
	close(fd);
	close(fds[1]);
	recording = readperf_recording_open_fd(fds[0], "a pipe", NULL);
	close(fds[0]);
	return recording;
}

START_TEST(test_time_from_the_first_sample_and_parts_of_it)
{
	struct readperf_settings *settings = settings_of("results");
	struct readperf_recording *pipe = open_piped("demo-pipe.data");
	struct readperf_error err;

	ck_assert_uint_eq(count_within(open_data("demo.data"), "0%,50%"), 443);
	ck_assert_uint_eq(count_within(open_data("demo.data"), "50%,100%"), 343);
	ck_assert_uint_eq(count_within(open_data("demo.data"), "+0.1,+0.2"), 235);
	ck_assert_uint_eq(count_within(open_piped("demo-pipe.data"), "+0.1,+0.2"), 235);
	ck_assert_int_eq(readperf_settings_set(settings, "time", "0%,50%", NULL), 0);
	ck_assert_ptr_null(readperf_replay_create(pipe, settings, &err));
	ck_assert_int_eq(err.kind, READPERF_ERROR_USAGE);
	readperf_recording_close(pipe);
	readperf_settings_free(settings);
}
END_TEST

START_TEST(test_tables_that_are_not_there)
{
	struct readperf_settings *settings = settings_of("results");
	struct readperf_recording *recording = open_data("demo.data");
	struct readperf_replay *replay = readperf_replay_create(recording, settings, NULL);
	struct readperf_error err = {0};

	ck_assert_ptr_null(readperf_table_read(replay, "nonsense", &err));
	ck_assert_str_eq(err.text, "table nonsense: there is none");
	ck_assert_ptr_null(readperf_table_read(replay, "lines", &err));
	ck_assert_str_eq(err.text, "table lines: the setting tables does not name it");
	ck_assert_ptr_null(readperf_table_read(replay, "results", &err));
	ck_assert_str_eq(err.text,
			 "table results: there are no results before readperf_replay_finish()");
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	readperf_settings_free(settings);
}
END_TEST

static const struct {
	const char *option, *value, *message;
} wrong_settings[] = {
	{"colour", "red", "option --colour: there is none"},
	{"threads", "many", "option --threads: 'many' is not a number from 0 to 1024"},
	{"threads", " 5", "option --threads: ' 5' is not a number from 0 to 1024"},
	{"threads", "+3", "option --threads: '+3' is not a number from 0 to 1024"},
	{"threads", "1025", "option --threads: '1025' is not a number from 0 to 1024"},
	{"demangle", "half", "option --demangle: 'half' is not one of full|short|none"},
	{"unwind", "lbr,fp", "option --unwind: 'lbr,fp' is not one of auto|dwarf|lbr|fp|none"},
	{"symfs", "/nonexistent", "option --symfs: '/nonexistent' is not a directory"},
	{"buildid-dir", "/dev/null",
	 "option --buildid-dir: '/dev/null' is neither a directory nor an archive"},
	{"vmlinux", "/nonexistent",
	 "option --vmlinux: '/nonexistent' cannot be read: No such file or directory"},
	{"kallsyms", "/", "option --kallsyms: '/' cannot be read: Is a directory"},
	{"event", "", "option --event: a name in '' is empty"},
	{"pid", "one", "option --pid: 'one' is neither a number nor a range such as 0-3"},
	{"slice", "100", "option --slice: '100' is not a length of time such as 100ms"},
	{"slice-by", "thread",
	 "option --slice-by: 'thread' is not one of process|function|cpu|none"},
	{"metric", "ipc", "option --metric: 'ipc' is not NAME=EVENT/EVENT"},
	{"max-stack", "0", "option --max-stack: '0' is not a number from 1 to 65535"},
	{"source-dir", "/nonexistent", "option --source-dir: '/nonexistent' is not a directory"},
	{"root", "/", "option --root: '/' is not PID=DIR"},
	{"tag", "period=1",
	 "option --tag: 'period' is a column of overview.csv: choose another name"},
	{"per", "comm,event",
	 "option --per: 'event' is a column of results.csv: name it as "
	 "EVENT.event"},
};

/* As on the command line: what is wrong is told when it is set, and then forgotten. */
START_TEST(test_wrong_settings_are_told)
{
	struct readperf_settings *settings = settings_of("results");
	struct readperf_error err = {0};

	ck_assert_int_eq(readperf_settings_set(settings, wrong_settings[_i].option,
					       wrong_settings[_i].value, &err),
			 -1);
	ck_assert_int_eq(err.kind, READPERF_ERROR_USAGE);
	ck_assert_msg(strncmp(err.text, wrong_settings[_i].message,
			      strlen(wrong_settings[_i].message)) == 0,
		      "%s", err.text);
	ck_assert_int_eq(readperf_settings_set(settings, "tag", "version=1", &err), 0);
	readperf_settings_free(settings);
}
END_TEST

/* The number of rows of the table @name of @recording; frees that and @settings. */
static size_t count_rows(struct readperf_recording *recording, struct readperf_settings *settings,
			 const char *name)
{
	struct readperf_replay *replay = replay_all(recording, settings);
	struct readperf_table *table = readperf_table_read(replay, name, NULL);
	const size_t nr = readperf_table_nr_rows(table);

	readperf_table_free(table);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	readperf_settings_free(settings);
	return nr;
}

static const struct {
	const char *recording, *table, *option, *value;
	size_t nr_rows;
} table_settings[] = {
	{"demo.data", "slices", "slice", "100ms", 8},
	{"demo.data", "slices", "slice", "10ms", 53},
	{"demo.data", "slices", "slice-by", "none", 5},
	{"demo.data", "slices", "slice-by", "function", 27},
	{"demo-callgraph.data", "metrics", "inline", "no", 0},
	{"demo-callgraph.data", "metrics", "metric", "faults=page-faults:u/cpu-clock:u", 8},
	{"stacks.data", "paths", "max-stack", "65535", 29},
	{"stacks.data", "paths", "max-stack", "2", 9},
};

/* What the rows of a table are decided by, as on the command line. */
START_TEST(test_settings_of_tables)
{
	struct readperf_settings *settings = settings_of(table_settings[_i].table);

	ck_assert_int_eq(readperf_settings_set(settings, table_settings[_i].option,
					       table_settings[_i].value, NULL),
			 0);
	ck_assert_uint_eq(count_rows(open_data(table_settings[_i].recording), settings,
				     table_settings[_i].table),
			  table_settings[_i].nr_rows);
}
END_TEST

/* Events of a metric are looked for once the recording's are known; too many metrics are refused.
 */
START_TEST(test_metrics_that_cannot_be)
{
	struct readperf_settings *settings = settings_of("metrics");
	struct readperf_recording *recording = open_data("demo.data");
	struct readperf_replay *replay;
	struct readperf_error err = {0};
	char metric[64];
	int nr = 0;

	do
		snprintf(metric, sizeof(metric), "ipc%d=instructions/cycles", ++nr);
	while (readperf_settings_set(settings, "metric", metric, &err) == 0);
	ck_assert_int_eq(nr, 65);
	ck_assert_str_eq(err.text, "option --metric: at most 64 may be given");
	replay = readperf_replay_create(recording, settings, &err);
	ck_assert_int_eq(readperf_replay_finish(replay, &err), -1);
	ck_assert_int_eq(err.kind, READPERF_ERROR_USAGE);
	ck_assert_msg(strstr(err.text, "does not name two events of the recording"), "%s",
		      err.text);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	readperf_settings_free(settings);
}
END_TEST

/* What perf archive packs stands for the directory. */
START_TEST(test_binaries_in_an_archive)
{
	struct readperf_settings *settings = settings_of("results");
	struct readperf_recording *recording = open_data("demo.data");
	char path[PATH_MAX];

	for (int i = 0; i < 2; i++) /* the second one takes the place of the first */
		ck_assert_int_eq(readperf_settings_set(settings, "buildid-dir",
						       data_path("demo.data.tar.bz2", path), NULL),
				 0);
	ck_assert_uint_eq(count_rows(recording, settings, "results"), 6);
}
END_TEST

/* The bytes of a trace that come from a pipe are kept. */
START_TEST(test_traces_of_a_pipe)
{
	struct readperf_settings *settings = settings_of("spe");
	char path[PATH_MAX], command[PATH_MAX + 8];
	struct readperf_recording *recording;
	FILE *cat;

	snprintf(command, sizeof(command), "cat '%s'", data_path("spe.data", path));
	cat = popen(command, "r"); /* NOLINT(cert-env33-c): a pipe like a user's */
	ck_assert_ptr_nonnull(cat);
	recording = readperf_recording_open_fd(fileno(cat), "a pipe", NULL);
	ck_assert_ptr_nonnull(recording);
	ck_assert_uint_eq(count_rows(recording, settings, "spe"), 21);
	pclose(cat);
}
END_TEST

/* What a function that returns @failed says of its argument @name, which is NULL. */
#define assert_null_is_told(failed, name)                                  \
	do {                                                               \
		struct readperf_error err = {0};                           \
		ck_assert(failed);                                         \
		ck_assert_int_eq(err.kind, READPERF_ERROR_USAGE);          \
		ck_assert_str_eq(err.text, name ": the argument is NULL"); \
	} while (0)

START_TEST(test_texts_that_are_null_are_told)
{
	struct readperf_settings *settings = settings_of("results");
	struct readperf_recording *recording = open_data("demo.data");
	struct readperf_replay *replay = readperf_replay_create(recording, settings, NULL);
	struct readperf_symbols *symbols = readperf_replay_symbols(replay);

	assert_null_is_told(!readperf_recording_open(NULL, &err), "path");
	assert_null_is_told(!readperf_recording_open_fd(0, NULL, &err), "name");
	assert_null_is_told(!readperf_recording_open_memory("", 0, NULL, &err), "name");
	assert_null_is_told(!readperf_recording_open_memory(NULL, 1, "made", &err), "bytes");
	assert_null_is_told(readperf_settings_set(settings, NULL, "x", &err) == -1, "option");
	assert_null_is_told(readperf_settings_set(settings, "tables", NULL, &err) == -1, "value");
	assert_null_is_told(!readperf_symbols_binary(symbols, NULL, NULL, 0, &err), "path");
	assert_null_is_told(!readperf_symbols_binary(symbols, "/a", NULL, 20, &err), "build_id");
	assert_null_is_told(!readperf_table_read(replay, NULL, &err), "name");
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	readperf_settings_free(settings);
}
END_TEST

START_TEST(test_a_build_id_that_is_too_long_is_told)
{
	static const unsigned char id[21];
	struct readperf_symbols *symbols = readperf_symbols_create(NULL, NULL);
	const struct readperf_binary *binary;
	struct readperf_error err;
	size_t len;

	ck_assert_ptr_null(readperf_symbols_binary(symbols, "/a", id, 21, &err));
	ck_assert_int_eq(err.kind, READPERF_ERROR_USAGE);
	ck_assert_str_eq(err.text, "build_id: 21 bytes are more than 20");
	ck_assert_ptr_null(readperf_symbols_binary(symbols, "/a", id, 21, NULL));
	binary = readperf_symbols_binary(symbols, "/a", id, 20, &err);
	ck_assert_ptr_nonnull(binary);
	readperf_binary_build_id(binary, &len);
	ck_assert_uint_eq(len, 20);
	readperf_symbols_free(symbols);
}
END_TEST

START_TEST(test_handles_that_are_null_are_told)
{
	struct readperf_recording *recording = open_data("demo.data");
	struct readperf_replay *replay = readperf_replay_create(recording, NULL, NULL);
	struct readperf_symbols *symbols = readperf_replay_symbols(replay);
	const struct readperf_record *record;

	assert_null_is_told(readperf_recording_next(NULL, &record, &err) == -1, "recording");
	assert_null_is_told(readperf_recording_next_batch(NULL, &record, 1, &err) == -1,
			    "recording");
	assert_null_is_told(!readperf_facts_read(NULL, &err), "recording");
	assert_null_is_told(!readperf_replay_create(NULL, NULL, &err), "recording");
	ck_assert_int_eq(readperf_recording_next(recording, &record, NULL), 1);
	assert_null_is_told(readperf_replay_apply(NULL, record, &err) == -1, "replay");
	assert_null_is_told(readperf_replay_apply(replay, NULL, &err) == -1, "record");
	assert_null_is_told(readperf_replay_chain(NULL, record, &err) == -1, "replay");
	assert_null_is_told(readperf_replay_chain(replay, NULL, &err) == -1, "record");
	assert_null_is_told(readperf_replay_snapshot(NULL, &err) == -1, "replay");
	assert_null_is_told(readperf_replay_finish(NULL, &err) == -1, "replay");
	assert_null_is_told(readperf_settings_set(NULL, "tables", "all", &err) == -1, "settings");
	assert_null_is_told(!readperf_symbols_binary(NULL, "/a", NULL, 0, &err), "symbols");
	assert_null_is_told(!readperf_symbols_find(NULL, NULL, 0, &err), "symbols");
	assert_null_is_told(!readperf_symbols_find(symbols, NULL, 0, &err), "binary");
	assert_null_is_told(!readperf_table_read(NULL, "results", &err), "replay");
	ck_assert_int_eq(readperf_recording_next(NULL, &record, NULL), -1);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
}
END_TEST

START_TEST(test_no_table_is_an_empty_one)
{
	ck_assert_uint_eq(readperf_table_nr_rows(NULL), 0);
	ck_assert_uint_eq(readperf_table_nr_columns(NULL), 0);
	ck_assert_uint_eq(readperf_table_find(NULL, "samples"), 0);
	ck_assert_int_eq(readperf_table_column_type(NULL, 0), 0);
	ck_assert_ptr_null(readperf_table_column_name(NULL, 0));
	ck_assert_ptr_null(readperf_table_numbers(NULL, 0));
	ck_assert_ptr_null(readperf_table_known(NULL, 0));
	ck_assert_uint_eq(readperf_table_nr_texts(NULL, 0), 0);
	ck_assert_ptr_null(readperf_table_text(NULL, 0, 0));
}
END_TEST

START_TEST(test_frames_that_are_not_there)
{
	struct readperf_recording *recording = open_data("demo.data");
	struct readperf_replay *replay = readperf_replay_create(recording, NULL, NULL);
	uint64_t place = 1;

	ck_assert_ptr_null(readperf_replay_frame_place(replay, 0, &place));
	ck_assert_uint_eq(place, 0);
	ck_assert_uint_eq(readperf_replay_frame_ip(replay, 0), 0);
	ck_assert_int_eq(readperf_replay_frame_returns(replay, 0), 0);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
}
END_TEST

START_TEST(test_every_table_is_read)
{
	struct readperf_settings *settings = settings_of("all");
	struct readperf_recording *recording = open_data("demo-callgraph.data");
	struct readperf_replay *replay = replay_all(recording, settings);
	const char *name;
	size_t nr = 0;

	for (; (name = readperf_table_name(nr)); nr++) {
		struct readperf_table *table = readperf_table_read(replay, name, NULL);

		ck_assert_msg(table, "%s", name);
		for (size_t i = 0; i < readperf_table_nr_columns(table); i++)
			ck_assert_int_ne(readperf_table_column_type(table, i), 0);
		readperf_table_free(table);
	}
	ck_assert_uint_ge(nr, 21);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	readperf_settings_free(settings);
}
END_TEST

/* The rows of a run tell which it is. */
START_TEST(test_tags_are_columns)
{
	struct readperf_settings *settings = settings_of("threads,run");
	struct readperf_recording *recording = open_data("demo.data");
	struct readperf_error err = {0};
	struct readperf_replay *replay;
	struct readperf_table *table, *run;
	size_t tag, column;

	ck_assert_int_eq(readperf_settings_set(settings, "tag", "branch=main", NULL), 0);
	ck_assert_int_eq(readperf_settings_set(settings, "tag", "no value", &err), -1);
	ck_assert_int_eq(err.kind, READPERF_ERROR_USAGE);
	replay = replay_all(recording, settings);
	table = readperf_table_read(replay, "threads", NULL);
	run = readperf_table_read(replay, "run", NULL);
	tag = readperf_table_find(table, "branch");
	column = readperf_table_find(table, "run");
	ck_assert_uint_eq(tag, readperf_table_nr_columns(table) - 1);
	ck_assert_str_eq(readperf_table_text(table, tag, readperf_table_codes(table, tag)[0]),
			 "main");
	ck_assert_int_eq(readperf_table_column_type(table, column), READPERF_COLUMN_ADDRESS);
	ck_assert_uint_eq(readperf_table_numbers(table, column)[0], UINT64_C(3583805169799644138));
	ck_assert_uint_eq(readperf_table_numbers(run, 0)[0], UINT64_C(3583805169799644138));
	ck_assert_str_eq(readperf_table_column_name(run, 1), "file");
	ck_assert(
		strstr(readperf_table_text(run, 1, readperf_table_codes(run, 1)[0]), "demo.data"));
	readperf_table_free(run);
	readperf_table_free(table);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	readperf_settings_free(settings);
}
END_TEST

/* What was not opened by its path is no run that can be told: its name may be another file's. */
START_TEST(test_runs_without_a_path)
{
	struct readperf_settings *settings = settings_of("run");
	char path[PATH_MAX];
	const int fd = open(data_path("demo.data", path), O_RDONLY);
	struct readperf_recording *recordings[] = {
		open_made(new_made(0, 0)),
		readperf_recording_open_fd(fd, data_path("demo-callgraph.data", path), NULL)};

	close(fd);
	for (size_t i = 0; i < 2; i++) {
		struct readperf_replay *replay = replay_all(recordings[i], settings);
		struct readperf_table *run = readperf_table_read(replay, "run", NULL);

		ck_assert_uint_eq(readperf_table_nr_rows(run), 1);
		ck_assert_uint_eq(readperf_table_known(run, 0)[0], 0);
		ck_assert_str_eq(readperf_table_text(run, 1, readperf_table_codes(run, 1)[0]),
				 i ? path : "made");
		readperf_table_free(run);
		readperf_replay_free(replay);
		readperf_recording_close(recordings[i]);
	}
	readperf_settings_free(settings);
}
END_TEST

START_TEST(test_symbols_alone)
{
	struct readperf_settings *settings = settings_of("none");
	struct readperf_symbols *symbols = readperf_symbols_create(settings, NULL);
	const struct readperf_binary *missing =
		readperf_symbols_binary(symbols, "/nonexistent/file", NULL, 0, NULL);
	const struct readperf_symbol *symbol =
		readperf_symbols_find(symbols, missing, 0x1000, NULL);

	ck_assert_str_eq(readperf_symbol_function(symbol), "[unknown]");
	ck_assert_str_eq(readperf_symbol_reason(symbol), "file-missing");
	ck_assert_ptr_null(readperf_symbol_inlined_into(symbol));
	ck_assert_str_eq(readperf_symbols_file(symbols, missing), "");
	ck_assert_ptr_eq(readperf_symbols_binary(symbols, "/nonexistent/file", NULL, 0, NULL),
			 missing);
	readperf_symbols_free(symbols);
	readperf_settings_free(settings);
}
END_TEST

START_TEST(test_names_lines_and_offsets)
{
	struct readperf_settings *settings = settings_of("none");
	struct readperf_recording *recording = open_data("demo.data");
	struct readperf_replay *replay = replay_all(recording, settings);
	const struct readperf_symbol *symbol;
	const struct readperf_binary *binary = NULL, *other;
	size_t nr = readperf_recording_nr_build_ids(recording), len;
	const unsigned char *id;

	for (size_t i = 0; i < nr; i++) {
		const char *path = readperf_recording_build_id(recording, i, &id, &len);

		if (strcmp(path, "/opt/demo/demo") == 0)
			binary = readperf_symbols_binary(readperf_replay_symbols(replay), path, id,
							 len, NULL);
	}
	ck_assert_ptr_nonnull(binary);
	symbol = readperf_symbols_find(readperf_replay_symbols(replay), binary, 0x114c, NULL);
	ck_assert_str_eq(readperf_symbol_function(symbol), "make_text");
	ck_assert_str_eq(readperf_symbol_reason(symbol), "");
	ck_assert_uint_eq(readperf_symbol_address(symbol), 0x114c);
	ck_assert_uint_lt(readperf_symbol_offset(symbol), readperf_symbol_size(symbol));
	ck_assert_uint_gt(readperf_symbol_line(symbol), 0);
	ck_assert_uint_ge(readperf_symbol_statement_line(symbol), readperf_symbol_line(symbol));
	/* a binary that the replay does not know is none of its own */
	other = readperf_symbols_binary(readperf_replay_symbols(replay), "/nonexistent", NULL, 0,
					NULL);
	symbol = readperf_symbols_find(readperf_replay_symbols(replay), other, 0x114c, NULL);
	ck_assert_str_eq(readperf_symbol_reason(symbol), "file-missing");
	symbol = readperf_symbols_find(readperf_replay_symbols(replay), binary, 0x1000, NULL);
	ck_assert_str_eq(readperf_symbol_function(symbol), "_start");
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	readperf_settings_free(settings);
}
END_TEST

/* Reads a recording with tables; sets *@arg to the rows of results. */
static void *read_results(void *arg)
{
	struct readperf_settings *settings = settings_of("results,overview,lines");
	struct readperf_recording *recording = open_data("demo-callgraph.data");
	struct readperf_replay *replay = replay_all(recording, settings);
	struct readperf_table *table = readperf_table_read(replay, "results", NULL);

	*(size_t *)arg = readperf_table_nr_rows(table);
	readperf_table_free(table);
	readperf_replay_free(replay);
	readperf_recording_close(recording);
	readperf_settings_free(settings);
	return NULL;
}

START_TEST(test_handles_of_many_threads)
{
	enum { NR = 8 };
	pthread_t threads[NR];
	size_t rows[NR], alone;

	read_results(&alone);
	for (size_t i = 0; i < NR; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, read_results, &rows[i]), 0);
	for (size_t i = 0; i < NR; i++) {
		pthread_join(threads[i], NULL);
		ck_assert_uint_eq(rows[i], alone);
	}
	ck_assert_uint_gt(alone, 10);
}
END_TEST

static void add_tests(TCase *tcase)
{
	tcase_add_test(tcase, test_a_recording_is_read_by_path_descriptor_and_memory);
	tcase_add_test(tcase, test_batches_have_the_same_records);
	tcase_add_test(tcase, test_batches_of_a_pipe);
	tcase_add_loop_test(tcase, test_broken_off, 0, 2);
	tcase_add_test(tcase, test_numbers_of_a_batch);
	tcase_add_test(tcase, test_batches_of_large_records);
	tcase_add_loop_test(tcase, test_times_of_counters, 0, 4);
	tcase_add_loop_test(tcase, test_branches_of_either_byte_order, 0, 2);
	tcase_add_loop_test(tcase, test_parts_of_a_weight, 0, 2);
	tcase_add_test(tcase, test_time_of_day);
	tcase_add_test(tcase, test_tags_are_columns);
	tcase_add_test(tcase, test_runs_without_a_path);
	tcase_add_test(tcase, test_errors_have_kind_text_and_offset);
	tcase_add_test(tcase, test_fields_are_there_or_not);
	tcase_add_test(tcase, test_a_replay_knows_what_is_now);
	tcase_add_test(tcase, test_tables_are_arrays);
	tcase_add_test(tcase, test_time_from_the_first_sample_and_parts_of_it);
	tcase_add_test(tcase, test_tables_that_are_not_there);
	tcase_add_loop_test(tcase, test_wrong_settings_are_told, 0,
			    sizeof(wrong_settings) / sizeof(wrong_settings[0]));
	tcase_add_loop_test(tcase, test_settings_of_tables, 0,
			    sizeof(table_settings) / sizeof(table_settings[0]));
	tcase_add_test(tcase, test_metrics_that_cannot_be);
	tcase_add_test(tcase, test_binaries_in_an_archive);
	tcase_add_test(tcase, test_traces_of_a_pipe);
	tcase_add_test(tcase, test_texts_that_are_null_are_told);
	tcase_add_test(tcase, test_a_build_id_that_is_too_long_is_told);
	tcase_add_test(tcase, test_handles_that_are_null_are_told);
	tcase_add_test(tcase, test_no_table_is_an_empty_one);
	tcase_add_test(tcase, test_frames_that_are_not_there);
	tcase_add_test(tcase, test_every_table_is_read);
	tcase_add_test(tcase, test_symbols_alone);
	tcase_add_test(tcase, test_names_lines_and_offsets);
	tcase_add_test(tcase, test_handles_of_many_threads);
}

int main(void)
{
	Suite *suite = suite_create("library");
	TCase *tcase = tcase_create("library");

	add_tests(tcase);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
