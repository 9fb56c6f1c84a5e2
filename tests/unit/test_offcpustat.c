/* Waits of threads from recordings, by function; what a recording may do wrong; slices of time. */
#include "decode/replay.h"

#include "tests/support/answers.h"
#include "tests/support/recording.h"
#include "tests/support/replaying.h"
#include "tests/support/suite.h"

#include <check.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SAMPLE_TYPE = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
		      PERF_SAMPLE_RAW | PERF_SAMPLE_IDENTIFIER,
	SWITCH_ID = 316,
	WAKING_ID = 317,
	PID = 42,
	TID = 43,
};

#define CODE	  UINT64_C(0x401000)
#define LIB	  UINT64_C(0x501000)
#define SCHEDULE  UINT64_C(0xffffffff81000010) /* in __schedule */
#define FUTEX	  UINT64_C(0xffffffff81000110) /* in futex_wait */
#define WAIT_LOCK UINT64_C(0x501100)
#define MAIN	  UINT64_C(0x401200)

static const char kallsyms_text[] = "ffffffff81000000 T _text\nffffffff81000000 T __schedule\n"
				    "ffffffff81000100 T futex_wait\nffffffff81000200 T entry\n";

#define FIELDS(state_mask, words, none)                                 \
	"name: sched_switch\nID: 316\nformat:\n"                        \
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n" \
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"     \
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"    \
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"     \
	"\nprint fmt: \"%s\", REC->prev_state & " state_mask            \
	" ? __print_flags(REC->prev_state & " state_mask ", \"|\", " words ") : \"" none "\"\n"

static const char switch_new[] = FIELDS(
	"0xff", "{ 0x1, \"S\" }, { 0x2, \"D\" }, { 0x4, \"T\" }, { 0x10, \"X\" }, { 0x20, \"Z\" }",
	"R");
static const char switch_old[] = FIELDS(
	"1023", "{ 1, \"S\"} , { 2, \"D\" }, { 16, \"Z\" }, { 32, \"X\" }, { 64, \"x\" }", "R");
static const char waking[] = "name: sched_waking\nID: 317\nformat:\n"
			     "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			     "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
			     "\tfield:int success;\toffset:28;\tsize:4;\tsigned:1;\n";

static struct mkperf *m;
static unsigned event_switch, event_waking;
static struct scratch_path dir, kallsyms;
static struct filter filter;
static struct replay_settings settings;
static struct replaying replaying;
static const struct results *results;

static void put_tracing(const char *switch_format)
{
	const char *const formats[] = {switch_format, waking};

	mkperf_tracing(m, &(struct mkperf_tracepoints){"sched", formats, 2}, 1);
}

static unsigned add_event(const char *name, uint64_t config, uint64_t sample_type, uint64_t id)
{
	return mkperf_event(m, &(struct mkperf_event){
				       .name = name,
				       .type = PERF_TYPE_TRACEPOINT,
				       .config = config,
				       .sample_period = 1,
				       .sample_type = sample_type,
				       .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				       .ids = &id,
				       .nr_ids = 1,
			       });
}

static void put_maps(void)
{
	mkperf_mmap(m, NULL,
		    &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_KERNEL,
					  .pid = UINT32_MAX,
					  .start = UINT64_C(0xffffffff81000000),
					  .len = 0x1000000,
					  .pgoff = UINT64_C(0xffffffff81000000),
					  .filename = "[kernel.kallsyms]_text"});
	mkperf_comm(m, NULL, 0, PID, PID, "waiter");
	mkperf_comm(m, NULL, 0, PID, TID, "worker");
	mkperf_mmap2(m, NULL,
		     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					   .pid = PID,
					   .tid = PID,
					   .start = CODE,
					   .len = 0x1000,
					   .filename = "/bin/waiter",
					   .prot = 5});
	mkperf_mmap2(m, NULL,
		     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					   .pid = PID,
					   .tid = PID,
					   .start = LIB,
					   .len = 0x1000,
					   .filename = "/lib/libwait.so",
					   .prot = 5});
}

static void setup(void)
{
	m = mkperf_new(NULL);
	dir = scratch_make();
	scratch_write(dir.text, "kallsyms", kallsyms_text);
	kallsyms = scratch_join(dir.text, "kallsyms");
	filter = (struct filter){0};
	settings = (struct replay_settings){
		.filter = &filter,
		.symbols = {.kallsyms = kallsyms.text},
	};
	needs_add(&settings.needs, &offcpustat_waits);
	needs_add(&settings.needs, &slicestat_slices);
	needs_add(&settings.needs, &processstat_thread_lives);
	replaying = (struct replaying){0};
	results = NULL;
}

static void teardown(void)
{
	replaying_end(&replaying);
	filter_free(&filter);
	scratch_remove(dir.text);
}

/* With the events and formats of most tests. */
static void start(const char *switch_format, uint64_t more)
{
	event_switch = add_event("sched:sched_switch", SWITCH_ID, SAMPLE_TYPE | more, 100);
	event_waking = add_event("sched:sched_waking", WAKING_ID, SAMPLE_TYPE, 101);
	mkperf_event_desc(m);
	put_tracing(switch_format);
	put_maps();
}

static void run(void)
{
	replaying = replaying_begin(m, &settings);
	replaying_finish(&replaying);
	results = replaying.results;
}

/* ---- records --------------------------------------------------------------------------------- */

/* What a sample of sched_switch has, and what is in it. */
struct change {
	uint32_t tid, cpu, next;
	uint64_t time, state;
	const uint64_t *ips;
	size_t nr_ips;
	const char *comm;
	uint32_t cut; /* bytes of the payload that are missing */
};

static void put_switch(const struct change *change)
{
	const uint32_t pid = change->tid ? PID : 0;
	char raw[68] = {0};

	if (change->comm)
		memcpy(raw + 8, change->comm, strlen(change->comm));
	memcpy(raw + 24, &change->tid, 4);
	memcpy(raw + 32, &change->state, 8);
	memcpy(raw + 56, &change->next, 4);
	mkperf_sample(m, &(struct mkperf_sample){.event = event_switch,
						 .misc = PERF_RECORD_MISC_KERNEL,
						 .pid = pid,
						 .tid = change->tid,
						 .cpu = change->cpu,
						 .ip = SCHEDULE,
						 .period = 1,
						 .time = change->time,
						 .ips = change->ips,
						 .nr_ips = change->nr_ips,
						 .raw = raw,
						 .raw_size = sizeof(raw) - change->cut});
}

static void put_waking(uint32_t tid, uint64_t time, uint32_t success)
{
	char raw[36] = {0};

	memcpy(raw + 24, &tid, 4);
	memcpy(raw + 28, &success, 4);
	mkperf_sample(m, &(struct mkperf_sample){.event = event_waking,
						 .misc = PERF_RECORD_MISC_KERNEL,
						 .ip = SCHEDULE,
						 .time = time,
						 .raw = raw,
						 .raw_size = sizeof(raw)});
}

static void put_switch_record(uint32_t tid, uint64_t time, uint16_t misc)
{
	mkperf_begin(m, PERF_RECORD_SWITCH, misc);
	mkperf_trailer(m, &(struct mkperf_id){.pid = PID, .tid = tid, .time = time});
	mkperf_end(m);
}

static const uint64_t chain[] = {PERF_CONTEXT_KERNEL, SCHEDULE, FUTEX,	      PERF_CONTEXT_USER,
				 WAIT_LOCK + 1,	      MAIN + 1, WAIT_LOCK + 1};
static const uint64_t kernel_chain[] = {PERF_CONTEXT_KERNEL, SCHEDULE, FUTEX,
					UINT64_C(0xffffffff81000210)};

/* ---- rows ------------------------------------------------------------------------------------ */

/* "pid comm binary function state wait delay preempt count max children waits_in source" */
static const char *row(size_t number)
{
	static char text[400];
	const struct offcpu_stat *at = &ANSWER_ROWS(results, offcpustat_waits, offcpu_stat)[number];

	ck_assert_uint_lt(number, ANSWER_NR(results, offcpustat_waits));
	snprintf(text, sizeof(text),
		 "%d %s %s %s [%s] %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		 " %" PRIu64 " %" PRIu64 " [%s] %s",
		 (int)at->pid, at->comm, at->function ? at->function->binary : "-",
		 at->function ? at->function->function : "-", at->state, at->wait, at->delay,
		 at->preempt, at->count, at->max, at->children_wait, at->children_count,
		 at->waits_in, at->source);
	return text;
}

static void expect_rows(size_t nr)
{
	ck_assert_uint_eq(ANSWER_NR(results, offcpustat_waits), nr);
}

/* Whether there is a wait of @tid in threads' times: on, off, delay. */
static void expect_thread(uint32_t tid, uint64_t on, uint64_t off, uint64_t delay)
{
	struct thread_stat thread;
	struct error err = {0};

	ck_assert_int_eq(answer_start(results, &processstat_thread_lives, &err), 0);
	while (answer_next(results, &processstat_thread_lives, &thread, &err) > 0) {
		if (thread.tid != tid)
			continue;
		ck_assert(thread.has_switches);
		ck_assert_uint_eq(thread.on_cpu, on);
		ck_assert_uint_eq(thread.off_cpu, off);
		ck_assert_uint_eq(thread.delay, delay);
		return;
	}
	ck_abort_msg("no thread %u", tid);
}

START_TEST(by_function)
{
	start(switch_new, PERF_SAMPLE_CALLCHAIN);
	put_switch(&(struct change){.tid = 0, .next = TID, .time = 1000});
	put_switch(
		&(struct change){.tid = TID, .state = 1, .time = 1100, .ips = chain, .nr_ips = 7});
	put_waking(TID, 1400, 0); /* it was awake: not this time */
	put_waking(TID, 1500, 1);
	put_switch(&(struct change){.tid = 0, .next = TID, .time = 1520});
	put_switch(&(struct change){
		.tid = TID, .state = 0x100, .time = 1600, .ips = kernel_chain, .nr_ips = 4});
	put_switch(&(struct change){.tid = 0, .next = TID, .time = 1630});
	put_switch(&(struct change){.tid = TID, .state = 0x20, .time = 1640});
	run();
	expect_rows(4);
	ck_assert_str_eq(row(0), "42 worker /lib/libwait.so [unknown] [S] 400 20 0 1 420 400 1 "
				 "[futex_wait] sched_switch");
	ck_assert_str_eq(row(1), "42 worker /bin/waiter [unknown] [S] 0 0 0 0 0 400 1 "
				 "[futex_wait] sched_switch");
	ck_assert_str_eq(row(2), "42 worker [kernel.kallsyms] entry [R+] 0 0 0 0 0 0 1 "
				 "[futex_wait] sched_switch");
	ck_assert_str_eq(row(3), "42 worker [kernel.kallsyms] futex_wait [R+] 0 0 30 1 30 0 1 "
				 "[futex_wait] sched_switch");
	expect_thread(TID, 100 + 80 + 10, 400, 20 + 30);
	ck_assert_uint_eq(results->switch_gaps->begins, 1);
	ck_assert_uint_eq(results->switch_gaps->ends, 0);
}
END_TEST

/* ---- call chains that come later ------------------------------------------------------------- */

/* Not in the header of older kernels. */
#define USER_DEFERRED ((uint64_t)-640)

static const uint64_t later_77[] = {PERF_CONTEXT_KERNEL, SCHEDULE, FUTEX, USER_DEFERRED, 77};
static const uint64_t later_78[] = {PERF_CONTEXT_KERNEL, SCHEDULE, FUTEX, USER_DEFERRED, 78};

/* The user part of @chain, for those that wait for @cookie. */
static void put_deferred(uint64_t cookie, uint64_t time)
{
	mkperf_begin(m, RECORD_CALLCHAIN_DEFERRED, 0);
	mkperf_u64(m, cookie);
	mkperf_u64(m, 3);
	for (size_t i = 4; i < 7; i++)
		mkperf_u64(m, chain[i]);
	mkperf_trailer(m, &(struct mkperf_id){.pid = PID, .tid = TID, .time = time});
	mkperf_end(m);
}

/* The thread leaves at @time, and comes back 10 ns later. */
static void put_wait(uint64_t time, const uint64_t *ips)
{
	put_switch(&(struct change){.tid = TID, .state = 1, .time = time, .ips = ips, .nr_ips = 5});
	put_switch(&(struct change){.next = TID, .time = time + 10});
}

#define WHOLE_CHAIN                                                              \
	"42 worker /lib/libwait.so [unknown] [S] 30 0 0 3 10 30 3 [futex_wait] " \
	"sched_switch",                                                          \
		"42 worker /bin/waiter [unknown] [S] 0 0 0 0 0 30 3 [futex_wait] sched_switch"
#define CHAIN_OF_KERNEL \
	"42 worker [kernel.kallsyms] futex_wait [S] 10 0 0 1 10 10 1 [futex_wait] sched_switch"

static void expect_texts(const char *const *texts, size_t nr, uint64_t chainless)
{
	expect_rows(nr);
	for (size_t i = 0; i < nr; i++)
		ck_assert_str_eq(row(i), texts[i]);
	ck_assert_uint_eq(results->switch_gaps->chainless, chainless);
}

/* The kernel unwinds the user stack once for all waits of a system call, after the last of them. */
START_TEST(chains_that_come_later)
{
	settings.stacks.paths_max = _i ? 3 : 0;
	start(switch_new, PERF_SAMPLE_CALLCHAIN);
	put_wait(1000, later_77);
	put_wait(1020, later_77);
	put_deferred(77, 1040);
	put_wait(1100, later_78);
	put_deferred(78, 1140);
	run();
	expect_texts((const char *const[]){WHOLE_CHAIN}, 2, 0);
	expect_thread(TID, 10 + 70, 30, 0);
}
END_TEST

/* It comes before the wait ends, as records got out of order. */
START_TEST(chain_during_the_wait)
{
	start(switch_new, PERF_SAMPLE_CALLCHAIN);
	for (uint64_t time = 1000; time < 1300; time += 100) {
		put_switch(&(struct change){
			.tid = TID, .state = 1, .time = time, .ips = later_77, .nr_ips = 5});
		put_deferred(77, time + 5);
		put_switch(&(struct change){.next = TID, .time = time + 10});
	}
	run();
	expect_texts((const char *const[]){WHOLE_CHAIN}, 2, 0);
}
END_TEST

/* That of another cookie comes, or none at all: the wait is where the kernel's part tells. */
START_TEST(chain_that_does_not_come)
{
	start(switch_new, PERF_SAMPLE_CALLCHAIN);
	put_wait(1000, later_77);
	if (_i == 1)
		put_deferred(78, 1040);
	if (_i == 2)
		mkperf_exit(m, &(struct mkperf_id){.pid = PID, .tid = TID, .time = 1040},
			    &(struct mkperf_task){.pid = PID, .tid = TID, .time = 1040});
	run();
	expect_texts((const char *const[]){CHAIN_OF_KERNEL}, 1, 1);
}
END_TEST

/* A wait that has no end is no wait without a chain. */
START_TEST(chain_of_a_wait_without_end)
{
	start(switch_new, PERF_SAMPLE_CALLCHAIN);
	put_switch(&(struct change){
		.tid = TID, .state = 1, .time = 1000, .ips = later_77, .nr_ips = 5});
	run();
	expect_texts(NULL, 0, 0);
	ck_assert_uint_eq(results->switch_gaps->ends, 1);
}
END_TEST

/* With next to no memory for call paths: the same path is in several tables. */
START_TEST(paths_that_were_put_aside)
{
	settings.stacks.paths_max = 3;
	start(switch_new, PERF_SAMPLE_CALLCHAIN);
	for (uint64_t i = 0; i < 6; i++) {
		const bool even = i % 2 == 0;

		put_switch(&(struct change){.tid = TID,
					    .state = 1,
					    .time = 1000 + 100 * i,
					    .ips = even ? chain : kernel_chain,
					    .nr_ips = even ? 7 : 4});
		put_switch(&(struct change){.tid = 0, .next = TID, .time = 1010 + 100 * i + i});
	}
	run();
	expect_rows(4);
	ck_assert_str_eq(row(0), "42 worker [kernel.kallsyms] futex_wait [S] 39 0 0 3 15 39 3 "
				 "[futex_wait] sched_switch");
	ck_assert_str_eq(row(1), "42 worker /lib/libwait.so [unknown] [S] 36 0 0 3 14 36 3 "
				 "[futex_wait] sched_switch");
}
END_TEST

/* One wait of 10 ns in @state; the row that it makes. */
static const char *state_of(const char *format, uint64_t state)
{
	start(format, 0);
	put_switch(&(struct change){.tid = TID, .state = state, .time = 1000});
	put_switch(&(struct change){.next = TID, .time = 1010});
	run();
	return ANSWER_NR(results, offcpustat_waits) ? row(0) : "none";
}

static const struct {
	const char *format;
	uint64_t state;
	const char *row;
} states[] = {
	{switch_new, 1, "42 worker - - [S] 10 0 0 1 10 0 0 [] sched_switch"},
	{switch_new, 0, "42 worker - - [R] 0 0 10 1 10 0 0 [] sched_switch"},
	{switch_new, 0x100, "42 worker - - [R+] 0 0 10 1 10 0 0 [] sched_switch"},
	{switch_new, 0x20, "none"},
	{switch_new, 0x10, "none"},
	{switch_new, 3, "42 worker - - [S|D] 10 0 0 1 10 0 0 [] sched_switch"},
	{switch_old, 2, "42 worker - - [D] 10 0 0 1 10 0 0 [] sched_switch"},
	{switch_old, 1024, "42 worker - - [R+] 0 0 10 1 10 0 0 [] sched_switch"},
	{switch_old, 16, "none"},
	{switch_old, 64, "none"},
	{switch_old, 8, "42 worker - - [0x8] 10 0 0 1 10 0 0 [] sched_switch"},
};

START_TEST(states_are_those_of_the_kernel)
{
	ck_assert_str_eq(state_of(states[_i].format, states[_i].state), states[_i].row);
}
END_TEST

START_TEST(switch_records)
{
	start(switch_new, 0);
	put_switch_record(TID, 1000, 0);
	put_switch_record(TID, 1100, PERF_RECORD_MISC_SWITCH_OUT);
	put_switch_record(TID, 1150, 0);
	put_switch_record(TID, 1160,
			  PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	put_switch_record(TID, 1167, 0);
	run();
	expect_rows(1);
	ck_assert_str_eq(row(0), "42 worker - - [] 50 0 7 2 50 0 0 [] switch");
	expect_thread(TID, 110, 50, 7);
}
END_TEST

/* sched_switch of one process with --switch-events: samples tell where, records until when. */
START_TEST(switch_records_complete_samples)
{
	start(switch_new, PERF_SAMPLE_CALLCHAIN);
	for (uint64_t i = 0; i < 2; i++) {
		put_switch(&(struct change){.tid = TID,
					    .state = 1,
					    .time = 1000 + 100 * i,
					    .ips = chain,
					    .nr_ips = 7,
					    .next = 7000});
		put_switch_record(TID, 1001 + 100 * i, PERF_RECORD_MISC_SWITCH_OUT);
		put_switch_record(TID, 1060 + 100 * i, 0);
	}
	run();
	ck_assert_str_eq(row(0), "42 worker /lib/libwait.so [unknown] [S] 120 0 0 2 60 120 2 "
				 "[futex_wait] sched_switch");
	expect_thread(TID, 40, 120, 0);
}
END_TEST

/* simpleperf has no format of the tracepoint and no payload: its own thread leaves. */
START_TEST(samples_without_a_payload)
{
	const uint64_t type = (SAMPLE_TYPE & ~(uint64_t)PERF_SAMPLE_RAW) | PERF_SAMPLE_CALLCHAIN;

	event_switch = add_event("sched:sched_switch", SWITCH_ID, type, 100);
	mkperf_event_desc(m);
	put_maps();
	put_switch(&(struct change){.tid = TID, .time = 1000, .ips = chain, .nr_ips = 7});
	put_switch_record(TID, 1001,
			  PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	put_switch_record(TID, 1060, 0);
	run();
	ck_assert_str_eq(row(1), "42 worker /lib/libwait.so [unknown] [] 0 0 60 1 60 0 1 "
				 "[futex_wait] sched_switch");
	expect_thread(TID, 0, 0, 60);
}
END_TEST

/* A wait of --off-cpu, and a sum of waits, which has no time. */
START_TEST(offcpu_time)
{
	const uint64_t id = 100;
	const uint64_t words[] = {5000, 3, PERF_CONTEXT_USER, WAIT_LOCK, MAIN + 1, 0, 0};
	char raw[68] = {0};
	const uint32_t ids[] = {PID, TID};

	mkperf_event(m,
		     &(struct mkperf_event){
			     .name = "offcpu-time",
			     .type = PERF_TYPE_SOFTWARE,
			     .config = PERF_COUNT_SW_BPF_OUTPUT,
			     .sample_period = 1,
			     .sample_type = SAMPLE_TYPE | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CGROUP,
			     .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
			     .ids = &id,
			     .nr_ids = 1,
		     });
	mkperf_event_desc(m);
	put_maps();
	memcpy(raw, ids, sizeof(ids));
	memcpy(raw + sizeof(ids), words, 48);
	for (uint64_t i = 0; i < 2; i++)
		mkperf_sample(m, &(struct mkperf_sample){.time = i ? (uint64_t)UINT32_MAX << 32 : 9,
							 .raw = raw,
							 .raw_size = 60});
	run();
	expect_rows(2);
	ck_assert_str_eq(row(0), "42 worker /lib/libwait.so [unknown] [] 10000 0 0 2 5000 10000 2 "
				 "[] offcpu-time");
	ck_assert_str_eq(row(1), "42 worker /bin/waiter [unknown] [] 0 0 0 0 0 10000 2 "
				 "[] offcpu-time");
}
END_TEST

START_TEST(lost_records)
{
	start(switch_new, 0);
	put_switch(&(struct change){.tid = TID, .state = 1, .time = 1000});
	mkperf_lost(m, &(struct mkperf_id){.time = 1005}, 100, 3);
	put_switch(&(struct change){.next = TID, .time = 1010});
	put_switch(&(struct change){.tid = TID, .state = 1, .time = 1020});
	put_switch(&(struct change){.next = TID, .time = 1023});
	run();
	expect_rows(1);
	ck_assert_str_eq(row(0), "42 worker - - [S] 3 0 0 1 3 0 0 [] sched_switch");
	expect_thread(TID, 10, 3, 0);
	ck_assert_uint_eq(results->switch_gaps->lost, 1);
}
END_TEST

/* Payloads that end before their fields tell nothing. */
START_TEST(payloads_that_are_cut)
{
	start(switch_new, 0);
	put_switch(&(struct change){.tid = TID, .state = 1, .time = 1000, .cut = 8 * (uint32_t)_i});
	put_switch(&(struct change){.next = TID, .time = 1010});
	run();
	expect_rows(_i < 2);
}
END_TEST

/* The payload names a thread that no record names, whatever bytes that name has. */
START_TEST(names_of_the_payload)
{
	event_switch = add_event("sched:sched_switch", SWITCH_ID, SAMPLE_TYPE, 100);
	mkperf_event_desc(m);
	put_tracing(switch_new);
	put_switch(&(struct change){.tid = 77, .state = 1, .time = 1000, .comm = "a\033[31m\n,b"});
	put_switch(
		&(struct change){.tid = 77, .state = 1, .time = 1005, .comm = "0123456789abcdef"});
	put_switch(&(struct change){.next = 77, .time = 1010});
	run();
	expect_rows(1);
	ck_assert_str_eq(row(0), "42 0123456789abcdef - - [S] 5 0 0 1 5 0 0 [] sched_switch");
	ck_assert_uint_eq(results->switch_gaps->missed, 1);
}
END_TEST

START_TEST(without_anything_about_waits)
{
	event_waking = add_event("sched:sched_waking", WAKING_ID, SAMPLE_TYPE, 101);
	mkperf_event_desc(m);
	put_tracing(switch_new);
	put_maps();
	put_waking(TID, 1000, 1);
	run();
	expect_rows(0);
	ck_assert(results->switchless);
	ck_assert_ptr_null(results->switch_gaps);
}
END_TEST

/*
 * With a frequency, or with a larger period that samples do not tell, the kernel samples some
 * switches only: what is between two of them is no wait.
 */
static const struct {
	uint64_t flags, period, more;
	uint64_t some;
	int rows;
} samplings[] = {
	{MKPERF_ATTR_FREQ, 999, PERF_SAMPLE_PERIOD, 2, 0},
	{0, 7, 0, 2, 0},
	{0, 7, PERF_SAMPLE_PERIOD, 0, 1},
	{0, 1, 0, 0, 1},
};

START_TEST(some_switches_only)
{
	const uint64_t id = 100;

	event_switch =
		mkperf_event(m, &(struct mkperf_event){
					.name = "sched:sched_switch",
					.type = PERF_TYPE_TRACEPOINT,
					.config = SWITCH_ID,
					.sample_period = samplings[_i].period,
					.sample_type = SAMPLE_TYPE | samplings[_i].more,
					.flags = MKPERF_ATTR_SAMPLE_ID_ALL | samplings[_i].flags,
					.ids = &id,
					.nr_ids = 1,
				});
	mkperf_event_desc(m);
	put_tracing(switch_new);
	put_maps();
	put_switch(&(struct change){.time = 1000, .tid = TID, .state = 1});
	put_switch(&(struct change){.time = 1010, .next = TID});
	run();
	expect_rows((size_t)samplings[_i].rows);
	ck_assert_ptr_nonnull(results->switch_gaps);
	ck_assert_uint_eq(results->switch_gaps->some, samplings[_i].some);
}
END_TEST

/* Filters choose waits by the samples at their begin; the time is that of all records. */
static const struct {
	const char *option, *list;
	uint64_t wait;
} filters[] = {
	{"tid", "43", 200},   {"tid", "44", 0},		  {"comm", "worker", 200},
	{"comm", "x*", 0},    {"event", "*switch", 200},  {"event", "*waking", 0},
	{"cpu", "3", 200},    {"time", "1000,1301", 200}, {"time", "1000,1300", 0},
	{"time", "1001,", 0},
};

START_TEST(filters_choose_waits)
{
	struct error err = {0};
	uint64_t wait = 0;

	ck_assert_int_eq(filter_add(&filter, filters[_i].option, filters[_i].list, &err), 0);
	start(switch_new, 0);
	put_switch(&(struct change){.tid = TID, .cpu = 3, .state = 1, .time = 1000});
	put_waking(TID, 1200, 1);
	put_switch(&(struct change){.next = TID, .cpu = 4, .time = 1300});
	run();
	for (size_t i = 0; i < ANSWER_NR(results, offcpustat_waits); i++)
		wait += ANSWER_ROWS(results, offcpustat_waits, offcpu_stat)[i].wait;
	ck_assert_uint_eq(wait, filters[_i].wait);
}
END_TEST

/* ---- slices ---------------------------------------------------------------------------------- */

/* "start pid comm cpu function samples", "-" for what is empty. */
static const char *slice(size_t number)
{
	static char text[200];
	const struct slice_stat *at = &ANSWER_ROWS(results, slicestat_slices, slice_stat)[number];

	ck_assert_uint_lt(number, ANSWER_NR(results, slicestat_slices));
	snprintf(text, sizeof(text), "%" PRIu64 " %d %s %d %s %" PRIu64, at->start,
		 at->has_pid ? (int)at->pid : -9, at->comm, at->has_cpu ? (int)at->cpu : -9,
		 at->function ? at->function->function : "-", at->tally.samples);
	return text;
}

static const struct {
	enum slice_by by;
	size_t nr;
	const char *slices[4];
} slicings[] = {
	{SLICE_BY_PROCESS,
	 4,
	 {"1000 0 swapper -9 - 1", "1000 42 waiter -9 - 2", "1250 42 waiter -9 - 1",
	  "2000 42 waiter -9 - 1"}},
	{SLICE_BY_CPU, 4, {"1000 -9  1 - 1", "1000 -9  2 - 2", "1250 -9  1 - 1", "2000 -9  1 - 1"}},
	{SLICE_BY_NONE, 3, {"1000 -9  -9 - 3", "1250 -9  -9 - 1", "2000 -9  -9 - 1"}},
	{SLICE_BY_FUNCTION,
	 3,
	 {"1000 -9  -9 __schedule 3", "1250 -9  -9 __schedule 1", "2000 -9  -9 __schedule 1"}},
};

START_TEST(slices_of_time)
{
	settings.slice = 250;
	settings.slice_by = slicings[_i].by;
	start(switch_new, _i % 2 ? PERF_SAMPLE_CALLCHAIN : 0);
	put_switch(&(struct change){.tid = TID, .cpu = 1, .time = 1000});
	put_switch(&(struct change){.tid = PID, .cpu = 2, .time = 1249});
	put_switch(&(struct change){.tid = 0, .cpu = 2, .time = 1249});
	put_switch(&(struct change){.tid = PID, .cpu = 1, .time = 1250});
	put_switch(&(struct change){.tid = PID, .cpu = 1, .time = 2000});
	run();
	ck_assert_uint_eq(ANSWER_NR(results, slicestat_slices), slicings[_i].nr);
	for (size_t i = 0; i < slicings[_i].nr; i++)
		ck_assert_str_eq(slice(i), slicings[_i].slices[i]);
	ck_assert_uint_eq(results->nr_sliceless, 0);
}
END_TEST

/* As many rows as are allowed, and one more. */
START_TEST(too_many_slices)
{
	const struct record *rec;
	struct error err = {0};
	int rc = 0;

	settings.slice = 1;
	settings.slices_max = 2;
	start(switch_new, 0);
	for (uint64_t i = 0; i < 3; i++)
		put_switch(&(struct change){.tid = TID, .time = 1000 + i});
	replaying.file = recording_open(m);
	replaying.replay = replay_create(&settings, replaying.file, &err);
	ck_assert_ptr_nonnull(replaying.replay);
	while (rc >= 0 && (rec = recording_next(replaying.file)))
		rc = replay_apply(replaying.replay, rec, &err);
	ck_assert_int_eq(rc, -1);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_str_eq(err.text, "slices.csv would have more than 2 rows: give it longer slices "
				   "(--slice), fewer kinds of rows (--slice-by), or filters");
	ck_assert_uint_eq(rec->time, 1002);
}
END_TEST

START_TEST(samples_without_a_time)
{
	event_switch = add_event("sched:sched_switch", SWITCH_ID,
				 SAMPLE_TYPE & ~(uint64_t)PERF_SAMPLE_TIME, 100);
	mkperf_event_desc(m);
	put_tracing(switch_new);
	put_switch(&(struct change){.tid = TID, .state = 1});
	put_switch(&(struct change){.next = TID});
	run();
	ck_assert_uint_eq(ANSWER_NR(results, slicestat_slices), 0);
	ck_assert_uint_eq(results->nr_sliceless, 2);
	expect_rows(0);
	ck_assert(results->switchless);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("offcpustat");
	TCase *tcase = tcase_create("offcpustat");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, by_function);
	tcase_add_test(tcase, paths_that_were_put_aside);
	tcase_add_loop_test(tcase, chains_that_come_later, 0, 2);
	tcase_add_test(tcase, chain_during_the_wait);
	tcase_add_loop_test(tcase, chain_that_does_not_come, 0, 3);
	tcase_add_test(tcase, chain_of_a_wait_without_end);
	tcase_add_loop_test(tcase, states_are_those_of_the_kernel, 0,
			    sizeof(states) / sizeof(states[0]));
	tcase_add_test(tcase, switch_records);
	tcase_add_test(tcase, switch_records_complete_samples);
	tcase_add_test(tcase, samples_without_a_payload);
	tcase_add_loop_test(tcase, some_switches_only, 0, sizeof(samplings) / sizeof(samplings[0]));
	tcase_add_test(tcase, offcpu_time);
	tcase_add_test(tcase, lost_records);
	tcase_add_loop_test(tcase, payloads_that_are_cut, 0, 9);
	tcase_add_test(tcase, names_of_the_payload);
	tcase_add_test(tcase, without_anything_about_waits);
	tcase_add_loop_test(tcase, filters_choose_waits, 0, sizeof(filters) / sizeof(filters[0]));
	tcase_add_loop_test(tcase, slices_of_time, 0, sizeof(slicings) / sizeof(slicings[0]));
	tcase_add_test(tcase, too_many_slices);
	tcase_add_test(tcase, samples_without_a_time);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
