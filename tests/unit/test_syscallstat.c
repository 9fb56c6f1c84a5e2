/* System calls from recordings: how long threads were in them; what a recording may do wrong. */
#include "decode/replay.h"

#include "tests/support/answers.h"
#include "tests/support/recording.h"
#include "tests/support/replaying.h"
#include "tests/support/suite.h"

#include <check.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

enum {
	SAMPLE_TYPE = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW |
		      PERF_SAMPLE_IDENTIFIER,
	ENTER_ID = 21,
	EXIT_ID = 22,
	READ_ID = 23,
	PID = 42,
	READ = 0,
	FUTEX = 202,
	EXECVE = 59,
	EXECVEAT = 322,
	EXECVE_32 = 11,
	EXECVEAT_32 = 358,
	GETPID_32 = 20,
	SOCKETCALL_32 = 102,
	UNKNOWN = 9999,
	EINTR_RESULT = -4,
};

static const char enter_text[] =
	"name: sys_enter\nID: 21\nformat:\n"
	"\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n";
static const char exit_text[] = "name: sys_exit\nID: 22\nformat:\n"
				"\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
				"\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n";
static const char read_text[] = "name: sys_exit_read\nID: 23\nformat:\n"
				"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
				"\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n";

static struct mkperf *m;
static uint64_t sample_type;
static unsigned event_enter, event_exit, event_read;
static struct filter filter;
static struct replay_settings settings;
static struct replaying replaying;
static const struct results *results;

static void put_tracing(void)
{
	static const char *const raw[] = {enter_text, exit_text}, *const single[] = {read_text};

	mkperf_tracing(m,
		       (const struct mkperf_tracepoints[]){{"raw_syscalls", raw, 2},
							   {"syscalls", single, 1}},
		       2);
}

static unsigned add_event(const char *name, uint64_t config, uint64_t period, uint64_t id)
{
	return mkperf_event(m, &(struct mkperf_event){
				       .name = name,
				       .type = PERF_TYPE_TRACEPOINT,
				       .config = config,
				       .sample_period = period,
				       .sample_type = sample_type,
				       .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				       .ids = &id,
				       .nr_ids = 1,
			       });
}

static void setup(void)
{
	m = mkperf_new(NULL);
	sample_type = SAMPLE_TYPE;
	filter = (struct filter){0};
	settings = (struct replay_settings){
		.filter = &filter,
	};
	needs_add(&settings.needs, &syscallstat_calls);
	replaying = (struct replaying){0};
	results = NULL;
}

static void teardown(void)
{
	replaying_end(&replaying);
	filter_free(&filter);
}

static void start(uint64_t period)
{
	event_enter = add_event("raw_syscalls:sys_enter", ENTER_ID, period, 100);
	event_exit = add_event("raw_syscalls:sys_exit", EXIT_ID, period, 101);
	event_read = add_event("syscalls:sys_exit_read", READ_ID, period, 102);
	mkperf_event_desc(m);
	mkperf_feature_string(m, MKPERF_ARCH, "x86_64");
	put_tracing();
	mkperf_comm(m, NULL, 0, PID, PID, "main");
	mkperf_comm(m, NULL, 0, PID, PID + 1, "helper");
}

static void put(unsigned event, uint32_t tid, uint64_t time, int64_t number, int64_t result,
		uint32_t cut)
{
	char raw[28] = {0};

	memcpy(raw + 8, &number, 8);
	memcpy(raw + 16, &result, 8);
	mkperf_sample(m, &(struct mkperf_sample){.event = event,
						 .misc = PERF_RECORD_MISC_KERNEL,
						 .pid = PID,
						 .tid = tid,
						 .time = time,
						 .period = 1,
						 .raw = raw,
						 .raw_size = sizeof(raw) - cut});
}

static void put_enter(uint32_t tid, uint64_t time, int64_t number)
{
	put(event_enter, tid, time, number, 0, 0);
}

static void put_exit(uint32_t tid, uint64_t time, int64_t number)
{
	put(event_exit, tid, time, number, 1, 0);
}

static void run(void)
{
	replaying = replaying_begin(m, &settings);
	replaying_finish(&replaying);
	results = replaying.results;
}

/* "pid comm name count failed total max unfinished" */
static void expect_row(size_t number, const char *expected)
{
	const struct syscall_stat *at =
		&ANSWER_ROWS(results, syscallstat_calls, syscall_stat)[number];
	char text[200];

	ck_assert_uint_lt(number, ANSWER_NR(results, syscallstat_calls));
	snprintf(text, sizeof(text),
		 "%d %s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, (int)at->pid,
		 at->comm, at->name, at->count, at->failed, at->total, at->max, at->unfinished);
	ck_assert_str_eq(text, expected);
}

static void expect_rows(size_t nr)
{
	ck_assert_uint_eq(ANSWER_NR(results, syscallstat_calls), nr);
}

START_TEST(by_thread_and_call)
{
	start(1);
	put_enter(PID, 1000, READ);
	put_enter(PID + 1, 1010, READ);
	put_exit(PID, 1050, READ);
	put_exit(PID + 1, 1100, READ);
	put_enter(PID, 1200, READ);
	put(event_exit, PID, 1270, READ, EINTR_RESULT, 0);
	put_enter(PID + 1, 1300, UNKNOWN);
	put_exit(PID + 1, 1301, UNKNOWN);
	put_enter(PID + 1, 1310, FUTEX);
	run();
	expect_rows(4);
	expect_row(0, "42 main read 2 1 120 70 0");
	expect_row(1, "42 helper read 1 0 90 90 0");
	expect_row(2, "42 helper 9999 1 0 1 1 0");
	expect_row(3, "42 helper futex 0 0 0 0 1");
	ck_assert_uint_eq(results->syscalls->samples, 9);
	ck_assert_uint_eq(results->syscalls->beyond, 0);
}
END_TEST

/* Tracepoints of all calls and of one in the same recording: the first end counts. */
START_TEST(ends_of_two_tracepoints)
{
	start(1);
	put_enter(PID, 1000, READ);
	put(event_read, PID, 1040, READ, 1, 0);
	put_exit(PID, 1041, READ);
	run();
	expect_rows(1);
	expect_row(0, "42 main read 1 0 40 40 0");
}
END_TEST

/* Ends of other calls, of new threads, of calls that had begun before. */
START_TEST(begins_and_ends_without_the_other)
{
	start(1);
	put_exit(PID, 1000, READ);
	put_enter(PID, 1010, READ);
	put_exit(PID, 1020, FUTEX);
	put_exit(PID, 1030, READ);
	put_enter(PID, 1040, READ);
	put_enter(PID, 1050, FUTEX);
	put_exit(PID, 1060, FUTEX);
	run();
	expect_rows(1);
	expect_row(0, "42 main futex 1 0 10 10 0");
}
END_TEST

/* The sample at the begin decides, as with waits: the one at the end has other fields. */
static const struct {
	const char *option, *list;
	int nr;
	const char *row;
} filters[] = {
	{"where", "sys_enter.id=='read'", 1, "42 main read 2 0 50 40 0"},
	{"event", "raw_syscalls:sys_enter", 2, "42 main read 2 0 50 40 0"},
	{"event", "raw_syscalls:sys_exit", 0, NULL},
	{"time", "1010,1030", 1, "42 main futex 1 0 5 5 0"},
	{"time", "1000,1030", 2, "42 main read 1 0 10 10 0"},
	{"tid", "43", 0, NULL},
};

START_TEST(filters_ask_for_the_begin)
{
	struct error err;

	start(1);
	put_enter(PID, 1000, READ);
	put_exit(PID, 1010, READ);
	put_enter(PID, 1020, FUTEX);
	put_exit(PID, 1025, FUTEX);
	put_enter(PID, 1030, READ);
	put_exit(PID, 1070, READ);
	ck_assert_int_eq(filter_add(&filter, filters[_i].option, filters[_i].list, &err), 0);
	run();
	expect_rows((size_t)filters[_i].nr);
	if (filters[_i].row)
		expect_row(0, filters[_i].row);
}
END_TEST

START_TEST(lost_records)
{
	start(1);
	put_enter(PID, 1000, READ);
	mkperf_begin(m, PERF_RECORD_LOST, 0);
	mkperf_u64(m, 100);
	mkperf_u64(m, 2);
	mkperf_trailer(m, &(struct mkperf_id){.time = 1001});
	mkperf_end(m);
	put_exit(PID, 1500, READ);
	put_enter(PID, 1600, READ);
	put_exit(PID, 1601, READ);
	run();
	expect_rows(1);
	expect_row(0, "42 main read 1 0 1 1 0");
}
END_TEST

/* A number or a result that is not whole is none. */
START_TEST(payloads_that_are_cut)
{
	start(1);
	put(event_enter, PID, 1000, READ, 0, 16);
	put_exit(PID, 1010, READ);
	put_enter(PID, 1020, READ);
	put(event_exit, PID, 1030, READ, 0, 8);
	run();
	expect_rows(1);
	expect_row(0, "42 main read 0 0 0 0 1");
	ck_assert_uint_eq(results->syscalls->samples, 2);
}
END_TEST

/* Samples that are each of several calls tell no times. */
START_TEST(not_every_call_has_samples)
{
	start(2);
	put_enter(PID, 1000, READ);
	put_exit(PID, 1010, READ);
	run();
	expect_rows(0);
	ck_assert_uint_eq(results->syscalls->samples, 0);
}
END_TEST

/* perf record -c 2: the kernel makes a sample of each call, if samples have their period. */
START_TEST(every_call_has_a_sample_with_its_period)
{
	sample_type |= PERF_SAMPLE_PERIOD;
	start(2);
	put_enter(PID, 1000, READ);
	put_exit(PID, 1010, READ);
	run();
	expect_rows(1);
	ck_assert_uint_eq(results->syscalls->samples, 2);
}
END_TEST

static void map_vdso(uint64_t time, uint64_t start)
{
	mkperf_mmap(m, &(struct mkperf_id){.pid = PID, .tid = PID, .time = time},
		    &(struct mkperf_mmap){.pid = PID,
					  .tid = PID,
					  .start = start,
					  .len = 0x2000,
					  .filename = "[vdso]"});
}

static void exec(uint64_t time, uint64_t vdso)
{
	mkperf_comm(m, &(struct mkperf_id){.pid = PID, .tid = PID, .time = time},
		    PERF_RECORD_MISC_COMM_EXEC, PID, PID, "main");
	map_vdso(time + 1, vdso);
}

/* Programs of 32 bits have other numbers; those of calls that both have share their rows. */
START_TEST(a_32_bit_program_and_its_64_bit_successor)
{
	start(1);
	map_vdso(900, 0xf7fef000);
	put_enter(PID, 1000, GETPID_32);
	put_exit(PID, 1010, GETPID_32);
	put_enter(PID, 1100, SOCKETCALL_32);
	put_exit(PID, 1105, SOCKETCALL_32);
	put_enter(PID, 1150, EXECVE_32);
	exec(1160, 0x7ffff7fc1000);
	put(event_exit, PID, 1170, EXECVE, 0, 0);
	put_enter(PID, 1200, 39);
	put_exit(PID, 1201, 39);
	run();
	expect_rows(3);
	expect_row(0, "42 main execve 1 0 20 20 0");
	expect_row(1, "42 main getpid 2 0 11 10 0");
	expect_row(2, "42 main socketcall 1 0 5 5 0");
}
END_TEST

/* The kernel sets the number that the end of an exec tells to that of execve of the new program. */
START_TEST(execveat_of_a_32_bit_program)
{
	start(1);
	put_enter(PID, 1000, EXECVEAT);
	exec(1010, 0xf7fef000);
	put(event_exit, PID, 1020, EXECVE_32, 0, 0);
	put_enter(PID, 1100, EXECVEAT_32);
	exec(1110, 0xf7fef000);
	put(event_exit, PID, 1140, EXECVE_32, 0, 0);
	run();
	expect_rows(1);
	expect_row(0, "42 main execveat 2 0 60 40 0");
}
END_TEST

/* A thread that calls exec goes on as the leader, whose own call ends nowhere. */
START_TEST(exec_by_another_thread)
{
	start(1);
	put_enter(PID, 900, FUTEX);
	put_enter(PID + 1, 1000, EXECVE);
	put(event_exit, PID + 1, 1003, EXECVE, -2, 0);
	put_enter(PID + 1, 1010, EXECVEAT);
	exec(1020, 0x7ffff7fc1000);
	put(event_exit, PID, 1030, EXECVE, 0, 0);
	run();
	expect_rows(3);
	expect_row(0, "42 helper execveat 1 0 20 20 0");
	expect_row(1, "42 helper execve 1 1 3 3 0");
	expect_row(2, "42 main futex 0 0 0 0 1");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("syscallstat");
	TCase *tcase = tcase_create("syscallstat");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, by_thread_and_call);
	tcase_add_test(tcase, ends_of_two_tracepoints);
	tcase_add_test(tcase, begins_and_ends_without_the_other);
	tcase_add_loop_test(tcase, filters_ask_for_the_begin, 0,
			    sizeof(filters) / sizeof(filters[0]));
	tcase_add_test(tcase, lost_records);
	tcase_add_test(tcase, payloads_that_are_cut);
	tcase_add_test(tcase, not_every_call_has_samples);
	tcase_add_test(tcase, every_call_has_a_sample_with_its_period);
	tcase_add_test(tcase, a_32_bit_program_and_its_64_bit_successor);
	tcase_add_test(tcase, execveat_of_a_32_bit_program);
	tcase_add_test(tcase, exec_by_another_thread);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
