/*
 * Counter values in samples (PERF_SAMPLE_READ): the table of what was there before, and whole
 * recordings with group leaders, replayed to exact periods for each member.
 */
#include "decode/count/readcount.h"

#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>

/* ---- the table ---- */

static uint64_t delta_of(struct readcount *counts, uint64_t id, uint64_t value)
{
	uint64_t delta = UINT64_MAX;

	ck_assert(readcount_delta(counts, id, value, &delta));
	return delta;
}

START_TEST(deltas)
{
	struct readcount counts = {0};

	ck_assert_uint_eq(delta_of(&counts, 1, 100), 100); /* the first counts wholly */
	ck_assert_uint_eq(delta_of(&counts, 1, 150), 50);
	ck_assert_uint_eq(delta_of(&counts, 1, 150), 0);
	ck_assert_uint_eq(delta_of(&counts, 2, 7), 7); /* another counter */
	ck_assert_uint_eq(delta_of(&counts, 1, 151), 1);
	ck_assert_uint_eq(delta_of(&counts, 1, 10), 0); /* never less than nothing */
	ck_assert_uint_eq(delta_of(&counts, 1, UINT64_MAX), UINT64_MAX - 10);
	readcount_free(&counts);
}
END_TEST

START_TEST(many_counters)
{
	struct readcount counts = {0};

	for (uint64_t round = 1; round <= 3; round++) {
		for (uint64_t i = 0; i < 3000; i++)
			ck_assert_uint_eq(delta_of(&counts, i, round * i), i);
	}
	readcount_free(&counts);
}
END_TEST

/* ---- recordings ---- */

static const uint64_t ids[3][2] = {{10, 11}, {20, 21}, {30, 31}};
static const char *const names[3] = {"leader", "second", "third"};

enum { INHERIT = 1 << 1 }; /* of the attr's flags */

#define GROUP (PERF_FORMAT_GROUP | PERF_FORMAT_ID)

static struct mkperf *new_group(bool swap, uint64_t format, uint64_t flags)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = swap});

	for (unsigned i = 0; i < 3; i++)
		mkperf_event(m, &(struct mkperf_event){
					.name = names[i],
					.type = PERF_TYPE_SOFTWARE,
					.config = i,
					.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
						       PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
						       PERF_SAMPLE_READ | PERF_SAMPLE_PERIOD,
					.read_format = format,
					.flags = MKPERF_ATTR_SAMPLE_ID_ALL | flags,
					.ids = ids[i],
					.nr_ids = 2,
				});
	mkperf_event_desc(m);
	return m;
}

/* A sample of the leader whose counters stand at @a, @b and @c; @cpu says which ids. */
static void put_group(struct mkperf *m, uint64_t time, uint32_t tid, unsigned cpu, uint64_t a,
		      uint64_t b, uint64_t c)
{
	const uint64_t words[] = {3, a, ids[0][cpu], b, ids[1][cpu], c, ids[2][cpu]};

	mkperf_sample(m, &(struct mkperf_sample){.id = ids[0][cpu],
						 .pid = 1,
						 .tid = tid,
						 .time = time,
						 .ip = 0x1000,
						 .period = 999999,
						 .read = words,
						 .nr_read = 7});
}

static void assert_event(const struct recording_tables *tables, const char *name, uint64_t samples,
			 uint64_t period)
{
	const char *results = tables->text[TABLE_RESULTS];
	const char *processes = tables->text[TABLE_PROCESSES];

	ck_assert_uint_eq(recording_sum(results, "samples", "event", name), samples);
	ck_assert_uint_eq(recording_sum(results, "period", "event", name), period);
	ck_assert_uint_eq(recording_sum(processes, "samples", "event", name), samples);
	ck_assert_uint_eq(recording_sum(processes, "period", "event", name), period);
}

/* Each member gets what it counted since; one that stood still has no sample. */
START_TEST(members_get_their_deltas)
{
	struct mkperf *m = new_group(_i, GROUP, 0);
	struct recording_tables tables;

	put_group(m, 10, 1, 0, 100, 5, 0);
	put_group(m, 20, 1, 0, 200, 5, 3);
	put_group(m, 30, 2, 0, 350, 6, 3);   /* another thread: the same counters */
	put_group(m, 40, 1, 1, 1000, 50, 1); /* another CPU: counters of its own */
	put_group(m, 50, 1, 1, 1001, 50, 1);
	tables = recording_tables_of(m);
	assert_event(&tables, "leader", 5, 350 + 1001);
	assert_event(&tables, "second", 3, 5 + 1 + 50);
	assert_event(&tables, "third", 2, 3 + 1);
	ck_assert_uint_eq(recording_sum(tables.text[TABLE_STAT], "count", "record", "SAMPLE"), 5);
	recording_tables_free(&tables);
}
END_TEST

/* Inherited counters count for each thread on its own. */
START_TEST(inherited_counters)
{
	struct mkperf *m = new_group(_i, GROUP, INHERIT);
	struct recording_tables tables;

	put_group(m, 10, 1, 0, 100, 5, 0);
	put_group(m, 20, 2, 0, 70, 5, 1);
	put_group(m, 30, 1, 0, 150, 5, 0);
	put_group(m, 40, 2, 0, 75, 9, 1);
	tables = recording_tables_of(m);
	assert_event(&tables, "leader", 4, 150 + 75);
	assert_event(&tables, "second", 3, 5 + 5 + 4);
	assert_event(&tables, "third", 1, 1);
	recording_tables_free(&tables);
}
END_TEST

/*
 * A tid that is used again: the counters of the new thread start at 0. perf subtracts the values of
 * the old one, so that the period of the first sample wraps around.
 */
START_TEST(a_new_thread_counts_from_zero)
{
	struct mkperf *m = new_group(_i, GROUP, INHERIT);
	struct mkperf_id id = {.pid = 1, .tid = 2};
	struct recording_tables tables;

	put_group(m, 10, 2, 0, 100, 50, 10);
	id.time = 20;
	mkperf_exit(m, &id, &(struct mkperf_task){.pid = 1, .tid = 2, .time = 20});
	id.time = 30;
	mkperf_fork(m, &id,
		    &(struct mkperf_task){.pid = 1, .ppid = 1, .tid = 2, .ptid = 1, .time = 30});
	put_group(m, 40, 2, 0, 70, 60, 0);
	tables = recording_tables_of(m);
	assert_event(&tables, "leader", 2, 100 + 70);
	assert_event(&tables, "second", 2, 50 + 60);
	assert_event(&tables, "third", 1, 10);
	recording_tables_free(&tables);
}
END_TEST

/* Sorted by time first: the deltas follow the clock, not the file. */
START_TEST(deltas_follow_time)
{
	struct mkperf *m = new_group(_i, GROUP, 0);
	struct recording_tables tables;

	put_group(m, 30, 1, 0, 300, 9, 9);
	put_group(m, 10, 1, 0, 100, 1, 0);
	put_group(m, 20, 1, 0, 200, 5, 9);
	mkperf_round(m);
	tables = recording_tables_of(m);
	assert_event(&tables, "leader", 3, 300);
	assert_event(&tables, "second", 3, 9);
	assert_event(&tables, "third", 1, 9);
	recording_tables_free(&tables);
}
END_TEST

/* A member that the file does not describe is no reason to lose the others. */
START_TEST(unknown_members)
{
	const uint64_t words[] = {3, 40, ids[0][0], 50, 777, 60, ids[2][0]};
	struct mkperf *m = new_group(_i, GROUP, 0);
	struct recording_tables tables;

	mkperf_sample(m, &(struct mkperf_sample){
				 .pid = 1, .tid = 1, .time = 5, .read = words, .nr_read = 7});
	tables = recording_tables_of(m);
	assert_event(&tables, "leader", 1, 40);
	assert_event(&tables, "second", 0, 0);
	assert_event(&tables, "third", 1, 60);
	recording_tables_free(&tables);
}
END_TEST

/* With times and lost counts between the values. */
START_TEST(every_word_of_a_group)
{
	const uint64_t words[] = {2, 900, 800, 40, ids[0][0], 1, 50, ids[1][0], 2};
	struct mkperf *m = new_group(_i, GROUP | 1 | 2 | 1 << 4, 0);
	struct recording_tables tables;

	mkperf_sample(m, &(struct mkperf_sample){
				 .pid = 1, .tid = 1, .time = 5, .read = words, .nr_read = 9});
	tables = recording_tables_of(m);
	assert_event(&tables, "leader", 1, 40);
	assert_event(&tables, "second", 1, 50);
	assert_event(&tables, "third", 0, 0);
	recording_tables_free(&tables);
}
END_TEST

/* Values without ids: only the leader's can be told whose it is. */
START_TEST(group_without_ids)
{
	struct mkperf *m = new_group(_i, PERF_FORMAT_GROUP, 0);
	struct recording_tables tables;

	for (uint64_t i = 1; i <= 3; i++) {
		const uint64_t words[] = {3, 100 * i, 5 * i, 7 * i};

		mkperf_sample(m,
			      &(struct mkperf_sample){
				      .pid = 1, .tid = 1, .time = i, .read = words, .nr_read = 4});
	}
	tables = recording_tables_of(m);
	assert_event(&tables, "leader", 3, 300);
	assert_event(&tables, "second", 0, 0);
	assert_event(&tables, "third", 0, 0);
	recording_tables_free(&tables);
}
END_TEST

/* One value a sample, of its own event; _i: bit 0 the byte order, bit 1 with the id. */
START_TEST(read_without_group)
{
	uint64_t format = _i & 2 ? PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED : 0;
	struct mkperf *m = new_group(_i & 1, format, 0);
	struct recording_tables tables;

	for (unsigned i = 0; i < 6; i++) {
		const uint64_t words[] = {100 + 10 * i, 5000, ids[i % 2][0]};

		mkperf_sample(m, &(struct mkperf_sample){.event = i % 2,
							 .pid = 1,
							 .tid = 1,
							 .time = 1 + i,
							 .read = words,
							 .nr_read = _i & 2 ? 3 : 1});
	}
	tables = recording_tables_of(m);
	assert_event(&tables, "leader", 3, 140);
	assert_event(&tables, "second", 3, 150);
	recording_tables_free(&tables);
}
END_TEST

/* ---- filters: what is left out of one part counts in another, and the parts make the whole ----
 */

/* Samples 1 to 4 of threads 1 and 2, at the times 10, 20, ..., on CPU 0. */
static struct mkperf *new_filtered(bool swap, uint64_t flags)
{
	struct mkperf *m = new_group(swap, GROUP, flags);

	put_group(m, 10, 1, 0, 100, 5, 0);
	put_group(m, 20, 2, 0, 250, 5, 3);
	put_group(m, 30, 1, 0, 450, 6, 3);
	put_group(m, 40, 2, 0, 460, 16, 4);
	return m;
}

/* What a filter lets pass, by event in the order of @names. */
struct part {
	const char *option, *list;
	uint64_t records; /* SAMPLE */
	uint64_t samples[3], periods[3];
};

static void check_part(struct mkperf *m, const struct part *part)
{
	struct recording_tables tables = recording_tables_filtered(m, part->option, part->list);

	for (unsigned i = 0; i < 3; i++)
		assert_event(&tables, names[i], part->samples[i], part->periods[i]);
	ck_assert_uint_eq(recording_sum(tables.text[TABLE_STAT], "count", "record", "SAMPLE"),
			  part->records);
	ck_assert_uint_eq(recording_sum(tables.text[TABLE_OVERVIEW], "period", "type", "SAMPLE"),
			  part->records * 999999);
	recording_tables_free(&tables);
}

/* A sample that is left out moves the counters: what it counted is no part of the next one. */
START_TEST(filters_leave_out_what_was_counted)
{
	static const struct part parts[] = {
		{"time", "0,100", 4, {4, 3, 2}, {460, 16, 4}},
		{"time", ",20", 1, {1, 1, 0}, {100, 5, 0}},
		{"time", "20,", 3, {3, 2, 2}, {360, 11, 4}},
		{"time", "30,", 2, {2, 2, 1}, {210, 11, 1}},
		{"tid", "1", 2, {2, 2, 0}, {300, 6, 0}},
		{"tid", "2", 2, {2, 1, 2}, {160, 10, 4}},
		{"comm", "*", 4, {4, 3, 2}, {460, 16, 4}},
		{"comm", "nothing", 0, {0}, {0}},
		{"binary", "[[]unmapped]", 4, {4, 3, 2}, {460, 16, 4}},
		{"binary", "nothing", 0, {0}, {0}},
	};

	check_part(new_filtered(_i & 1, 0), &parts[_i / 2]);
}
END_TEST

/* The same of counters that each thread has for itself. */
START_TEST(filters_leave_out_what_a_thread_counted)
{
	static const struct part parts[] = {
		{"time", "0,100", 4, {4, 4, 3}, {910, 22, 7}},
		{"time", ",20", 1, {1, 1, 0}, {100, 5, 0}},
		{"time", "20,", 3, {3, 3, 3}, {810, 17, 7}},
		{"time", "30,", 2, {2, 2, 2}, {560, 12, 4}},
		{"tid", "1", 2, {2, 2, 1}, {450, 6, 3}},
		{"tid", "2", 2, {2, 2, 2}, {460, 16, 4}},
	};

	check_part(new_filtered(_i & 1, INHERIT), &parts[_i / 2]);
}
END_TEST

/* Each value is of an event of its own: --event asks each, wherever the sample's own event is. */
START_TEST(events_of_a_group)
{
	static const struct part parts[] = {
		{"event", "leader", 4, {4, 0, 0}, {460, 0, 0}},
		{"event", "second", 3, {0, 3, 0}, {0, 16, 0}},
		{"event", "third", 2, {0, 0, 2}, {0, 0, 4}},
		{"event", "second,third", 4, {0, 3, 2}, {0, 16, 4}},
		{"event", "*", 4, {4, 3, 2}, {460, 16, 4}},
		{"event", "fourth", 0, {0}, {0}},
	};

	check_part(new_filtered(_i & 1, 0), &parts[_i / 2]);
}
END_TEST

/* Without ids only the first value is told apart, and without a group there is but one. */
START_TEST(events_of_values_without_a_group)
{
	static const struct part parts[] = {
		{"event", "leader", 2, {2, 0, 0}, {120, 0, 0}},
		{"event", "second", 2, {0, 2, 0}, {0, 130, 0}},
	};
	const uint64_t format = _i & 2 ? PERF_FORMAT_GROUP : 0;
	struct mkperf *m = new_group(_i & 1, format, 0);

	for (unsigned i = 0; i < 4; i++) {
		const uint64_t words[] = {2, 100 + 10 * i, 7};

		mkperf_sample(m, &(struct mkperf_sample){.event = i % 2,
							 .pid = 1,
							 .tid = 1,
							 .time = 1 + i,
							 .period = 999999,
							 .read = words + !format,
							 .nr_read = format ? 3 : 1});
	}
	check_part(m, &parts[_i / 4]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("readcount");
	TCase *tcase = tcase_create("readcount");

	tcase_add_test(tcase, deltas);
	tcase_add_test(tcase, many_counters);
	tcase_add_loop_test(tcase, members_get_their_deltas, 0, 2);
	tcase_add_loop_test(tcase, inherited_counters, 0, 2);
	tcase_add_loop_test(tcase, a_new_thread_counts_from_zero, 0, 2);
	tcase_add_loop_test(tcase, deltas_follow_time, 0, 2);
	tcase_add_loop_test(tcase, unknown_members, 0, 2);
	tcase_add_loop_test(tcase, every_word_of_a_group, 0, 2);
	tcase_add_loop_test(tcase, group_without_ids, 0, 2);
	tcase_add_loop_test(tcase, read_without_group, 0, 4);
	tcase_add_loop_test(tcase, filters_leave_out_what_was_counted, 0, 2 * 10);
	tcase_add_loop_test(tcase, filters_leave_out_what_a_thread_counted, 0, 2 * 6);
	tcase_add_loop_test(tcase, events_of_a_group, 0, 2 * 6);
	tcase_add_loop_test(tcase, events_of_values_without_a_group, 0, 2 * 2 * 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
