/*
 * Branches and the runs of code between them, from branch stacks made for the purpose: what is
 * counted, what is left out, and that nothing is lost in between.
 */
#include "decode/count/branchcount.h"
#include "tests/support/answers.h"
#include "tests/support/replaying.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#define KERNEL UINT64_C(0xffffffff81000000)

enum { TEXT = 0x400000, LIB = 0x7f0000, TEXT_MAX = 1000, CALL_STACK = 1 << 11 };

/* Fields of an entry's flags. */
#define MISPRED	    UINT64_C(1)
#define PREDICTED   UINT64_C(2)
#define IN_TX	    UINT64_C(4)
#define ABORT	    UINT64_C(8)
#define CYCLES(n)   ((uint64_t)(n) << 4)
#define TYPE(n)	    ((uint64_t)(n) << 20)
#define SPEC(n)	    ((uint64_t)(n) << 24)
#define NEW_TYPE(n) ((uint64_t)(n) << 26)
#define PRIV(n)	    ((uint64_t)(n) << 30)

/* What was read of a recording. */
struct outcome {
	char branches[TEXT_MAX], blocks[TEXT_MAX];
	struct branch_totals totals;
	uint64_t count, runs; /* sums over the rows */
};

static struct mkperf *begin(bool swap, uint64_t branch_sample_type)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.swap = swap});

	mkperf_event(m, &(struct mkperf_event){.type = PERF_TYPE_HARDWARE,
					       .sample_period = 1,
					       .branch_sample_type = branch_sample_type,
					       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							      PERF_SAMPLE_BRANCH_STACK});
	return m;
}

static void map(struct mkperf *m, uint64_t start, uint64_t len, const char *name)
{
	mkperf_mmap2(m, NULL,
		     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					   .pid = 1,
					   .tid = 1,
					   .start = start,
					   .len = len,
					   .prot = 5,
					   .filename = name});
}

static void map_all(struct mkperf *m)
{
	map(m, TEXT, 0x100000, "/bin/x");
	map(m, LIB, 0x1000, "/lib/y");
	mkperf_mmap(m, NULL,
		    &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_KERNEL,
					  .pid = UINT32_MAX,
					  .start = KERNEL,
					  .len = 0x1000000,
					  .filename = "[kernel.kallsyms]_text"});
}

static void sample(struct mkperf *m, const struct mkperf_branch *branches, size_t nr)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
						 .pid = 1,
						 .tid = 1,
						 .ip = TEXT,
						 .branches = branches,
						 .nr_branches = nr});
}

#define SAMPLE(m, branches) sample(m, branches, sizeof(branches) / sizeof((branches)[0]))

static void print_branches(struct outcome *outcome, const struct results *results)
{
	const struct branch_stat *rows = ANSWER_ROWS(results, branchstat_branches, branch_stat);
	int len = 0;

	for (size_t i = 0; i < ANSWER_NR(results, branchstat_branches); i++) {
		const struct branch_stat *row = &rows[i];

		len += snprintf(outcome->branches + len, (size_t)(TEXT_MAX - len),
				"%s %lx > %s %lx %s/%s %lu mis %lu/%lu cyc %lu/%lu tx %lu/%lu\n",
				row->from->binary, row->from->address, row->to->binary,
				row->to->address, row->type, row->priv, row->count,
				row->mispredicted, row->known, row->cycles, row->cycles_known,
				row->in_tx, row->aborts);
		outcome->count += row->count;
	}
}

static void print_blocks(struct outcome *outcome, const struct results *results)
{
	const struct block_stat *rows = ANSWER_ROWS(results, branchstat_blocks, block_stat);
	int len = 0;

	for (size_t i = 0; i < ANSWER_NR(results, branchstat_blocks); i++) {
		const struct block_stat *row = &rows[i];

		len += snprintf(outcome->blocks + len, (size_t)(TEXT_MAX - len),
				"%s %lx-%lx %lu cyc %lu/%lu of %lu\n", row->start->binary,
				row->start->address, row->end, row->count, row->cycles,
				row->cycles_known, row->all_cycles);
		outcome->runs += row->count;
	}
}

/* Nothing is lost: every branch and every run is in a row, or counted where it was left out. */
static void check_sums(const struct outcome *outcome)
{
	const struct branch_totals *totals = &outcome->totals;

	ck_assert_uint_eq(outcome->count,
			  totals->entries - totals->wrong_path - totals->empty - totals->beyond);
	ck_assert_uint_eq(outcome->runs, totals->runs - totals->odd_runs - totals->runs_beyond);
}

static void replay(struct mkperf *m, struct outcome *outcome)
{
	static const struct filter filter;
	struct replay_settings settings = {.filter = &filter};
	struct replaying replaying;
	const struct results *results;
	struct error err;

	*outcome = (struct outcome){0};
	needs_add(&settings.needs, &branchstat_branches);
	needs_add(&settings.needs, &branchstat_blocks);
	replaying = replaying_begin(m, &settings);
	/* rows can be made again */
	ck_assert_ptr_nonnull(replay_snapshot(replaying.replay, &err));
	replaying_finish(&replaying);
	results = replaying.results;
	print_branches(outcome, results);
	print_blocks(outcome, results);
	outcome->totals = *results->branches;
	check_sums(outcome);
	replaying_end(&replaying);
}

START_TEST(branches_are_counted_by_both_ends)
{
	static const struct mkperf_branch a[] = {
		{TEXT + 0x30, TEXT + 0x10, MISPRED | CYCLES(7) | TYPE(1) | PRIV(1)},
		{TEXT + 0x30, TEXT + 0x10, PREDICTED | CYCLES(9) | TYPE(1) | PRIV(1)},
		{TEXT + 0x40, LIB + 8, PREDICTED | TYPE(4)},
	};
	static const struct mkperf_branch b[] = {
		{TEXT + 0x30, TEXT + 0x10, PREDICTED | CYCLES(1) | TYPE(1) | PRIV(1)},
		{LIB + 0x10, TEXT + 0x20, TYPE(6) | IN_TX | ABORT},
	};
	struct mkperf *m = begin(false, 0);
	struct outcome outcome;

	map_all(m);
	SAMPLE(m, a);
	SAMPLE(m, b);
	replay(m, &outcome);
	ck_assert_str_eq(outcome.branches,
			 "/bin/x 30 > /bin/x 10 cond/user 3 mis 1/3 cyc 17/3 tx 0/0\n"
			 "/bin/x 40 > /lib/y 8 call/ 1 mis 0/1 cyc 0/0 tx 0/0\n"
			 "/lib/y 10 > /bin/x 20 ret/ 1 mis 0/0 cyc 0/0 tx 1/1\n");
	/* A branch's cycles are those of the run before it; the oldest ones' run is not known. */
	ck_assert_str_eq(outcome.blocks, "/bin/x 10-30 1 cyc 7/1 of 8\n"
					 "/bin/x 20-30 1 cyc 1/1 of 8\n");
	/* From the library's call to what was next, in another binary, it was not straight. */
	ck_assert_uint_eq(outcome.totals.odd_runs, 1);
	ck_assert_uint_eq(outcome.totals.samples, 2);
}
END_TEST

/* As written on a machine of the other byte order: flags are bit fields, which begin at its other
 * end. */
START_TEST(flags_of_the_other_byte_order)
{
	static const struct mkperf_branch branches[] = {
		{TEXT + 0x30, TEXT + 0x10,
		 UINT64_C(1) << 63 | UINT64_C(7) << 44 | UINT64_C(6) << 40 | UINT64_C(2) << 31},
	};
	struct mkperf *m = begin(true, 0);
	struct outcome outcome;

	map_all(m);
	SAMPLE(m, branches);
	replay(m, &outcome);
	ck_assert_str_eq(outcome.branches,
			 "/bin/x 30 > /bin/x 10 ret/kernel 1 mis 1/1 cyc 7/1 tx 0/0\n");
}
END_TEST

/* A stack counts for each member of a group that has counted since the sample before. */
START_TEST(samples_of_a_group)
{
	enum { FIRST = 7, SECOND = 8 };
	static const uint64_t ids[] = {FIRST, SECOND};
	static const uint64_t reads[][5] = {
		{2, 0, FIRST, 5, SECOND}, {2, 10, FIRST, 5, SECOND}, {2, 20, FIRST, 8, SECOND}};
	struct mkperf *m = mkperf_new(NULL);
	struct outcome outcome;

	for (unsigned i = 0; i < 2; i++)
		mkperf_event(m, &(struct mkperf_event){
					.type = PERF_TYPE_RAW,
					.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
						       PERF_SAMPLE_TID | PERF_SAMPLE_READ |
						       PERF_SAMPLE_BRANCH_STACK,
					.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
					.ids = &ids[i],
					.nr_ids = 1});
	map_all(m);
	for (unsigned i = 0; i < 3; i++) {
		const struct mkperf_branch branches[] = {{TEXT + 0x30, TEXT + 0x10, CYCLES(1 << i)},
							 {TEXT + 0x30, TEXT + 0x10, 0}};

		mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
							 .pid = 1,
							 .tid = 1,
							 .ip = TEXT,
							 .branches = branches,
							 .nr_branches = 2,
							 .read = reads[i],
							 .nr_read = 5});
	}
	replay(m, &outcome);
	/* the first event at the second and third sample, the second one at the first and third */
	ck_assert_str_eq(outcome.branches, "/bin/x 30 > /bin/x 10 / 4 mis 0/0 cyc 6/2 tx 0/0\n"
					   "/bin/x 30 > /bin/x 10 / 4 mis 0/0 cyc 5/2 tx 0/0\n");
	ck_assert_str_eq(outcome.blocks, "/bin/x 10-30 2 cyc 6/2 of 6\n"
					 "/bin/x 10-30 2 cyc 5/2 of 5\n");
}
END_TEST

START_TEST(branches_into_the_kernel_and_nowhere)
{
	static const struct mkperf_branch branches[] = {
		{KERNEL + 0x20, TEXT + 0x50, TYPE(8)},
		{TEXT + 0x40, KERNEL + 0x10, TYPE(7)},
		{TEXT + 0x20, 0x999, TYPE(2)},
	};
	struct mkperf *m = begin(false, 0);
	struct outcome outcome;

	map_all(m);
	SAMPLE(m, branches);
	replay(m, &outcome);
	ck_assert_str_eq(
		outcome.branches,
		"/bin/x 20 > [unmapped] 999 uncond/ 1 mis 0/0 cyc 0/0 tx 0/0\n"
		"/bin/x 40 > [kernel.kallsyms] ffffffff81000010 syscall/ 1 mis 0/0 cyc 0/0 tx 0/0\n"
		"[kernel.kallsyms] ffffffff81000020 > /bin/x 50 sysret/ 1 mis 0/0 cyc 0/0 tx "
		"0/0\n");
	ck_assert_str_eq(outcome.blocks,
			 "[kernel.kallsyms] ffffffff81000010-ffffffff81000020 1 cyc 0/0 of 0\n");
	ck_assert_uint_eq(outcome.totals.odd_runs, 1);
}
END_TEST

/* Speculated ones were never executed: the run goes on through them, its cycles are not known. */
START_TEST(what_never_happened_is_left_out)
{
	static const struct mkperf_branch branches[] = {
		{TEXT + 0x50, TEXT + 0x10, CYCLES(5)},
		{TEXT + 0x48, TEXT + 0x90, SPEC(1) | CYCLES(3)},
		{TEXT + 0x60, TEXT + 0x40, SPEC(2)},
		{0, TEXT + 0x40, 0},
		{TEXT + 0x70, 0, 0},
		{TEXT + 0x80, TEXT + 0x30, SPEC(3)},
	};
	struct mkperf *m = begin(false, 0);
	struct outcome outcome;

	map_all(m);
	SAMPLE(m, branches);
	replay(m, &outcome);
	ck_assert_str_eq(outcome.branches, "/bin/x 50 > /bin/x 10 / 1 mis 0/0 cyc 5/1 tx 0/0\n"
					   "/bin/x 60 > /bin/x 40 / 1 mis 0/0 cyc 0/0 tx 0/0\n"
					   "/bin/x 80 > /bin/x 30 / 1 mis 0/0 cyc 0/0 tx 0/0\n");
	ck_assert_str_eq(outcome.blocks, "/bin/x 40-50 1 cyc 0/0 of 0\n");
	ck_assert_uint_eq(outcome.totals.entries, 6);
	ck_assert_uint_eq(outcome.totals.wrong_path, 1);
	ck_assert_uint_eq(outcome.totals.empty, 2);
}
END_TEST

START_TEST(flags_that_contradict_and_numbers_of_the_future)
{
	static const struct mkperf_branch branches[] = {
		{TEXT + 1, TEXT + 2, MISPRED | PREDICTED | TYPE(15) | NEW_TYPE(1) | PRIV(3)},
		{TEXT + 1, TEXT + 2, TYPE(15) | NEW_TYPE(9) | PRIV(5)},
		{TEXT + 1, TEXT + 2, TYPE(14) | CYCLES(0xffff) | UINT64_C(0x7fffffff) << 33},
	};
	struct mkperf *m = begin(false, 0);
	struct outcome outcome;

	map_all(m);
	SAMPLE(m, branches);
	replay(m, &outcome);
	ck_assert_str_eq(outcome.branches,
			 "/bin/x 1 > /bin/x 2 0x9/0x5 1 mis 0/0 cyc 0/0 tx 0/0\n"
			 "/bin/x 1 > /bin/x 2 fault_data/hypervisor 1 mis 0/0 cyc 0/0 tx 0/0\n"
			 "/bin/x 1 > /bin/x 2 no_tx/ 1 mis 0/0 cyc 65535/1 tx 0/0\n");
	ck_assert_uint_eq(outcome.totals.odd_runs, 2); /* backward */
}
END_TEST

START_TEST(a_run_is_shorter_than_64_KiB)
{
	static const struct mkperf_branch longest[] = {{TEXT + 0xffff, TEXT, 0},
						       {TEXT + 5, TEXT, 0}};
	static const struct mkperf_branch longer[] = {{TEXT + 0x10000, TEXT, 0},
						      {TEXT + 5, TEXT, 0}};
	static const struct mkperf_branch shortest[] = {{TEXT + 7, TEXT, 0},
							{TEXT + 5, TEXT + 7, 0}};
	struct mkperf *m = begin(false, 0);
	struct outcome outcome;

	map_all(m);
	SAMPLE(m, longest);
	SAMPLE(m, longer);
	SAMPLE(m, shortest);
	replay(m, &outcome);
	ck_assert_str_eq(outcome.blocks, "/bin/x 0-ffff 1 cyc 0/0 of 0\n"
					 "/bin/x 7-7 1 cyc 0/0 of 0\n");
	ck_assert_uint_eq(outcome.totals.odd_runs, 1);
}
END_TEST

START_TEST(stacks_of_calls_are_no_history)
{
	static const struct mkperf_branch branches[] = {{TEXT + 9, TEXT, 0}, {TEXT + 5, TEXT, 0}};
	struct mkperf *m = begin(false, CALL_STACK);
	struct outcome outcome;

	map_all(m);
	SAMPLE(m, branches);
	replay(m, &outcome);
	ck_assert_str_eq(outcome.branches, "");
	ck_assert_str_eq(outcome.blocks, "");
	ck_assert_uint_eq(outcome.totals.call_stacks, 1);
	ck_assert_uint_eq(outcome.totals.samples, 0);
}
END_TEST

/* Another binary is mapped in the place of the first: each branch is in what was there then. */
START_TEST(maps_of_the_moment)
{
	static const struct mkperf_branch branches[] = {{TEXT + 9, TEXT, 0}};
	struct mkperf *m = begin(false, 0);
	struct outcome outcome;

	map_all(m);
	SAMPLE(m, branches);
	map(m, TEXT, 0x1000, "/bin/z");
	SAMPLE(m, branches);
	SAMPLE(m, branches);
	replay(m, &outcome);
	ck_assert_str_eq(outcome.branches, "/bin/z 9 > /bin/z 0 / 2 mis 0/0 cyc 0/0 tx 0/0\n"
					   "/bin/x 9 > /bin/x 0 / 1 mis 0/0 cyc 0/0 tx 0/0\n");
}
END_TEST

START_TEST(what_does_not_fit_is_counted)
{
	struct branch_count count = {.limit = 2};
	struct branch_edge edge = {.count = 1, .known = 1};
	struct branch_run run = {.count = 1, .cycles = 4, .cycles_known = 1};

	for (uint64_t i = 0; i < 5; i++) {
		edge.to.place = i;
		run.length = i;
		ck_assert(branch_count_edge(&count, &edge) && branch_count_run(&count, &run));
	}
	edge.to.place = run.length = 1; /* known ones are still counted */
	ck_assert(branch_count_edge(&count, &edge) && branch_count_run(&count, &run));
	ck_assert_uint_eq(count.edge_index.nr, 2);
	ck_assert_uint_eq(count.edges[1].count, 2);
	ck_assert_uint_eq(count.edges_beyond, 3);
	ck_assert_uint_eq(count.run_index.nr, 2);
	ck_assert_uint_eq(count.runs[1].cycles, 8);
	ck_assert_uint_eq(count.runs_beyond, 3);
	branch_count_free(&count);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("branches");
	TCase *tc = tcase_create("branches");

	tcase_add_test(tc, branches_are_counted_by_both_ends);
	tcase_add_test(tc, flags_of_the_other_byte_order);
	tcase_add_test(tc, samples_of_a_group);
	tcase_add_test(tc, branches_into_the_kernel_and_nowhere);
	tcase_add_test(tc, what_never_happened_is_left_out);
	tcase_add_test(tc, flags_that_contradict_and_numbers_of_the_future);
	tcase_add_test(tc, a_run_is_shorter_than_64_KiB);
	tcase_add_test(tc, stacks_of_calls_are_no_history);
	tcase_add_test(tc, maps_of_the_moment);
	tcase_add_test(tc, what_does_not_fit_is_counted);
	suite_add_tcase(s, tc);
	return suite_run(s);
}
