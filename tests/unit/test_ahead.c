/* A thread that reads ahead: the same records, and whatever the caller does stays the caller's. */
#include "perffile/perffile.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const recordings[] = {"data/demo.data", "data/demo-callgraph.data",
					 "data/demo-callgraph-be.data", "data/demo-pipe.data",
					 "data/service.data"};

enum { NR_RECORDINGS = sizeof(recordings) / sizeof(recordings[0]) };

/* What a record shows, its bytes included. */
static uint64_t sum_of(const struct record *rec)
{
	uint64_t sum = rec->nr ^ (uint64_t)rec->type << 32 ^ (uint64_t)rec->late << 63;

	if (rec->has & HAS_TIME)
		sum ^= rec->time;
	if (rec->event)
		for (const char *at = rec->event->name; at && *at; at++)
			sum = sum * 31 + (uint8_t)*at;
	if (rec->type == RECORD_SAMPLE) {
		struct span ips = rec->sample.callchain.ips;

		while (span_left(&ips) > 0)
			sum = sum * 31 + span_u64(&ips);
		return sum * 31 + rec->sample.ip + rec->sample.period;
	}
	if (rec->type == RECORD_MMAP2)
		for (const char *at = rec->mmap.filename; *at; at++)
			sum = sum * 31 + (uint8_t)*at;
	return sum;
}

/* Reads both to the end, where the caller knows the same of both; of @ahead, a thread reads what
 * comes after the first @alone records, in fact @nr_ahead of them. Returns the number of records.
 */
static size_t compare_from(struct perffile *singly, struct perffile *ahead, size_t alone,
			   size_t *nr_ahead)
{
	const struct record *a, *b;
	size_t nr = 0;

	*nr_ahead = 0;
	for (;; nr++) {
		if (nr == alone)
			perffile_read_ahead(ahead);
		a = recording_next(singly);
		b = recording_next(ahead);
		ck_assert(!a == !b);
		if (!a)
			break;
		*nr_ahead += perffile_batch(ahead) > 0;
		ck_assert_uint_eq(sum_of(a), sum_of(b));
		ck_assert_uint_eq(perffile_nr_events(singly), perffile_nr_events(ahead));
		ck_assert_uint_eq(perffile_nr_build_ids(singly), perffile_nr_build_ids(ahead));
	}
	ck_assert_mem_eq(perffile_counts(singly), perffile_counts(ahead),
			 sizeof(struct perffile_counts));
	ck_assert_uint_eq(perffile_bytes_read(singly), perffile_bytes_read(ahead));
	ck_assert_uint_eq(perffile_bytes_cold(singly), perffile_bytes_cold(ahead));
	perffile_close(singly);
	perffile_close(ahead);
	return nr;
}

static size_t compare(struct perffile *singly, struct perffile *ahead)
{
	size_t nr_ahead;
	const size_t nr = compare_from(singly, ahead, 0, &nr_ahead);

	ck_assert_uint_gt(nr_ahead, 0);
	return nr;
}

static struct perffile *open_recording(const char *path)
{
	struct error err = {0};
	struct perffile *file = perffile_open(path, &err);

	ck_assert_msg(file != NULL, "%s", err.text);
	return file;
}

START_TEST(same_records)
{
	struct perffile *ahead = open_recording(recordings[_i]);

	ck_assert_uint_gt(compare(open_recording(recordings[_i]), ahead), 50);
}
END_TEST

/* The thread may start at any record: within a round, too, and where it has nothing left to do. */
START_TEST(started_later)
{
	const char *path = recordings[_i];
	const size_t nr = compare(open_recording(path), open_recording(path));
	size_t nr_ahead;

	for (size_t alone = 1; alone <= nr; alone += 1 + alone / 5) {
		ck_assert_uint_eq(
			compare_from(open_recording(path), open_recording(path), alone, &nr_ahead),
			nr);
		ck_assert(nr_ahead > 0 || alone > 1);
		ck_assert_uint_le(nr_ahead, nr - alone);
	}
}
END_TEST

/* Little memory: most records are read a second time. */
START_TEST(same_records_that_were_cold)
{
	struct perffile *singly = open_recording(recordings[_i]);
	struct perffile *ahead = open_recording(recordings[_i]);

	perffile_set_memory(singly, 1);
	perffile_set_memory(ahead, 1);
	ck_assert_uint_gt(compare(singly, ahead), 50);
}
END_TEST

/* Damage early and late, and an end within a record. */
START_TEST(same_damage)
{
	static uint8_t bytes[1 << 20];
	FILE *in = fopen("data/demo-callgraph.data", "r");
	size_t len = fread(bytes, 1, sizeof(bytes), in);
	struct perffile *singly, *ahead;
	struct error err = {0};

	fclose(in);
	memset(bytes + 3000, 0xff, 4);
	memset(bytes + len / 2, 0xff, 200);
	len -= len / 4 + 3;
	singly = recording_open_bytes(bytes, len, &err);
	ahead = recording_open_bytes(bytes, len, &err);
	ck_assert_uint_gt(compare(singly, ahead), 50);
}
END_TEST

enum { NR_SAMPLES = 6000, ROUND = 100, UPDATE = 1000, ID = 7 };

/* Samples out of order within rounds; the event gets other names on the way. */
static struct mkperf *make_rounds(bool pipe)
{
	static const uint64_t ids[] = {ID};
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.pipe = pipe});

	mkperf_event(m, &(struct mkperf_event){.name = "first",
					       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							      PERF_SAMPLE_TIME,
					       .sample_period = 1,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					       .ids = ids,
					       .nr_ids = 1});
	for (uint64_t i = 0; i < NR_SAMPLES; i++) {
		mkperf_sample(m, &(struct mkperf_sample){
					 .pid = 1, .tid = 1, .ip = i, .time = 1000 + (i ^ 21)});
		if (i % ROUND == ROUND - 1)
			mkperf_round(m);
		if (i % UPDATE != UPDATE - 1)
			continue;
		mkperf_begin(m, MKPERF_RECORD_EVENT_UPDATE, 0);
		mkperf_u64(m, 2);
		mkperf_u64(m, ID);
		mkperf_string(m, i & 1 ? "odd" : "even");
		mkperf_end(m);
	}
	return m;
}

/* A recording that comes through a pipe, some bytes each time when its reader waits. */
struct pump {
	const uint8_t *bytes;
	size_t len, at, step;
	int to; /* -1: closed */
	pthread_t reader;
	size_t nr_seen, nr_waits; /* records so far; the same when the reader waits */
	size_t *seen;		  /* at each wait */
	size_t nr_ticks, end_at;  /* wait after which the reader wants no more; 0: none */
};

static bool pump_some(void *arg, int fd)
{
	struct pump *pump = arg;
	size_t len = pump->len - pump->at < pump->step ? pump->len - pump->at : pump->step;

	(void)fd;
	ck_assert(pthread_equal(pthread_self(), pump->reader));
	pump->seen[pump->nr_waits++] = pump->nr_seen;
	if (pump->nr_waits == pump->end_at)
		return false;
	if (len > 0)
		ck_assert_int_eq(write(pump->to, pump->bytes + pump->at, len), (ssize_t)len);
	pump->at += len;
	if (len == 0 && pump->to >= 0) {
		close(pump->to);
		pump->to = -1;
	}
	return true;
}

/* Reads what is pumped; @pump has the rest of what is wanted, and gets what happened. */
static uint64_t read_pumped(struct pump *pump, bool ahead)
{
	struct perffile *file;
	const struct record *rec;
	uint64_t sum = 0;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_ge(dup2(fds[0], STDIN_FILENO), 0);
	close(fds[0]);
	pump->to = fds[1];
	pump->reader = pthread_self();
	pump->seen = calloc(pump->len / pump->step + 3, sizeof(*pump->seen));
	file = open_recording("-");
	perffile_set_wait(file, pump_some, pump);
	if (ahead)
		perffile_read_ahead(file);
	while ((rec = recording_next(file))) {
		pump->nr_seen++;
		sum = sum * 31 + sum_of(rec);
	}
	perffile_close(file);
	if (pump->to >= 0)
		close(pump->to);
	return sum;
}

static const struct {
	size_t step, end_at;
} pumps[] = {{41, 0}, {999, 0}, {60000, 0}, {999, 100}, {999, 3}};

enum { NR_PUMPS = sizeof(pumps) / sizeof(pumps[0]) };

/* Whenever the reader waits for data, it has been given all records before. */
START_TEST(waits_are_the_readers)
{
	struct mkperf *m = make_rounds(true);
	size_t len;
	const uint8_t *bytes = mkperf_finish(m, &len);
	struct pump singly = {
		.bytes = bytes, .len = len, .step = pumps[_i].step, .end_at = pumps[_i].end_at};
	struct pump ahead = singly;
	uint64_t sum = read_pumped(&singly, false);

	ck_assert_uint_eq(read_pumped(&ahead, true), sum);
	ck_assert_uint_eq(singly.nr_seen, ahead.nr_seen);
	ck_assert_uint_eq(singly.nr_waits, ahead.nr_waits);
	ck_assert_int_eq(memcmp(singly.seen, ahead.seen, singly.nr_waits * sizeof(*singly.seen)),
			 0);
	if (singly.end_at == 0) /* two records that describe the event, and its new names */
		ck_assert_uint_eq(singly.nr_seen,
				  NR_SAMPLES + NR_SAMPLES / ROUND + NR_SAMPLES / UPDATE + 2);
	free(singly.seen);
	free(ahead.seen);
	mkperf_free(m);
}
END_TEST

/* The reader may go away at any time. */
START_TEST(closed_before_the_end)
{
	for (size_t wanted = 0; wanted < NR_SAMPLES; wanted += 1 + wanted / 2) {
		struct perffile *file = recording_open(make_rounds(false));

		perffile_read_ahead(file);
		for (size_t i = 0; i < wanted; i++)
			ck_assert_ptr_nonnull(recording_next(file));
		perffile_close(file);
	}
}
END_TEST

/* Of a file that is stopped, what is read already still comes. */
START_TEST(stopped_before_the_end)
{
	struct perffile *file = recording_open(make_rounds(false));
	size_t nr = 0;

	perffile_read_ahead(file);
	for (; nr < 10; nr++)
		ck_assert_ptr_nonnull(recording_next(file));
	perffile_stop(file);
	nr += recording_drain(file);
	ck_assert_uint_eq(nr, NR_SAMPLES + NR_SAMPLES / ROUND + NR_SAMPLES / UPDATE);
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	perffile_close(file);
}
END_TEST

static bool count_asked(void *arg, enum perffile_worker worker)
{
	if (worker == PERFFILE_READER)
		atomic_fetch_add((atomic_uint *)arg, 1);
	return false;
}

/* The thread asks for work, when it is told of some, even when it has read all. */
START_TEST(works_behind_the_end)
{
	struct perffile *file = recording_open(make_rounds(false));
	atomic_uint asked = 0;
	unsigned before;

	perffile_set_work(file, 2, count_asked, &asked);
	perffile_read_ahead(file);
	(void)recording_drain(file);
	for (int i = 0; i < 3; i++) {
		before = asked;
		perffile_wake(file);
		while (asked == before)
			sched_yield();
	}
	perffile_end_work(file);
	before = asked;
	perffile_wake(file);
	perffile_close(file);
	ck_assert_uint_eq(asked, before);
}
END_TEST

enum { LARGE_BYTES = 32 * 1024, NR_LARGE = 640 };

/* Samples of 32 KB, and rounds of @round of them. Returns in how many batches they come. */
static size_t nr_batches(size_t round)
{
	static const uint8_t raw[LARGE_BYTES - 4];
	struct mkperf *m = mkperf_new(&(struct mkperf_options){0});
	struct perffile *file;
	uint64_t last = 0;
	size_t nr = 0;

	mkperf_event(m, &(struct mkperf_event){.name = "large",
					       .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
					       .sample_period = 1,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL});
	for (uint64_t i = 0; i < NR_LARGE; i++) {
		mkperf_sample(m, &(struct mkperf_sample){
					 .time = 1000 + i, .raw = raw, .raw_size = sizeof(raw)});
		if (i % round == round - 1)
			mkperf_round(m);
	}
	file = recording_open(m);
	perffile_read_ahead(file);
	for (const struct record *rec; (rec = recording_next(file));) {
		if (rec->type != RECORD_SAMPLE)
			continue;
		nr += perffile_batch(file) != last;
		last = perffile_batch(file);
	}
	perffile_close(file);
	return nr;
}

/* Eight batches of 256 KB stay in the cache. Where rounds have more, two of them fill eight
 * batches, or 8 MB do. A batch ends with a block, of three samples or four. */
START_TEST(large_rounds_come_in_large_batches)
{
	ck_assert_uint_eq(nr_batches(8), 79);	/* 8 samples in most */
	ck_assert_uint_eq(nr_batches(24), 53);	/* 12 */
	ck_assert_uint_eq(nr_batches(64), 31);	/* 20 */
	ck_assert_uint_eq(nr_batches(200), 19); /* 32 and more */
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ahead");
	TCase *tcase = tcase_create("ahead");

	tcase_add_loop_test(tcase, same_records, 0, NR_RECORDINGS);
	tcase_add_loop_test(tcase, started_later, 0, NR_RECORDINGS);
	tcase_add_loop_test(tcase, same_records_that_were_cold, 0, NR_RECORDINGS);
	tcase_add_test(tcase, same_damage);
	tcase_add_loop_test(tcase, waits_are_the_readers, 0, NR_PUMPS);
	tcase_add_test(tcase, closed_before_the_end);
	tcase_add_test(tcase, stopped_before_the_end);
	tcase_add_test(tcase, works_behind_the_end);
	tcase_add_test(tcase, large_rounds_come_in_large_batches);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
