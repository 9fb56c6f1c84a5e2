/* Samples of perf record --off-cpu: what their raw data say takes the place of what they say. */
#include "perffile/record/offcpu.h"

#include "decode/process/process.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <string.h>

enum {
	/* As perf 6.16 and newer has it, and as it was before. */
	WITH_RAW = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		   PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW | PERF_SAMPLE_CGROUP,
	WITHOUT_RAW = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		      PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
	WAITER = 4242,
};

#define FAKE_TIME  ((uint64_t)UINT32_MAX << 32) /* of the first sample that was added up */
#define CODE_START UINT64_C(0x401000)		/* 0x1000 bytes each */
#define LIB_START  UINT64_C(0x7f0000001000)

static const uint64_t id = 100;
static struct mkperf *m;

static void setup(void)
{
	m = mkperf_new(NULL);
}

static void setup_pipe(void)
{
	m = mkperf_new(&(struct mkperf_options){.pipe = true});
}

static void add_event(uint64_t sample_type, const char *name)
{
	mkperf_event(m, &(struct mkperf_event){
				.name = name,
				.type = PERF_TYPE_SOFTWARE,
				.config = PERF_COUNT_SW_BPF_OUTPUT,
				.sample_period = 1,
				.sample_type = sample_type,
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				.ids = &id,
				.nr_ids = 1,
			});
	mkperf_event_desc(m);
}

/* The raw data of a wait: u32 pid, tid; u64 ns, number of addresses, these, cgroup; 4 more bytes.
 */
struct raw_wait {
	uint32_t ids[2];
	uint64_t words[32];
	size_t len; /* bytes */
};

static struct raw_wait raw_wait(uint32_t pid, uint32_t tid, uint64_t ns, const uint64_t *ips,
				size_t nr_ips)
{
	struct raw_wait raw = {.ids = {pid, tid}, .words = {ns, nr_ips}};

	memcpy(&raw.words[2], ips, nr_ips * sizeof(*ips));
	raw.words[2 + nr_ips] = 77;
	raw.len = sizeof(raw.ids) + (3 + nr_ips) * sizeof(*raw.words) + 4;
	return raw;
}

static void put_wait(const struct raw_wait *raw, uint64_t time)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_KERNEL,
						 .cpu = 3,
						 .time = time,
						 .raw = raw,
						 .raw_size = (uint32_t)raw->len});
}

static const uint64_t chain[] = {PERF_CONTEXT_USER, LIB_START + 0x10, CODE_START + 0x28,
				 CODE_START + 0x30};

/* Thread 43 of process 42 has waited for 5000 ns. */
static struct raw_wait usual_wait(void)
{
	return raw_wait(42, 43, 5000, chain, 4);
}

START_TEST(the_raw_data_count)
{
	const struct raw_wait raw = usual_wait();
	struct perffile *file;
	const struct record *rec;

	add_event(WITH_RAW, "offcpu-time");
	put_wait(&raw, 9);
	file = recording_open(m);
	do
		rec = recording_next(file);
	while (rec->type != RECORD_SAMPLE);
	ck_assert_uint_eq(rec->has, HAS_PID | HAS_TID | HAS_TIME | HAS_CPU);
	ck_assert_uint_eq(rec->pid, 42);
	ck_assert_uint_eq(rec->tid, 43);
	ck_assert_uint_eq(rec->time, 9);
	ck_assert_uint_eq(rec->cpu, 3);
	ck_assert_int_eq(record_cpumode(rec), CPUMODE_USER);
	ck_assert_uint_eq(rec->sample.period, 5000);
	ck_assert_uint_eq(rec->sample.ip, LIB_START + 0x10);
	ck_assert_uint_eq(rec->sample.extra.cgroup, 77);
	ck_assert_uint_eq(span_left(&rec->sample.callchain.ips), sizeof(chain));
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(recording_ip(&rec->sample, i), chain[i]);
	ck_assert_ptr_null(recording_next(file));
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	perffile_close(file);
}
END_TEST

/* What perf has added up itself was at no moment and on no CPU, whatever it writes. */
START_TEST(what_was_added_up_has_no_time)
{
	const struct raw_wait raw = usual_wait();
	const uint64_t type = _i ? WITH_RAW : WITHOUT_RAW;
	struct perffile *file;
	const struct record *rec;

	add_event(type, "offcpu-time");
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
						 .pid = _i ? 0 : 42,
						 .tid = _i ? 0 : 43,
						 .ip = _i ? 0 : LIB_START + 0x10,
						 .time = FAKE_TIME + 5,
						 .period = _i ? 0 : 5000,
						 .ips = chain,
						 .nr_ips = 4,
						 .raw = &raw,
						 .raw_size = (uint32_t)raw.len});
	file = recording_open(m);
	rec = recording_next(file);
	ck_assert_uint_eq(rec->has, HAS_PID | HAS_TID);
	ck_assert_uint_eq(rec->pid, 42);
	ck_assert_uint_eq(rec->tid, 43);
	ck_assert_uint_eq(rec->sample.period, 5000);
	ck_assert_uint_eq(rec->sample.ip, LIB_START + 0x10);
	ck_assert_uint_eq(recording_ip(&rec->sample, 3), chain[3]);
	perffile_close(file);
}
END_TEST

/* Another program's output of the kind means something else; so does another event's time. */
START_TEST(only_of_this_event)
{
	const struct raw_wait raw = usual_wait();
	struct perffile *file;
	const struct record *rec;

	add_event(WITH_RAW, _i ? "offcpu" : NULL);
	put_wait(&raw, FAKE_TIME);
	file = recording_open(m);
	rec = recording_next(file);
	ck_assert_uint_eq(rec->pid, 0);
	ck_assert_uint_eq(rec->time, FAKE_TIME);
	ck_assert_uint_eq(rec->sample.period, 0);
	ck_assert_uint_eq(span_left(&rec->sample.extra.raw), raw.len);
	perffile_close(file);
}
END_TEST

START_TEST(without_an_address)
{
	const struct raw_wait raw = raw_wait(42, 43, 5000, chain, (size_t)_i);
	struct perffile *file;
	const struct record *rec;

	add_event(WITH_RAW, "offcpu-time");
	put_wait(&raw, 9);
	file = recording_open(m);
	rec = recording_next(file);
	ck_assert_uint_eq(rec->sample.period, 5000);
	ck_assert_uint_eq(rec->sample.ip, 0);
	ck_assert_int_eq(record_cpumode(rec), CPUMODE_USER);
	perffile_close(file);
}
END_TEST

/* Cut anywhere, with more addresses than there are, and with a word too many. */
START_TEST(raw_data_that_do_not_fit_are_damage)
{
	struct raw_wait raw = usual_wait();
	struct perffile *file;

	if (_i < 7)
		raw.len = 4 + 8 * (size_t)_i;
	else if (_i == 7)
		raw.words[1] = 5;
	else if (_i == 8)
		raw.words[1] = UINT64_MAX / 8;
	else
		raw.len += 8;
	add_event(WITH_RAW, "offcpu-time");
	put_wait(&raw, 9);
	mkperf_round(m);
	file = recording_open(m);
	ck_assert_uint_eq(recording_drain(file), 1);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 1);
	ck_assert_uint_eq(perffile_counts(file)->damages[DAMAGE_LIST].records, 1);
	perffile_close(file);
}
END_TEST

/* ---- whose they are -------------------------------------------------------------------------- */

static void put_exit(uint32_t pid, uint64_t time)
{
	const struct mkperf_id at = {.pid = pid, .tid = pid, .time = time};

	mkperf_exit(
		m, &at,
		&(struct mkperf_task){.pid = pid, .tid = pid, .ppid = 1, .ptid = 1, .time = time});
}

static void put_map(const struct mkperf_id *at, uint64_t start, const char *filename)
{
	mkperf_mmap2(m, at,
		     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					   .pid = at->pid,
					   .tid = at->tid,
					   .start = start,
					   .len = 0x1000,
					   .filename = filename,
					   .prot = 5,
					   .flags = 2});
}

/* The waiter runs its program and ends, and so do many others. */
static void put_lives(void)
{
	const struct mkperf_id at = {.pid = WAITER, .tid = WAITER, .time = 5};

	mkperf_comm(m, &at, PERF_RECORD_MISC_COMM_EXEC, WAITER, WAITER, "waiter");
	put_map(&at, CODE_START, "/bin/waiter");
	put_map(&at, LIB_START, "/lib/libwait.so");
	put_exit(WAITER, 6);
	for (uint32_t pid = WAITER + 1; pid < WAITER + 2 * RECENT_EXITS; pid++) {
		const struct mkperf_id other = {.pid = pid, .tid = pid, .time = 10 + pid};

		mkperf_comm(m, &other, 0, pid, pid, "other");
		put_exit(pid, 11 + pid);
	}
}

/* The row of @table that begins with @start. */
static const char *row_of(const char *table, const char *start)
{
	const size_t len = strlen(start);

	while (strncmp(table, start, len) != 0) {
		table = strchr(table, '\n');
		ck_assert_ptr_nonnull(table);
		table++;
	}
	return table;
}

static void check_row(const char *table, const char *expected)
{
	const char *row = row_of(table, expected);

	ck_assert_int_eq(row[strlen(expected)], '\n');
}

START_TEST(after_their_process_has_ended)
{
	const struct raw_wait raw = raw_wait(WAITER, WAITER, 7000, chain, 4);
	const struct raw_wait again = raw_wait(WAITER, WAITER, 500, chain, 3);
	struct recording_tables tables;

	add_event(WITH_RAW, "offcpu-time");
	put_lives();
	put_wait(&raw, FAKE_TIME);
	put_wait(&again, FAKE_TIME + 1);
	tables = recording_tables_of(m);
	check_row(tables.text[TABLE_RESULTS],
		  "7500,2,,[unknown],offcpu-time,/lib/libwait.so,100.0000,,7500,2,100.0000,,"
		  "file-missing,,,");
	check_row(
		tables.text[TABLE_RESULTS],
		"0,0,,[unknown],offcpu-time,/bin/waiter,0.0000,,7500,2,100.0000,,file-missing,,,");
	check_row(tables.text[TABLE_PROCESSES],
		  "4242,waiter,2,,6,2,7500,offcpu-time,,1,/bin/waiter,100.0000");
	ck_assert_ptr_nonnull(strstr(tables.text[TABLE_OVERVIEW],
				     ",SAMPLE,4242,4242,,0x7f0000001010,,,,500,,offcpu-time\n"));
	recording_tables_free(&tables);
}
END_TEST

/* They were at no time, so none of them is of the time that is asked for. */
START_TEST(a_filter_by_time_leaves_them_out)
{
	const struct raw_wait raw = raw_wait(WAITER, WAITER, 7000, chain, 4);
	struct recording_tables tables;

	add_event(WITH_RAW, "offcpu-time");
	put_lives();
	put_wait(&raw, 9);
	put_wait(&raw, FAKE_TIME);
	tables = recording_tables_filtered(m, "time", "0,");
	ck_assert_uint_eq(recording_sum(tables.text[TABLE_RESULTS], "period", NULL, NULL), 7000);
	recording_tables_free(&tables);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("offcpu");
	TCase *tcase = tcase_create("offcpu");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, the_raw_data_count);
	tcase_add_loop_test(tcase, what_was_added_up_has_no_time, 0, 2);
	tcase_add_loop_test(tcase, only_of_this_event, 0, 2);
	tcase_add_loop_test(tcase, without_an_address, 0, 2);
	tcase_add_loop_test(tcase, raw_data_that_do_not_fit_are_damage, 0, 10);
	tcase_add_test(tcase, after_their_process_has_ended);
	tcase_add_test(tcase, a_filter_by_time_leaves_them_out);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("pipe");
	tcase_add_checked_fixture(tcase, setup_pipe, NULL);
	tcase_add_test(tcase, the_raw_data_count);
	tcase_add_test(tcase, after_their_process_has_ended);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
