/* What each event counted and lost on each CPU, from recordings made for the purpose. */
#include "decode/answer/eventstat.h"
#include "decode/replay.h"
#include "decode/stack/chainend.h"
#include "perffile/format.h"
#include "tests/support/answers.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

enum {
	WITH_CPU = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		   PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
	WITHOUT_CPU = WITH_CPU & ~(unsigned)PERF_SAMPLE_CPU,
	BY_FILTER = 1 << 15,
};

static const uint64_t ids[2][2] = {{10, 11}, {20, 21}};
static struct mkperf *m;
static struct perffile *file;
static struct replay *replay;
static struct filter filter;
static const struct results *results;

static void setup(void)
{
	m = mkperf_new(NULL);
	file = NULL;
	replay = NULL;
	memset(&filter, 0, sizeof(filter));
}

static void teardown(void)
{
	replay_destroy(replay);
	perffile_close(file);
	filter_free(&filter);
	mkperf_free(m);
}

static void add_events(uint64_t sample_type, uint64_t flags)
{
	for (unsigned i = 0; i < 2; i++)
		mkperf_event(m, &(struct mkperf_event){
					.type = PERF_TYPE_SOFTWARE,
					.config = i,
					.sample_type = sample_type,
					.flags = flags,
					.ids = ids[i],
					.nr_ids = 2,
				});
}

/* Events 0 and 1, whose samples say their CPU. */
static void add_usual_events(void)
{
	add_events(WITH_CPU, MKPERF_ATTR_SAMPLE_ID_ALL);
}

static void sample(unsigned event, uint32_t cpu, uint64_t time, uint64_t period)
{
	mkperf_sample(m, &(struct mkperf_sample){.event = event,
						 .misc = 2,
						 .pid = 7,
						 .tid = 7,
						 .cpu = cpu,
						 .ip = 0x1000,
						 .time = time,
						 .period = period});
}

static struct mkperf_id on(unsigned event, uint32_t cpu, uint64_t time)
{
	return (struct mkperf_id){.event = event, .pid = 7, .tid = 7, .cpu = cpu, .time = time};
}

static void lost(struct mkperf_id at, uint64_t id, uint64_t nr)
{
	mkperf_lost(m, &at, id, nr);
}

static void lost_samples(struct mkperf_id at, uint16_t misc, uint64_t nr)
{
	mkperf_lost_samples(m, &at, misc, nr);
}

static void throttle(struct mkperf_id at, bool un, uint64_t id)
{
	mkperf_throttle(m, &at, un, id, id);
}

static void run(void)
{
	const struct replay_settings settings = {
		.filter = &filter,
		.needs = {{&processstat_lives}, 1},
		.symbols = {.build_id_cache = "/nonexistent", .debug_dir = "/nonexistent"},
	};
	const struct record *rec;
	struct error err = {0};

	file = recording_open(m);
	m = NULL;
	replay = replay_create(&settings, file, &err);
	ck_assert_msg(replay, "%s", err.text);
	while ((rec = recording_next(file)))
		ck_assert_int_ge(replay_apply(replay, rec, &err), 0);
	results = replay_finish(replay, &err);
	ck_assert_msg(results, "%s", err.text);
}

/*
 * Each event as "samples/period dropped of taken/period", then its CPUs ("-" for none) as
 * "cpu: samples/period lost+lost_samples throttled-unthrottled".
 */
static void check_events(const char *const *expected, size_t nr)
{
	size_t line = 0;
	char text[160];

	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *e = &results->events[i];

		ck_assert_uint_eq(e->event->number, i);
		snprintf(text, sizeof(text), "%ju/%ju %ju of %ju/%ju", e->total.samples,
			 e->total.period, e->dropped, e->taken.samples, e->taken.period);
		ck_assert_uint_lt(line, nr);
		ck_assert_str_eq(text, expected[line++]);
		for (size_t j = 0; j < e->nr_cpus; j++) {
			const struct cpu_stat *c = &e->cpus[j];
			int len = c->has_cpu ? snprintf(text, sizeof(text), "%u", c->cpu)
					     : snprintf(text, sizeof(text), "-");

			snprintf(text + len, sizeof(text) - (size_t)len,
				 ": %ju/%ju %ju+%ju %ju-%ju", c->total.samples, c->total.period,
				 c->lost, c->lost_samples, c->throttled, c->unthrottled);
			ck_assert_uint_lt(line, nr);
			ck_assert_str_eq(text, expected[line++]);
		}
	}
	ck_assert_uint_eq(line, nr);
}

#define CHECK_EVENTS(...)                                                          \
	do {                                                                       \
		static const char *const expected_[] = {__VA_ARGS__};              \
		check_events(expected_, sizeof(expected_) / sizeof(expected_[0])); \
	} while (0)

START_TEST(samples_by_cpu)
{
	add_usual_events();
	sample(0, 3, 1, 10);
	sample(0, 0, 2, 20);
	sample(0, 3, 3, 40);
	sample(1, 63, 4, 1);
	sample(1, 64, 5, 2);
	sample(1, 8191, 6, 4);
	run();
	CHECK_EVENTS("3/70 0 of 3/70", "0: 1/20 0+0 0-0", "3: 2/50 0+0 0-0", "3/7 0 of 3/7",
		     "63: 1/1 0+0 0-0", "64: 1/2 0+0 0-0", "8191: 1/4 0+0 0-0");
}
END_TEST

/* Those without a CPU, and an event that has nothing at all. */
START_TEST(samples_of_no_cpu)
{
	add_events(WITHOUT_CPU, MKPERF_ATTR_SAMPLE_ID_ALL);
	sample(0, 3, 1, 10);
	sample(0, 0, 2, 20);
	run();
	CHECK_EVENTS("2/30 0 of 2/30", "-: 2/30 0+0 0-0", "0/0 0 of 0/0", "-: 0/0 0+0 0-0");
}
END_TEST

/* A number that no machine has is no CPU; each costs nothing. */
START_TEST(impossible_cpus)
{
	add_usual_events();
	sample(0, UINT32_MAX, 1, 1);
	sample(0, 8192, 2, 2);
	for (uint32_t i = 0; i < 1000; i++)
		sample(0, 0x10000000 + i * 1000003, 3 + i, 0);
	sample(0, 5, 2000, 4);
	throttle(on(1, UINT32_MAX, 2001), false, 20);
	run();
	CHECK_EVENTS("1003/7 0 of 1003/7", "5: 1/4 0+0 0-0", "-: 1002/3 0+0 0-0", "0/0 0 of 0/0",
		     "-: 0/0 0+0 1-0");
}
END_TEST

/* By the id in the body, not by the trailer; by the trailer if the file does not know that id. */
START_TEST(lost_by_id)
{
	add_usual_events();
	sample(0, 1, 1, 1);
	lost(on(1, 2, 2), 11, 3);
	lost(on(1, 2, 3), 999, 40); /* the id of an inherited event */
	lost(on(1, 2, 4), 0, 500);
	run();
	CHECK_EVENTS("1/1 3 of 1/1", "1: 1/1 0+0 0-0", "2: 0/0 3+0 0-0", "0/0 540 of 0/0",
		     "2: 0/0 540+0 0-0");
	ck_assert_uint_eq(perffile_counts(file)->lost, 543);
}
END_TEST

/* LOST_SAMPLES with a time: the kernel's own, which no LOST tells. */
START_TEST(lost_samples_of_the_kernel)
{
	add_usual_events();
	lost_samples(on(1, 2, 2), 0, 500);
	lost_samples(on(1, 3, 3), BY_FILTER, 6000);
	lost(on(1, 2, 4), 20, 7);
	run();
	CHECK_EVENTS("0/0 0 of 0/0", "-: 0/0 0+0 0-0", "0/0 507 of 0/0", "2: 0/0 7+500 0-0");
	ck_assert_uint_eq(perffile_counts(file)->lost, 507);
}
END_TEST

/*
 * perf record reads at its end what each event lost: LOST had told most of it, for the event that
 * happened to write next. The zero in its trailer's CPU is not one.
 */
START_TEST(losses_are_told_twice)
{
	add_usual_events();
	lost(on(0, 2, 2), 10, 30);
	lost(on(1, 3, 3), 20, 40);
	lost_samples(on(1, 3, 4), 0, 1);
	lost_samples((struct mkperf_id){.event = 1, .id = 20}, 0, 25);
	lost_samples((struct mkperf_id){.event = 1, .id = 21}, 0, 50);
	lost_samples((struct mkperf_id){.event = 0, .id = 11}, BY_FILTER, 999);
	run();
	CHECK_EVENTS("0/0 0 of 0/0", "2: 0/0 30+0 0-0", "0/0 76 of 0/0", "3: 0/0 40+1 0-0",
		     "-: 0/0 0+75 0-0");
	ck_assert_uint_eq(perffile_counts(file)->lost, 76);
}
END_TEST

/* What only a filter dropped leaves LOST as it was. */
START_TEST(a_bpf_filter_loses_nothing)
{
	add_usual_events();
	lost(on(0, 2, 2), 10, 30);
	lost_samples((struct mkperf_id){.event = 0, .id = 11}, BY_FILTER, 999);
	run();
	CHECK_EVENTS("0/0 30 of 0/0", "2: 0/0 30+0 0-0", "0/0 0 of 0/0", "-: 0/0 0+0 0-0");
	ck_assert_uint_eq(perffile_counts(file)->lost, 30);
}
END_TEST

START_TEST(throttled_by_cpu)
{
	add_usual_events();
	throttle(on(0, 1, 1), false, 10);
	throttle(on(0, 1, 2), true, 10);
	throttle(on(0, 1, 3), false, 11);
	throttle(on(0, 6, 4), false, 21); /* the body's id is the event's */
	throttle(on(1, 6, 5), true, 999);
	run();
	CHECK_EVENTS("0/0 0 of 0/0", "1: 0/0 0+0 2-1", "0/0 0 of 0/0", "6: 0/0 0+0 1-1");
}
END_TEST

/* Before sample_id_all the body alone told the event, and nothing the CPU. */
START_TEST(no_trailer)
{
	add_events(WITH_CPU, 0);
	sample(1, 4, 1, 5);
	lost(on(0, 0, 2), 20, 9);
	throttle(on(0, 0, 3), false, 21);
	throttle(on(0, 0, 4), true, 11);
	run();
	CHECK_EVENTS("0/0 0 of 0/0", "-: 0/0 0+0 0-1", "1/5 9 of 1/5", "4: 1/5 0+0 0-0",
		     "-: 0/0 9+0 1-0");
}
END_TEST

START_TEST(sums_do_not_wrap)
{
	add_usual_events();
	sample(0, 1, 1, UINT64_MAX);
	sample(0, 1, 2, 2);
	sample(0, 2, 3, 3);
	lost(on(0, 1, 4), 10, UINT64_MAX);
	lost(on(0, 1, 5), 10, 1);
	lost_samples(on(0, 2, 6), 0, UINT64_MAX - 1);
	lost_samples(on(0, 2, 7), 0, 7);
	run();
	CHECK_EVENTS("3/18446744073709551615 18446744073709551615 of 3/18446744073709551615",
		     "1: 2/18446744073709551615 18446744073709551615+0 0-0",
		     "2: 1/3 0+18446744073709551615 0-0", "0/0 0 of 0/0", "-: 0/0 0+0 0-0");
}
END_TEST

/* Filters choose samples; losses and throttling stay, and so does what they are a part of. */
START_TEST(filters)
{
	struct process_stat process;
	struct error err = {0};

	add_usual_events();
	sample(0, 1, 1, 10);
	sample(0, 2, 2, 20);
	sample(1, 2, 3, 40);
	lost(on(0, 1, 4), 10, 5);
	throttle(on(1, 1, 5), false, 20);
	ck_assert_int_eq(filter_add(&filter, "cpu", "2", &err), 0);
	ck_assert_int_eq(filter_add(&filter, "time", "0,3", &err), 0);
	run();
	CHECK_EVENTS("1/20 5 of 2/30", "1: 0/0 5+0 0-0", "2: 1/20 0+0 0-0", "0/0 0 of 1/40",
		     "1: 0/0 0+0 1-0");
	ck_assert_int_eq(answer_start(results, &processstat_lives, &err), 0);
	ck_assert_int_eq(answer_next(results, &processstat_lives, &process, &err), 1);
	ck_assert_uint_eq(process.by_event[0].samples, 1);
}
END_TEST

/* Two samples of a group of both events: 100 and 5 were counted by the first, 30 and 0 since. */
static void add_group(void)
{
	const uint64_t words[2][5] = {{2, 100, 10, 5, 20}, {2, 130, 10, 5, 20}};

	for (unsigned i = 0; i < 2; i++)
		mkperf_event(m, &(struct mkperf_event){
					.type = PERF_TYPE_SOFTWARE,
					.config = i,
					.sample_type = WITH_CPU | PERF_SAMPLE_READ,
					.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
					.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					.ids = ids[i],
					.nr_ids = 2,
				});
	for (unsigned i = 0; i < 2; i++)
		mkperf_sample(m, &(struct mkperf_sample){.pid = 7,
							 .tid = 7,
							 .cpu = 1,
							 .time = 1 + i,
							 .read = words[i],
							 .nr_read = 5});
}

/* A sample of a group counts for each member that counted: so does one that is left out. */
START_TEST(a_group_left_out)
{
	struct error err = {0};

	add_group();
	ck_assert_int_eq(filter_add(&filter, "time", "2,", &err), 0);
	run();
	CHECK_EVENTS("1/30 0 of 2/130", "1: 1/30 0+0 0-0", "0/0 0 of 1/5", "-: 0/0 0+0 0-0");
}
END_TEST

START_TEST(a_member_left_out)
{
	struct error err = {0};

	add_group();
	ck_assert_int_eq(filter_add(&filter, "event", "task-clock", &err), 0);
	run();
	CHECK_EVENTS("0/0 0 of 2/130", "-: 0/0 0+0 0-0", "1/5 0 of 1/5", "1: 1/5 0+0 0-0");
}
END_TEST

/* The reason with the largest period, or with the most samples where none has a period. */
START_TEST(cut_chains)
{
	struct event_stat rows[4] = {0};
	struct eventstat stat = {.rows = rows, .nr = 4};
	struct chain_ends ends[4] = {0};
	const struct event event = {.attr = {.sample_type = SAMPLE_STACK_USER}};

	for (size_t i = 0; i < 4; i++)
		rows[i].event = &event;
	ends[0].by_end[CHAIN_COMPLETE] = (struct tally){1000, 10000};
	ends[0].by_end[CHAIN_RECORDED] = (struct tally){2000, 20000};
	ends[0].by_end[CHAIN_STACK_CUT] = (struct tally){1, 70};
	ends[0].by_end[CHAIN_NO_CFI] = (struct tally){9, 60};
	ends[1].by_end[CHAIN_NO_MAPPING] = (struct tally){1, 0};
	ends[1].by_end[CHAIN_DEPTH_LIMIT] = (struct tally){2, 0};
	ends[2].by_end[CHAIN_MISSING] = (struct tally){3, UINT64_MAX};
	ends[2].by_end[CHAIN_LBR_FULL] = (struct tally){4, 5};
	eventstat_set_cut(&stat, ends, USER_PART_AUTO);
	ck_assert_uint_eq(rows[0].cut.samples, 10);
	ck_assert_uint_eq(rows[0].cut.period, 130);
	ck_assert_str_eq(rows[0].cut_reason, "stack-cut");
	ck_assert_str_eq(rows[0].cut_advice,
			 "record larger stacks (perf record --call-graph dwarf,65528)");
	ck_assert_uint_eq(rows[1].cut.samples, 3);
	ck_assert_str_eq(rows[1].cut_reason, "depth-limit");
	ck_assert_uint_eq(rows[2].cut.period, UINT64_MAX);
	ck_assert_str_eq(rows[2].cut_reason, "missing");
	ck_assert_uint_eq(rows[3].cut.samples, 0);
	ck_assert_str_eq(rows[3].cut_reason, "");
	ck_assert_str_eq(rows[3].cut_advice, "");
}
END_TEST

/* What to do depends on what was recorded, and on what is asked for. */
START_TEST(advice)
{
	const struct attr none = {0}, all = {.sample_stack_user = 65528},
			  stacks = {.sample_type = SAMPLE_STACK_USER},
			  few = {.sample_max_stack = 8}, kernel = {.flags = UINT64_C(1) << 22},
			  chains = {.sample_type = SAMPLE_CALLCHAIN},
			  lbr = {.sample_type = SAMPLE_CALLCHAIN | SAMPLE_BRANCH_STACK,
				 .branch_sample_type = UINT64_C(1) << 11},
			  dwarf = {.sample_type = SAMPLE_CALLCHAIN | SAMPLE_STACK_USER,
				   .flags = UINT64_C(1) << 22};
	const struct {
		enum chain_end end;
		const struct attr *attr;
		enum user_part_mode mode;
		const char *start;
	} cases[] = {
		{CHAIN_STACK_CUT, &stacks, USER_PART_AUTO, "record larger stacks"},
		{CHAIN_STACK_CUT, &all, USER_PART_AUTO, "no copy of the stack can be larger"},
		{CHAIN_DEPTH_LIMIT, &stacks, USER_PART_AUTO, "allow more frames (readperf --max"},
		{CHAIN_DEPTH_LIMIT, &none, USER_PART_AUTO, "allow more frames (sysctl"},
		{CHAIN_DEPTH_LIMIT, &few, USER_PART_AUTO, "allow more frames (the event was"},
		{CHAIN_MISSING, &none, USER_PART_AUTO, "record the stacks"},
		{CHAIN_MISSING, &kernel, USER_PART_AUTO, "record without --kernel-callchains"},
		{CHAIN_MISSING, &none, USER_PART_RECORDED, "record the stacks"},
		{CHAIN_MISSING, &stacks, USER_PART_RECORDED, "the recording has others: leave"},
		{CHAIN_MISSING, &dwarf, USER_PART_RECORDED, "the recording has others: leave"},
		{CHAIN_MISSING, &dwarf, USER_PART_LBR, "the recording has others: leave"},
		{CHAIN_MISSING, &chains, USER_PART_LBR, "the recording has others: leave"},
		{CHAIN_MISSING, &chains, USER_PART_RECORDED, "record the stacks"},
		{CHAIN_MISSING, &lbr, USER_PART_DWARF, "the recording has others: leave"},
		{CHAIN_MISSING, &kernel, USER_PART_DWARF, "record without --kernel-callchains"},
		{CHAIN_NO_CFI, &none, USER_PART_AUTO, "have the recorded binaries and their debug"},
		{CHAIN_STACK_AWAY, &dwarf, USER_PART_AUTO,
		 "the kernel copies no more than what is"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *said = chain_end_advice(cases[i].end, cases[i].attr, cases[i].mode);

		ck_assert_msg(strncmp(said, cases[i].start, strlen(cases[i].start)) == 0, "%zu: %s",
			      i, said);
	}
	ck_assert_str_eq(chain_end_advice(CHAIN_MISSING, &stacks, USER_PART_AUTO), "");
	ck_assert_str_eq(chain_end_advice(CHAIN_MISSING, &stacks, USER_PART_DWARF), "");
	ck_assert_str_eq(chain_end_advice(CHAIN_MISSING, &dwarf, USER_PART_AUTO), "");
	ck_assert_str_eq(stack_chains_from(&dwarf), "copies of the stack");
	ck_assert_str_eq(stack_chains_from(&lbr), "branch records");
	ck_assert_str_eq(stack_chains_from(&chains), "frame pointers");
	ck_assert_ptr_null(stack_chains_from(&none));
	ck_assert_str_eq(chain_end_advice(CHAIN_BAD_FRAME, &stacks, USER_PART_AUTO), "");
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("eventstat");
	TCase *tc = tcase_create("eventstat");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, samples_by_cpu);
	tcase_add_test(tc, samples_of_no_cpu);
	tcase_add_test(tc, impossible_cpus);
	tcase_add_test(tc, lost_by_id);
	tcase_add_test(tc, lost_samples_of_the_kernel);
	tcase_add_test(tc, losses_are_told_twice);
	tcase_add_test(tc, a_bpf_filter_loses_nothing);
	tcase_add_test(tc, throttled_by_cpu);
	tcase_add_test(tc, no_trailer);
	tcase_add_test(tc, sums_do_not_wrap);
	tcase_add_test(tc, filters);
	tcase_add_test(tc, cut_chains);
	tcase_add_test(tc, advice);
	tcase_add_test(tc, a_group_left_out);
	tcase_add_test(tc, a_member_left_out);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
