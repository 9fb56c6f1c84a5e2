/* Replay of recordings made for the purpose: who gets the samples, and why nobody else. */
#include "tests/support/answers.h"
#include "tests/support/replaying.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

enum {
	IP = 1 << 0,
	TID = 1 << 1,
	TIME = 1 << 2,
	CALLCHAIN = 1 << 5,
	ID = 1 << 6,
	CPU = 1 << 7,
	PERIOD = 1 << 8,
	KERNEL = 1, /* cpumodes */
	USER = 2,
	EXEC = 1 << 13,
};

static const uint64_t ids[2] = {100, 200};
static struct mkperf *m;
static struct replaying replaying;
static struct filter filter;
static bool header_wanted, places_wanted, slices_wanted;
static const struct results *results;

static void add_event(const char *name, uint64_t sample_type, unsigned number)
{
	mkperf_event(m, &(struct mkperf_event){
				.name = name,
				.type = 1,
				.sample_type = sample_type,
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				.ids = &ids[number],
				.nr_ids = 1,
			});
}

static void setup(void)
{
	memset(&filter, 0, sizeof(filter));
	header_wanted = places_wanted = slices_wanted = false;
	results = NULL;
	replaying = (struct replaying){0};
	m = mkperf_new(NULL);
	ck_assert_ptr_nonnull(m);
}

static void teardown(void)
{
	replaying_end(&replaying);
	filter_free(&filter);
	mkperf_free(m);
}

static struct mkperf_id at(uint32_t pid, uint64_t time)
{
	return (struct mkperf_id){.pid = pid, .tid = pid, .time = time};
}

static void comm(uint64_t time, uint32_t pid, const char *name, bool exec)
{
	struct mkperf_id id = at(pid, time);

	mkperf_comm(m, &id, exec ? EXEC : 0, pid, pid, name);
}

static void fork_process(uint64_t time, uint32_t pid, uint32_t ppid)
{
	struct mkperf_id id = at(ppid, time);

	mkperf_fork(m, &id,
		    &(struct mkperf_task){
			    .pid = pid, .ppid = ppid, .tid = pid, .ptid = ppid, .time = time});
}

static void exit_process(uint64_t time, uint32_t pid)
{
	struct mkperf_id id = at(pid, time);

	mkperf_exit(
		m, &id,
		&(struct mkperf_task){.pid = pid, .tid = pid, .ppid = 1, .ptid = 1, .time = time});
}

static void map(uint64_t time, uint32_t pid, uint64_t start, uint64_t len, const char *name)
{
	struct mkperf_id id = at(pid, time);

	mkperf_mmap2(m, &id,
		     &(struct mkperf_mmap){.misc = USER,
					   .pid = pid,
					   .tid = pid,
					   .start = start,
					   .len = len,
					   .filename = name,
					   .prot = 5,
					   .flags = 2});
}

static void sample(uint64_t time, uint32_t pid, uint64_t ip, uint64_t period)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = USER,
						 .pid = pid,
						 .tid = pid,
						 .ip = ip,
						 .time = time,
						 .period = period});
}

/* Saves the recording, replays it and keeps the results. */
static void run(void)
{
	struct replay_settings settings = {
		.filter = &filter,
		.needs = {{&processstat_lives, &recordstat_records}, 2},
		.noise = slices_wanted,
	};

	if (header_wanted)
		needs_add(&settings.needs, &headerstat_facts);
	if (places_wanted) {
		needs_add(&settings.needs, &linestat_lines);
		needs_add(&settings.needs, &linestat_addresses);
	}
	mkperf_event_desc(m);
	replaying = replaying_begin(m, &settings);
	m = NULL;
	replaying_finish(&replaying);
	results = replaying.results;
}

/* The row of @binary under @event; each binary here has one, for none of them exists. */
static const struct function_stat *row(unsigned event, const char *binary)
{
	for (size_t i = 0; i < results->nr_functions; i++) {
		const struct function_stat *f = &results->functions[i];

		if (f->event->number == event && strcmp(f->binary, binary) == 0)
			return f;
	}
	ck_abort_msg("no row for %s", binary);
}

static void check_row(unsigned event, const char *binary, uint64_t samples, uint64_t period,
		      const char *reason)
{
	const struct function_stat *f = row(event, binary);

	ck_assert_str_eq(f->function, "[unknown]");
	ck_assert_str_eq(f->reason, reason);
	ck_assert_uint_eq(f->self.samples, samples);
	ck_assert_uint_eq(f->self.period, period);
}

/* "pid comm exe mmaps fork exit ppid threads: samples/period of the first event" of each life */
static void check_processes(const char *const *expected, size_t nr)
{
	const struct rows lives = results_rows(results, &processstat_lives);
	const struct row_source *rows = &lives.source;
	struct process_stat stat, *p = &stat;
	struct error err = {0};

	ck_assert_msg(rows->start(rows->arg, &err) == 0, "%s", err.text);
	for (size_t i = 0; i < nr; i++) {
		char text[256];

		ck_assert_msg(rows->next(rows->arg, p, &err) == 1, "row %zu: %s", i, err.text);

		snprintf(text, sizeof(text), "%d %s %s %d %d %d %d %d: %d/%d", (int)p->pid, p->comm,
			 p->exe, (int)p->nr_mmaps, p->has_fork ? (int)p->fork : -1,
			 p->has_exit ? (int)p->exit : -1, p->has_ppid ? (int)p->ppid : -1,
			 (int)p->threads, (int)p->by_event[0].samples, (int)p->by_event[0].period);
		ck_assert_str_eq(text, expected[i]);
	}
	ck_assert_int_eq(rows->next(rows->arg, p, &err), 0);
}

#define CHECK_PROCESSES(...)                                                          \
	do {                                                                          \
		static const char *const expected_[] = {__VA_ARGS__};                 \
		check_processes(expected_, sizeof(expected_) / sizeof(expected_[0])); \
	} while (0)

START_TEST(a_process_forks_execs_and_exits)
{
	add_event("cpu-clock", IP | TID | TIME | PERIOD, 0);
	comm(0, 10, "sh", false);
	map(0, 10, 0x1000, 0x1000, "/bin/none-sh");
	fork_process(5, 11, 10);
	sample(6, 11, 0x1800, 3); /* still the parent's image */
	comm(7, 11, "cc", true);
	sample(8, 11, 0x1800, 5); /* that image is gone */
	map(9, 11, 0x1000, 0x1000, "/bin/none-cc");
	map(9, 11, 0x8000, 0x1000, "/lib/none-ld.so");
	sample(10, 11, 0x1800, 7);
	sample(11, 10, 0x1800, 11);
	exit_process(12, 11);
	run();
	check_row(0, "/bin/none-sh", 2, 14, "file-missing");
	check_row(0, "[unmapped]", 1, 5, "no-mapping");
	check_row(0, "/bin/none-cc", 1, 7, "file-missing");
	CHECK_PROCESSES("10 sh /bin/none-sh 1 -1 -1 -1 1: 1/11",
			"11 cc /bin/none-cc 2 5 12 10 1: 3/15");
}
END_TEST

START_TEST(a_pid_used_again_is_another_life)
{
	add_event("cpu-clock", IP | TID | TIME | PERIOD, 0);
	comm(0, 10, "sh", false);
	fork_process(5, 11, 10);
	map(6, 11, 0x1000, 0x1000, "/bin/none-a");
	sample(7, 11, 0x1000, 1);
	exit_process(8, 11);
	sample(9, 11, 0x1001, 2); /* on another CPU it was still exiting */
	fork_process(10, 11, 10);
	sample(11, 11, 0x1001, 4);
	run();
	check_row(0, "/bin/none-a", 2, 3, "file-missing");
	check_row(0, "[unmapped]", 1, 4, "no-mapping");
	CHECK_PROCESSES("10 sh  0 -1 -1 -1 1: 0/0", "11 sh /bin/none-a 1 5 8 10 1: 2/3",
			"11 sh  0 10 -1 10 1: 1/4");
}
END_TEST

START_TEST(threads_share_their_process)
{
	struct mkperf_id id = at(10, 5);

	add_event("cpu-clock", IP | TID | TIME | PERIOD, 0);
	comm(0, 10, "main", false);
	map(0, 10, 0x1000, 0x1000, "/bin/none-a");
	mkperf_fork(m, &id,
		    &(struct mkperf_task){.pid = 10, .ppid = 10, .tid = 12, .ptid = 10, .time = 5});
	id.tid = 12;
	mkperf_comm(m, &id, 0, 10, 12, "worker");
	mkperf_sample(
		m,
		&(struct mkperf_sample){
			.misc = USER, .pid = 10, .tid = 12, .ip = 0x1000, .time = 6, .period = 1});
	mkperf_sample(
		m,
		&(struct mkperf_sample){
			.misc = USER, .pid = 10, .tid = 13, .ip = 0x1000, .time = 7, .period = 1});
	run();
	CHECK_PROCESSES("10 main /bin/none-a 1 -1 -1 -1 3: 2/2");
}
END_TEST

START_TEST(samples_of_no_known_process_go_to_minus_one)
{
	add_event("cpu-clock", IP | TID | TIME | PERIOD, 0);
	sample(5, 77, 0x1000, 3);
	sample(6, 78, 0x1000, 4);
	sample(7, UINT32_MAX, 0x1000, 5);
	run();
	check_row(0, "[unmapped]", 3, 12, "no-mapping");
	CHECK_PROCESSES("-1   0 -1 -1 -1 3: 3/12");
}
END_TEST

START_TEST(the_kernel_and_its_modules)
{
	const struct mkperf_mmap kernel = {.misc = KERNEL,
					   .pid = UINT32_MAX,
					   .start = 0xffffffff81000000,
					   .len = 0x1000000,
					   .pgoff = 0xffffffff81000000,
					   .filename = "[kernel.kallsyms]_text"};
	const struct mkperf_mmap module = {.misc = KERNEL,
					   .pid = UINT32_MAX,
					   .start = 0xffffffffc0000000,
					   .len = 0x1000,
					   .filename = "/lib/modules/1/none.ko"};
	static const uint64_t ips[] = {0xffffffff81000010, 0xffffffffc0000010, 0xffffffffd0000000};

	add_event("cpu-clock", IP | TID | TIME | PERIOD, 0);
	mkperf_mmap(m, NULL, &kernel);
	mkperf_mmap(m, NULL, &module);
	comm(0, 10, "sh", false);
	for (uint64_t i = 0; i < 3; i++)
		mkperf_sample(m, &(struct mkperf_sample){.misc = KERNEL,
							 .pid = 10,
							 .tid = 10,
							 .ip = ips[i],
							 .time = 5 + i,
							 .period = 1 + i});
	run();
	ck_assert_uint_eq(row(0, "[kernel.kallsyms]")->self.period, 1);
	ck_assert_uint_eq(row(0, "/lib/modules/1/none.ko")->self.period, 2);
	check_row(0, "[unmapped]", 1, 3, "no-mapping");
	CHECK_PROCESSES("10 sh  0 -1 -1 -1 1: 3/6"); /* for the process that they interrupted */
}
END_TEST

START_TEST(two_events_are_told_apart_by_id)
{
	struct process_stat process;

	add_event("cpu-clock", IP | TID | TIME | ID | PERIOD, 0);
	add_event("faults", IP | TID | TIME | ID | PERIOD, 1);
	comm(0, 10, "sh", false);
	map(0, 10, 0x1000, 0x1000, "/bin/none-sh");
	for (uint64_t i = 0; i < 3; i++)
		mkperf_sample(m, &(struct mkperf_sample){.event = i > 0,
							 .misc = USER,
							 .pid = 10,
							 .tid = 10,
							 .ip = 0x1000,
							 .time = 5 + i,
							 .period = 10 + i});
	run();
	check_row(0, "/bin/none-sh", 1, 10, "file-missing");
	check_row(1, "/bin/none-sh", 2, 23, "file-missing");
	ck_assert_int_eq(answer_start(results, &processstat_lives, NULL), 0);
	ck_assert_int_eq(answer_next(results, &processstat_lives, &process, NULL), 1);
	ck_assert_uint_eq(process.by_event[1].period, 23);
	ck_assert_uint_eq(results->events[0].total.samples, 1);
	ck_assert_uint_eq(results->events[1].total.samples, 2);
	ck_assert_str_eq(results->events[1].event->name, "faults");
}
END_TEST

START_TEST(callers_get_what_they_called_once)
{
	/* a -> b -> a -> b, the sample in b; markers and the callee first */
	static const uint64_t chain[] = {(uint64_t)-512, 0x2010, 0x1010, 0x2020, 0x1020};

	add_event("cpu-clock", IP | TID | TIME | CALLCHAIN | PERIOD, 0);
	comm(0, 10, "sh", false);
	map(0, 10, 0x1000, 0x1000, "/bin/none-a");
	map(0, 10, 0x2000, 0x1000, "/bin/none-b");
	for (uint64_t i = 0; i < 2; i++)
		mkperf_sample(m, &(struct mkperf_sample){.misc = USER,
							 .pid = 10,
							 .tid = 10,
							 .ip = 0x2010,
							 .time = 5 + i,
							 .period = 10,
							 .ips = chain,
							 .nr_ips = 5});
	sample(9, 10, 0x2010, 1); /* without a chain */
	run();
	ck_assert_uint_eq(results->nr_functions, 2);
	ck_assert_uint_eq(row(0, "/bin/none-a")->self.samples, 0);
	ck_assert_uint_eq(row(0, "/bin/none-a")->children.samples, 2);
	ck_assert_uint_eq(row(0, "/bin/none-a")->children.period, 20);
	ck_assert_uint_eq(row(0, "/bin/none-b")->self.samples, 3);
	ck_assert_uint_eq(row(0, "/bin/none-b")->children.samples, 3);
	ck_assert_uint_eq(row(0, "/bin/none-b")->children.period, 21);
}
END_TEST

START_TEST(a_return_address_belongs_to_the_call_before_it)
{
	/* The caller's last instruction is the call: its return address is the next mapping's. */
	static const uint64_t chain[] = {(uint64_t)-512, 0x1010, 0x2000};

	add_event("cpu-clock", IP | TID | TIME | CALLCHAIN | PERIOD, 0);
	comm(0, 10, "sh", false);
	map(0, 10, 0x1000, 0x1000, "/bin/none-a");
	map(0, 10, 0x2000, 0x1000, "/bin/none-b");
	mkperf_sample(m, &(struct mkperf_sample){.misc = USER,
						 .pid = 10,
						 .tid = 10,
						 .ip = 0x1010,
						 .time = 5,
						 .period = 10,
						 .ips = chain,
						 .nr_ips = 3});
	run();
	ck_assert_uint_eq(results->nr_functions, 1);
	check_row(0, "/bin/none-a", 1, 10, "file-missing");
}
END_TEST

START_TEST(what_the_kernel_interrupted_is_where_it_stood)
{
	/* Behind a marker comes no return address: 0x2000 is the first byte of b, and exact. */
	static const uint64_t chain[] = {(uint64_t)-128, 0xffffffff81000010, (uint64_t)-512,
					 0x2000};
	const struct mkperf_mmap kernel = {.misc = KERNEL,
					   .pid = UINT32_MAX,
					   .start = 0xffffffff81000000,
					   .len = 0x1000000,
					   .pgoff = 0xffffffff81000000,
					   .filename = "[kernel.kallsyms]_text"};

	add_event("cpu-clock", IP | TID | TIME | CALLCHAIN | PERIOD, 0);
	mkperf_mmap(m, NULL, &kernel);
	comm(0, 10, "sh", false);
	map(0, 10, 0x2000, 0x1000, "/bin/none-b");
	mkperf_sample(m, &(struct mkperf_sample){.misc = KERNEL,
						 .pid = 10,
						 .tid = 10,
						 .ip = 0xffffffff81000010,
						 .time = 5,
						 .period = 10,
						 .ips = chain,
						 .nr_ips = 4});
	run();
	ck_assert_uint_eq(row(0, "[kernel.kallsyms]")->self.period, 10);
	ck_assert_uint_eq(row(0, "/bin/none-b")->self.period, 0);
	ck_assert_uint_eq(row(0, "/bin/none-b")->children.period, 10);
}
END_TEST

START_TEST(filters_narrow_what_is_counted)
{
	struct error err = {0};

	ck_assert_int_eq(filter_add(&filter, "comm", "cc", &err), 0);
	add_event("cpu-clock", IP | TID | TIME | PERIOD, 0);
	comm(0, 10, "sh", false);
	map(0, 10, 0x1000, 0x1000, "/bin/none-a");
	sample(5, 10, 0x1000, 1);
	comm(6, 10, "cc", false);
	sample(7, 10, 0x1000, 2);
	run();
	check_row(0, "/bin/none-a", 1, 2, "file-missing");
	ck_assert_uint_eq(results->events[0].total.samples, 1);
	ck_assert(results->filtered);
	for (size_t i = 0; i < ANSWER_NR(results, recordstat_records); i++) {
		if (strcmp(ANSWER_ROWS(results, recordstat_records, record_stat)[i].record,
			   "SAMPLE") == 0)
			ck_assert_uint_eq(
				ANSWER_ROWS(results, recordstat_records, record_stat)[i].count, 1);
	}
}
END_TEST

/* A sample belongs to the name that its thread has then, whatever the process is called. */
START_TEST(filtered_by_the_name_of_a_thread)
{
	struct mkperf_id id = {.pid = 10, .tid = 12, .time = 6};
	struct error err = {0};

	ck_assert_int_eq(filter_add(&filter, "comm", "worker", &err), 0);
	add_event("cpu-clock", IP | TID | TIME | PERIOD, 0);
	comm(0, 10, "main", false);
	map(0, 10, 0x1000, 0x1000, "/bin/none-a");
	for (unsigned i = 0; i < 3; i++)
		mkperf_sample(m, &(struct mkperf_sample){.misc = USER,
							 .pid = 10,
							 .tid = i < 2 ? 12 : 10,
							 .ip = 0x1000,
							 .time = 5 + 2 * i,
							 .period = 1 + i});
	mkperf_comm(m, &id, 0, 10, 12, "worker");
	mkperf_round(m);
	run();
	check_row(0, "/bin/none-a", 1, 2, "file-missing");
	CHECK_PROCESSES("10 main /bin/none-a 1 -1 -1 -1 2: 1/2");
}
END_TEST

START_TEST(record_counts_name_every_type)
{
	static const char *const bookkeeping[] = {"[lost]", "[damaged]", "[late]",
						  "[truncated bytes]", "[missing bytes]"};
	enum { NR_BOOKKEEPING = sizeof(bookkeeping) / sizeof(bookkeeping[0]) };
	static const uint64_t body = 0;
	const struct record_stat *last;
	uint64_t total = 0;
	bool unknown = false;

	add_event("cpu-clock", IP | TID | TIME | PERIOD, 0);
	comm(0, 10, "sh", false);
	mkperf_record(m, 200, 0, &body, sizeof(body));
	mkperf_record(m, 200, 0, &body, sizeof(body));
	mkperf_round(m);
	run();
	for (size_t i = 0; i < ANSWER_NR(results, recordstat_records); i++) {
		const struct record_stat *r =
			&ANSWER_ROWS(results, recordstat_records, record_stat)[i];

		total += r->count;
		if (strcmp(r->record, "UNKNOWN_200") == 0)
			unknown = r->count == 2;
	}
	ck_assert(unknown);
	ck_assert_uint_eq(total, 4);
	ck_assert_str_eq(ANSWER_ROWS(results, recordstat_records, record_stat)[0].record, "MMAP");
	last = &ANSWER_ROWS(results, recordstat_records,
			    record_stat)[ANSWER_NR(results, recordstat_records) - NR_BOOKKEEPING];
	for (size_t i = 0; i < NR_BOOKKEEPING; i++)
		ck_assert_str_eq(last[i].record, bookkeeping[i]);
}
END_TEST

/* Two binaries in turn, 4 and 6 samples in each of ten slices of time: see test_timeslice.c. */
static void run_in_turn(bool slices)
{
	slices_wanted = slices;
	add_event("cycles", IP | TID | TIME | PERIOD, 0);
	comm(1, 10, "prog", true);
	map(2, 10, 0x1000, 0x1000, "/bin/a");
	map(3, 10, 0x2000, 0x1000, "/bin/b");
	for (unsigned i = 0; i < 10; i++)
		for (unsigned j = 0; j < 10; j++)
			sample(100 + i * 1048576ul + j, 10, j < 4 + i % 2 * 2 ? 0x1000 : 0x2000, 5);
	run();
}

START_TEST(noise_is_there_if_it_is_wanted)
{
	const struct function_stat *a;

	run_in_turn(true);
	a = row(0, "/bin/a");
	ck_assert_uint_eq(a->self.samples, 50);
	ck_assert_double_eq_tol(a->noise, 0.002, 1e-12);
	ck_assert_double_eq_tol(a->noise_df, 2 / (3. / 10 + 1. / 50), 1e-12);
	ck_assert_double_eq_tol(a->children_noise, 0.002, 1e-12);
	ck_assert_double_eq_tol(row(0, "/bin/b")->noise, 0.002, 1e-12);
}
END_TEST

START_TEST(no_noise_is_worked_out_without_need)
{
	run_in_turn(false);
	ck_assert_double_eq(row(0, "/bin/a")->noise, 0);
	ck_assert_double_eq(row(0, "/bin/a")->noise_df, 0);
}
END_TEST

START_TEST(the_header_is_there_if_it_is_wanted)
{
	add_event("cpu-clock", IP | TID | TIME | PERIOD, 0);
	mkperf_feature_string(m, MKPERF_HOSTNAME, "vm");
	comm(0, 10, "sh", false);
	header_wanted = _i;
	run();
	/* event_desc follows, which run() has made */
	ck_assert_int_eq(ANSWER_NR(results, headerstat_facts) > 0, _i);
	if (_i == 0)
		return;
	ck_assert_str_eq(ANSWER_ROWS(results, headerstat_facts, fact)[0].key, "hostname");
	ck_assert_str_eq(ANSWER_ROWS(results, headerstat_facts, fact)[0].value, "vm");
	ck_assert_str_eq(ANSWER_ROWS(results, headerstat_facts, fact)[1].key, "event_desc.0.name");
	ck_assert_str_eq(ANSWER_ROWS(results, headerstat_facts, fact)[1].value, "cpu-clock");
}
END_TEST

/* Callers are in no row of lines or addresses; equal addresses of two events are two rows. */
START_TEST(lines_and_addresses_hold_every_sample)
{
	static const char *const lines[] = {"0 /bin/none-a file-missing 3/14",
					    "0 [unmapped] no-mapping 1/1",
					    "1 /bin/none-a file-missing 1/9"};
	static const char *const addresses[] = {"0 /bin/none-a 0x10 [unknown] file-missing 2/6",
						"0 /bin/none-a 0x20 [unknown] file-missing 1/8",
						"0 [unmapped] 0x9010 [unknown] no-mapping 1/1",
						"1 /bin/none-a 0x20 [unknown] file-missing 1/9"};
	char text[256];

	places_wanted = true;
	add_event("cpu-clock", IP | TID | TIME | PERIOD | ID, 0);
	add_event("faults", IP | TID | TIME | PERIOD | ID, 1);
	comm(0, 10, "a", false);
	map(0, 10, 0x1000, 0x1000, "/bin/none-a");
	for (uint64_t i = 0; i < 5; i++)
		mkperf_sample(m, &(struct mkperf_sample){.misc = USER,
							 .pid = 10,
							 .tid = 10,
							 .id = ids[i == 4],
							 .ip = i == 3  ? 0x9010
							       : i > 1 ? 0x1020
								       : 0x1010,
							 .time = i + 1,
							 .period = (uint64_t[]){2, 4, 8, 1, 9}[i]});
	run();
	ck_assert_uint_eq(ANSWER_NR(results, linestat_lines), 3);
	for (size_t i = 0; i < 3; i++) {
		const struct line_stat *l = &ANSWER_ROWS(results, linestat_lines, line_stat)[i];

		snprintf(text, sizeof(text), "%u %s %s%s %d/%d", (unsigned)l->event->number,
			 l->binary, l->filename, l->reason, (int)l->self.samples,
			 (int)l->self.period);
		ck_assert_str_eq(text, lines[i]);
	}
	ck_assert_uint_eq(ANSWER_NR(results, linestat_addresses), 4);
	for (size_t i = 0; i < 4; i++) {
		const struct address_stat *a =
			&ANSWER_ROWS(results, linestat_addresses, address_stat)[i];

		snprintf(text, sizeof(text), "%u %s 0x%x %s %s%s %d/%d", (unsigned)a->event->number,
			 a->binary, (unsigned)a->address, a->function, a->filename, a->reason,
			 (int)a->self.samples, (int)a->self.period);
		ck_assert_str_eq(text, addresses[i]);
		/* A name may be long, and is not looked at for each address. */
		ck_assert_ptr_eq(a->function, a->owner->function);
		ck_assert_ptr_eq(a->physical, a->owner->function);
		ck_assert_ptr_eq(a->binary, a->owner->binary);
		ck_assert_ptr_eq(a->build_id, a->owner->build_id);
	}
}
END_TEST

START_TEST(callers_have_no_lines)
{
	uint64_t chain[] = {0x1010, 0x1101, 0x1201};

	places_wanted = true;
	add_event("cpu-clock", IP | TID | TIME | CALLCHAIN | PERIOD, 0);
	comm(0, 10, "a", false);
	map(0, 10, 0x1000, 0x1000, "/bin/none-a");
	mkperf_sample(m, &(struct mkperf_sample){.misc = USER,
						 .pid = 10,
						 .tid = 10,
						 .ip = 0x1010,
						 .time = 1,
						 .period = 3,
						 .ips = chain,
						 .nr_ips = 3});
	run();
	ck_assert_uint_eq(ANSWER_NR(results, linestat_lines), 1);
	ck_assert_uint_eq(ANSWER_NR(results, linestat_addresses), 1);
	ck_assert_uint_eq(ANSWER_ROWS(results, linestat_addresses, address_stat)[0].address, 0x10);
	ck_assert_uint_eq(ANSWER_ROWS(results, linestat_addresses, address_stat)[0].self.period, 3);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("replay");
	TCase *tc = tcase_create("replay");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_process_forks_execs_and_exits);
	tcase_add_test(tc, a_pid_used_again_is_another_life);
	tcase_add_test(tc, threads_share_their_process);
	tcase_add_test(tc, samples_of_no_known_process_go_to_minus_one);
	tcase_add_test(tc, the_kernel_and_its_modules);
	tcase_add_test(tc, two_events_are_told_apart_by_id);
	tcase_add_test(tc, callers_get_what_they_called_once);
	tcase_add_test(tc, a_return_address_belongs_to_the_call_before_it);
	tcase_add_test(tc, what_the_kernel_interrupted_is_where_it_stood);
	tcase_add_test(tc, filters_narrow_what_is_counted);
	tcase_add_test(tc, filtered_by_the_name_of_a_thread);
	tcase_add_test(tc, record_counts_name_every_type);
	tcase_add_test(tc, lines_and_addresses_hold_every_sample);
	tcase_add_test(tc, callers_have_no_lines);
	tcase_add_loop_test(tc, the_header_is_there_if_it_is_wanted, 0, 2);
	tcase_add_test(tc, noise_is_there_if_it_is_wanted);
	tcase_add_test(tc, no_noise_is_worked_out_without_need);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
