/*
 * Call chains whose user part comes later (CALLCHAIN_DEFERRED): a sample gets the part with its
 * cookie, and none other's.
 */
#include "decode/replay.h"
#include "decode/replay/filter.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>

/* Not in the header of older kernels. */
#define USER_DEFERRED ((uint64_t)-640)

enum { LEAF = 0x400000, CALLER = 0x500000, OUTER = 0x600000, OTHER = 0x700000 };

static const uint64_t ids[] = {11, 12};
static const char *const binaries[] = {"/opt/none/leaf", "/opt/none/caller", "/opt/none/outer",
				       "/opt/none/other"};

static struct mkperf_id at(uint32_t tid, uint64_t time)
{
	return (struct mkperf_id){.pid = 1, .tid = tid, .time = time};
}

enum { CLOCK, FAULTS };

static void put_event(struct mkperf *m, const char *name, uint64_t config, const uint64_t *id)
{
	mkperf_event(m, &(struct mkperf_event){
				.name = name,
				.type = PERF_TYPE_SOFTWARE,
				.config = config,
				.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
					       PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					       PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				.ids = id,
				.nr_ids = 1,
			});
}

/* A binary for each of the addresses, so that a row tells which was in a chain. */
static struct mkperf *new_recording(bool swap)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = swap});

	put_event(m, "clock", PERF_COUNT_SW_CPU_CLOCK, &ids[CLOCK]);
	put_event(m, "faults", PERF_COUNT_SW_PAGE_FAULTS, &ids[FAULTS]);
	mkperf_event_desc(m);
	for (unsigned i = 0; i < 4; i++)
		mkperf_mmap2(m, NULL,
			     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
						   .pid = 1,
						   .tid = 1,
						   .start = LEAF + 0x100000 * i,
						   .len = 0x1000,
						   .filename = binaries[i],
						   .prot = 5});
	return m;
}

/* In the kernel, above the user part that @cookie stands for. */
static void put_sample(struct mkperf *m, uint32_t tid, uint64_t time, uint64_t period,
		       uint64_t cookie)
{
	const uint64_t ips[] = {PERF_CONTEXT_KERNEL, 0xffffffff81000000, USER_DEFERRED, cookie};

	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_KERNEL,
						 .pid = 1,
						 .tid = tid,
						 .time = time,
						 .period = period,
						 .ip = 0xffffffff81000000,
						 .ips = ips,
						 .nr_ips = 4});
}

static void put_deferred(struct mkperf *m, uint32_t tid, uint64_t time, uint64_t cookie, size_t nr,
			 const uint64_t *ips)
{
	struct mkperf_id id = at(tid, time);

	mkperf_begin(m, RECORD_CALLCHAIN_DEFERRED, 0);
	mkperf_u64(m, cookie);
	mkperf_u64(m, nr);
	for (size_t i = 0; i < nr; i++)
		mkperf_u64(m, ips[i]);
	mkperf_trailer(m, &id);
	mkperf_end(m);
}

static const uint64_t through_caller[] = {LEAF + 1, CALLER + 1, OUTER + 1};
static const uint64_t through_other[] = {LEAF + 1, OTHER + 1, OUTER + 1};

/* How often, and with which sum of periods, each binary is on a call path. */
static void assert_paths(struct mkperf *m, const uint64_t samples[4], const uint64_t periods[4],
			 uint64_t nr_samples)
{
	struct recording_tables tables = recording_tables_of(m);
	const char *results = tables.text[TABLE_RESULTS];

	for (unsigned i = 0; i < 4; i++) {
		ck_assert_uint_eq(recording_sum(results, "children_samples", "binary", binaries[i]),
				  samples[i]);
		ck_assert_uint_eq(recording_sum(results, "children_period", "binary", binaries[i]),
				  periods[i]);
	}
	ck_assert_uint_eq(recording_sum(results, "samples", NULL, NULL), nr_samples);
	ck_assert_uint_eq(tables.counts.damaged, 0);
	recording_tables_free(&tables);
}

#define ASSERT_PATHS(m, nr, samples, periods) \
	assert_paths(m, (uint64_t[4])samples, (uint64_t[4])periods, nr)
#define LIST(...)           \
	{                   \
		__VA_ARGS__ \
	}

START_TEST(one_waits_for_one)
{
	struct mkperf *m = new_recording(_i);

	put_sample(m, 1, 10, 100, 77);
	put_deferred(m, 1, 20, 77, 3, through_caller);
	ASSERT_PATHS(m, 1, LIST(1, 1, 1, 0), LIST(100, 100, 100, 0));
}
END_TEST

/* Several samples between two returns to user mode share their user part. */
START_TEST(many_wait_for_one)
{
	struct mkperf *m = new_recording(_i);

	put_sample(m, 1, 10, 1, 77);
	put_sample(m, 1, 11, 10, 77);
	put_sample(m, 1, 12, 100, 77);
	put_deferred(m, 1, 20, 77, 3, through_caller);
	put_sample(m, 1, 21, 1000, 78);
	put_deferred(m, 1, 22, 78, 3, through_other);
	ASSERT_PATHS(m, 4, LIST(4, 3, 4, 1), LIST(1111, 111, 1111, 1000));
}
END_TEST

/* A user part that samples of two events wait for, some of them taken in user mode. */
START_TEST(events_wait_for_one)
{
	static const uint64_t cookie_only[] = {USER_DEFERRED, 77};
	struct mkperf *m = new_recording(_i);
	struct recording_tables tables;
	const char *results;

	put_sample(m, 1, 10, 1, 77);
	for (uint64_t i = 0; i < 3; i++)
		mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
							 .event = i == 1 ? CLOCK : FAULTS,
							 .pid = 1,
							 .tid = 1,
							 .time = 11 + i,
							 .period = 10,
							 .ip = i == 2 ? OTHER + 1 : LEAF + 1,
							 .ips = cookie_only,
							 .nr_ips = 2});
	put_deferred(m, 1, 20, 77, 3, through_caller);
	tables = recording_tables_of(m);
	results = tables.text[TABLE_RESULTS];
	/* The kernel's sample is on four rows, those of LEAF on three, that of OTHER on four. */
	ck_assert_uint_eq(recording_sum(results, "children_samples", "event", "clock"), 4 + 3);
	ck_assert_uint_eq(recording_sum(results, "children_period", "event", "clock"), 4 + 30);
	ck_assert_uint_eq(recording_sum(results, "children_samples", "event", "faults"), 3 + 4);
	ck_assert_uint_eq(recording_sum(results, "children_samples", "binary", binaries[0]), 4);
	ck_assert_uint_eq(recording_sum(results, "samples", NULL, NULL), 4);
	recording_tables_free(&tables);
}
END_TEST

/* Each thread waits for its own, even if the cookies are the same. */
START_TEST(threads_do_not_mix)
{
	struct mkperf *m = new_recording(_i);

	put_sample(m, 1, 10, 1, 77);
	put_sample(m, 2, 11, 10, 77);
	put_deferred(m, 2, 20, 77, 3, through_other);
	put_deferred(m, 1, 21, 77, 3, through_caller);
	ASSERT_PATHS(m, 2, LIST(2, 1, 2, 1), LIST(11, 1, 11, 10));
}
END_TEST

/* Another cookie: what waited counts without a user part, as its own never came. */
START_TEST(the_part_never_came)
{
	struct mkperf *m = new_recording(_i);

	put_sample(m, 1, 10, 1, 77);
	put_sample(m, 1, 20, 10, 78);
	put_deferred(m, 1, 30, 78, 3, through_caller);
	put_sample(m, 1, 40, 100, 79);
	put_deferred(m, 1, 50, 99, 3, through_other);
	put_sample(m, 1, 60, 1000, 80); /* the recording ends first */
	ASSERT_PATHS(m, 4, LIST(1, 1, 1, 0), LIST(10, 10, 10, 0));
}
END_TEST

/* Such chains are cut: their outermost frame is no root. Two lack their part, one waits at the end.
 */
START_TEST(without_their_part_chains_are_cut)
{
	static const struct filter everything;
	struct replay_settings settings = {
		.filter = &everything,
		.symbols = {.build_id_cache = "/nonexistent", .debug_dir = "/nonexistent"},
	};
	struct mkperf *m = new_recording(_i);
	const struct results *results;
	const struct record *rec;
	struct perffile *file;
	struct replay *replay;
	struct error err = {0};

	put_sample(m, 1, 10, 1, 77);
	put_deferred(m, 1, 30, 78, 3, through_caller);
	put_sample(m, 1, 40, 10, 79);
	put_deferred(m, 1, 50, 79, 0, NULL);
	put_sample(m, 1, 60, 100, 80);
	put_deferred(m, 1, 70, 80, 3, through_other);
	put_sample(m, 1, 80, 1000, 81);
	file = recording_open(m);
	replay = replay_create(&settings, file, &err);
	ck_assert_msg(replay, "%s", err.text);
	while ((rec = recording_next(file)))
		ck_assert_int_ge(replay_apply(replay, rec, &err), 0);
	results = replay_finish(replay, &err);
	ck_assert_msg(results, "%s", err.text);
	ck_assert_uint_eq(results->events[CLOCK].total.period, 1111);
	ck_assert_uint_eq(results->events[CLOCK].cut.samples, 3);
	ck_assert_uint_eq(results->events[CLOCK].cut.period, 1011);
	ck_assert_str_eq(results->events[CLOCK].cut_reason, "missing");
	replay_destroy(replay);
	perffile_close(file);
}
END_TEST

/* A user part that nobody waits for, and one without an address. */
START_TEST(parts_of_nobody)
{
	struct mkperf *m = new_recording(_i);

	put_deferred(m, 1, 10, 77, 3, through_caller);
	put_sample(m, 1, 20, 1, 78);
	put_deferred(m, 1, 30, 78, 0, NULL);
	ASSERT_PATHS(m, 1, LIST(0, 0, 0, 0), LIST(0, 0, 0, 0));
}
END_TEST

/* The process is gone before its user part comes: its samples still count. */
START_TEST(the_process_exits_first)
{
	struct mkperf *m = new_recording(_i);
	struct mkperf_id id = at(1, 20);

	put_sample(m, 1, 10, 1, 77);
	mkperf_exit(m, &id, &(struct mkperf_task){.pid = 1, .tid = 1, .time = 20});
	put_deferred(m, 1, 30, 77, 3, through_caller);
	{
		struct recording_tables tables = recording_tables_of(m);

		ck_assert_uint_eq(recording_sum(tables.text[TABLE_RESULTS], "samples", NULL, NULL),
				  1);
		recording_tables_free(&tables);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("deferred");
	TCase *tcase = tcase_create("deferred");

	tcase_add_loop_test(tcase, one_waits_for_one, 0, 2);
	tcase_add_loop_test(tcase, many_wait_for_one, 0, 2);
	tcase_add_loop_test(tcase, events_wait_for_one, 0, 2);
	tcase_add_loop_test(tcase, threads_do_not_mix, 0, 2);
	tcase_add_loop_test(tcase, the_part_never_came, 0, 2);
	tcase_add_loop_test(tcase, without_their_part_chains_are_cut, 0, 2);
	tcase_add_loop_test(tcase, parts_of_nobody, 0, 2);
	tcase_add_loop_test(tcase, the_process_exits_first, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
