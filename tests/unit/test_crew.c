/* Samples that several threads count: the same sums as by one, whatever comes between them. */
#include "decode/replay/crew.h"
#include "decode/replay/state.h"
#include "tests/support/recording.h"
#include "tests/support/resulttext.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NR_SAMPLES = 40000,
	ROUND = 1000,
	PROCESSES = 5,
	TEXT = 0x10000, /* bytes of a mapping */
	RBP = 6,
	RSP = 7,
	RIP = 8,
	STACK_WORDS = 8,
};

#define WITH_STACKS (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* What a recording has. */
struct shape {
	uint64_t sample_type;
	bool swap, packed;
	bool varied; /* of each 3,000 stacks, the last 2,000 are on new paths */
};

static const struct shape shapes[] = {
	{0}, /* no call chains */
	{.sample_type = PERF_SAMPLE_CALLCHAIN},
	{.sample_type = PERF_SAMPLE_CALLCHAIN, .swap = true},
	{.sample_type = PERF_SAMPLE_CALLCHAIN, .packed = true},
	{.sample_type = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_ADDR}, /* not plain */
	{.sample_type = WITH_STACKS},
	{.sample_type = WITH_STACKS, .varied = true},
	{.sample_type = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK, .varied = true}, /* LBR */
};

enum { NR_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* Between samples a process is replaced by another one, and maps another file at one place. */
static void change_world(struct mkperf *m, uint64_t i, uint64_t time)
{
	const uint32_t pid = 100 + (uint32_t)(i / 37 % PROCESSES);
	const struct mkperf_id at = {.pid = pid, .tid = pid, .time = time};
	char name[32];

	snprintf(name, sizeof(name), "/lib/number-%u", (unsigned)(i / 37 % 3));
	if (i % 370 == 36) {
		mkperf_exit(m, &at, &(struct mkperf_task){.pid = pid, .tid = pid, .time = time});
		mkperf_fork(m, &at,
			    &(struct mkperf_task){.pid = pid,
						  .ppid = 100 + (pid + 1) % PROCESSES,
						  .tid = pid,
						  .ptid = 100 + (pid + 1) % PROCESSES,
						  .time = time});
		mkperf_comm(m, &at, 0, pid, pid, name);
	}
	mkperf_mmap(m, &at,
		    &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					  .pid = pid,
					  .tid = pid,
					  .start = 0x400000 + i / 37 % 3 * TEXT,
					  .len = TEXT,
					  .filename = name});
}

static void add_sample(struct mkperf *m, uint64_t i, uint64_t time, bool is_new)
{
	const uint32_t pid = 100 + (uint32_t)(i * 7 % PROCESSES);
	const uint64_t ip = 0x400000 + i * 13 % 3 * TEXT + i % 4;
	const uint64_t kernel = 0xffffffff81000000 + i % 5;
	const uint64_t sp = 0x7ffe0000, back = 0x400100 + (is_new ? i : i % 3);
	const uint64_t ips[] = {
		PERF_CONTEXT_KERNEL, kernel, PERF_CONTEXT_USER, ip, back, 0x400200, 0x410300};
	/* two frames, each with the caller's frame pointer and where it returns to */
	const uint64_t stack[STACK_WORDS] = {0, 0, sp + 32, back, sp + 48, 0x410300};
	const uint64_t regs[] = {sp + 16, sp, ip};
	const struct mkperf_branch branches[] = {{back, ip & ~3ull, 0}, {0x410300, 0x400100, 0}};
	const bool in_kernel = i % 4 == 0;

	mkperf_sample(m, &(struct mkperf_sample){.misc = in_kernel ? PERF_RECORD_MISC_KERNEL
								   : PERF_RECORD_MISC_USER,
						 .pid = pid,
						 .tid = pid + (uint32_t)(i % 3),
						 .cpu = (uint32_t)(i % 6),
						 .ip = in_kernel ? kernel : ip,
						 .period = 1 + i % 9,
						 .ips = in_kernel ? ips : ips + 2,
						 .nr_ips = in_kernel ? 7 : 5,
						 .branches = branches,
						 .nr_branches = 1 + i / 1000 % 2,
						 .regs_user_abi = 2,
						 .regs_user = regs,
						 .stack = stack,
						 .stack_size = sizeof(stack),
						 .stack_dyn_size = sizeof(stack),
						 .time = time});
}

/* More records than a ring of batches holds, none of them a sample. */
static void pause_samples(struct mkperf *m, uint64_t time)
{
	for (uint64_t i = 0; i < 30000; i++)
		mkperf_comm(m, &(struct mkperf_id){.pid = 7, .tid = 7, .time = time}, 0, 7, 7, "x");
}

static struct mkperf *make(const struct shape *shape)
{
	struct mkperf_options options = {.swap = shape->swap};
	struct mkperf *m;

	if (shape->packed)
		options.packing.type = MKPERF_RECORD_COMPRESSED;
	m = mkperf_new(&options);
	mkperf_event(m, &(struct mkperf_event){
				.name = "clock",
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				.sample_regs_user = 1 << RBP | 1 << RSP | 1 << RIP,
				.sample_stack_user = STACK_WORDS * sizeof(uint64_t),
				.branch_sample_type =
					PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK,
				.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
					       shape->sample_type,
			});
	mkperf_feature_string(m, MKPERF_ARCH, "x86_64");
	for (uint64_t i = 0; i < NR_SAMPLES; i++) {
		const uint64_t time = 1000000 + i * 1000;

		if (i % 37 == 36)
			change_world(m, i, time);
		if (i == NR_SAMPLES / 2)
			pause_samples(m, time);
		add_sample(m, i, time, shape->varied && i / 1000 % 3);
		if (i % ROUND == ROUND - 1)
			mkperf_round(m);
	}
	return m;
}

static const struct resulttext_way one_by_one = {0};

START_TEST(same_results)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = make(&shapes[_i]);
	/* so many threads share samples; two do not share those without call chains */
	const size_t least = shapes[_i].sample_type ? 2 : 3;
	uint64_t nr_left;
	char *alone;

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	alone = resulttext_read(path.text, one_by_one, &nr_left);
	ck_assert_uint_eq(nr_left, 0);
	for (size_t nr = 1; nr < 6; nr++) {
		/* with few paths in each table, too: full ones are put aside */
		const size_t most[] = {0, 20};

		for (size_t i = 0; i < 2; i++) {
			char *shared = resulttext_read(
				path.text,
				(struct resulttext_way){.nr_threads = nr, .paths_max = most[i]},
				&nr_left);

			ck_assert_str_eq(shared, alone);
			if (nr < least)
				ck_assert_uint_eq(nr_left, 0);
			else if (most[i] == 0)
				ck_assert_uint_gt(nr_left, 0);
			free(shared);
		}
	}
	free(alone);
	scratch_remove(dir.text);
}
END_TEST

/* A thread puts many paths in order, and then sums a part of them. */
START_TEST(paths_in_order)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = make(&(struct shape){.sample_type = WITH_STACKS, .varied = true});
	size_t nr_paths;
	struct resulttext_way way = {.no_paths = true, .nr_paths = &nr_paths, .nr_naming = 1};
	char *alone, *beside;

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	alone = resulttext_read(path.text, way, NULL);
	ck_assert_uint_gt(nr_paths, 1 << 15); /* fewer are not worth it */
	way.nr_naming = 2;
	beside = resulttext_read(path.text, way, NULL);
	ck_assert_str_eq(beside, alone);
	free(alone);
	free(beside);
	scratch_remove(dir.text);
}
END_TEST

/* The caller counts alone first; then others do, too. */
START_TEST(joined_later)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = make(&shapes[_i]);
	struct resulttext_way way = {.nr_threads = 3};
	uint64_t nr_left;
	char *alone;

	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	alone = resulttext_read(path.text, one_by_one, NULL);
	for (way.nr_alone = 1; way.nr_alone < 5 * NR_SAMPLES; way.nr_alone *= 3) {
		char *shared;

		way.gaps = !way.gaps;
		shared = resulttext_read(path.text, way, &nr_left);
		ck_assert_str_eq(shared, alone);
		ck_assert(nr_left > 0 || way.nr_alone > 20);
		free(shared);
	}
	ck_assert_uint_eq(nr_left, 0);
	free(alone);
	scratch_remove(dir.text);
}
END_TEST

/* A process begins with its own first sample, not with the first one that was taken with it: so a
 * FORK that comes late is that of the process which is there. */
START_TEST(late_fork)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = mkperf_new(NULL);
	uint64_t time = 1000, nr_left;
	char *singly, *many;

	mkperf_event(m, &(struct mkperf_event){
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
			});
	for (unsigned i = 0; i < 330; i++) {
		const uint32_t pid = i >= 200 && (i < 250 || i >= 290) ? 200 : 100;

		mkperf_sample(m, &(struct mkperf_sample){
					 .misc = 2, .pid = pid, .tid = pid, .time = time += 10});
		if (i >= 249 && i % 10 == 9)
			mkperf_round(m);
		if (i == 289)
			mkperf_fork(m, &(struct mkperf_id){.pid = 200, .tid = 200, .time = 3001},
				    &(struct mkperf_task){.pid = 200,
							  .ppid = 100,
							  .tid = 200,
							  .ptid = 100,
							  .time = 3001});
	}
	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	singly = resulttext_read(path.text, one_by_one, &nr_left);
	many = resulttext_read(path.text, (struct resulttext_way){.nr_threads = 1}, &nr_left);
	ck_assert_str_eq(singly, many);
	ck_assert_ptr_nonnull(strstr(singly, "\nlife 200 fork 3001 of 100: 90\n"));
	free(singly);
	free(many);
	scratch_remove(dir.text);
}
END_TEST

/* Applies all records of @file. Returns false, with @err filled, if samples cannot be counted. */
static bool apply_all(struct perffile *file, struct replay *replay, struct error *err)
{
	struct plain_samples samples;
	const struct record *rec;

	do {
		while (perffile_next_plain(file, &samples, err) > 0)
			if (replay_apply_plain(replay, &samples, err) < 0)
				return false;
		rec = recording_next(file);
		if (rec && replay_apply(replay, rec, err) < 0)
			return false;
	} while (rec);
	return true;
}

/* How many plain samples without chains are left to a crew when there are many addresses already.
 */
static uint64_t count_left(size_t nr_threads)
{
	const struct filter filter = {0};
	const struct replay_settings settings = {.filter = &filter};
	struct perffile *file = recording_open(make(&shapes[0]));
	struct error err = {0};
	struct replay *replay;
	uint64_t nr_left;

	perffile_read_ahead(file);
	replay = replay_create(&settings, file, &err);
	ck_assert(replay && replay_share(replay, file, nr_threads, &err) == 0);
	for (uint64_t i = 0; i < 1 << 15; i++)
		ck_assert_uint_ne(address_get(&replay->addresses, 0, 0, i), ADDRESS_NONE);
	ck_assert(apply_all(file, replay, &err));
	nr_left = crew_nr_left(replay->crew);
	replay_destroy(replay);
	perffile_close(file);
	return nr_left;
}

START_TEST(samples_that_are_spread)
{
	ck_assert_uint_eq(count_left(2), 0);
	ck_assert_uint_gt(count_left(3), 0);
}
END_TEST

static bool takes_plain(const char *path, const struct answer *answer)
{
	const struct filter filter = {0};
	const struct replay_settings settings = {.filter = &filter, .needs = {{answer}, 1}};
	struct error err = {0};
	struct perffile *file = perffile_open(path, &err);
	struct replay *replay = file ? replay_create(&settings, file, &err) : NULL;
	bool takes;

	ck_assert_msg(replay, "%s", err.text);
	takes = replay_takes_plain(replay);
	replay_destroy(replay);
	perffile_close(file);
	return takes;
}

/* What a hardware trace executed is asked for: it may be there if an event can have one. */
START_TEST(answers_from_traces)
{
	ck_assert(takes_plain("data/demo-callgraph.data", &tracestat_profile));
	ck_assert(takes_plain("data/trace-cyc.data", &pathstat_calls));
	ck_assert(!takes_plain("data/trace-cyc.data", &tracestat_profile));
	ck_assert(!takes_plain("data/coresight-etm.data", &tracestat_profile));
}
END_TEST

/* Waits are told by samples of tracepoints. */
START_TEST(answers_from_switches)
{
	ck_assert(takes_plain("data/demo-callgraph.data", &offcpustat_waits));
	ck_assert(takes_plain("data/waits.data", &pathstat_calls));
	ck_assert(!takes_plain("data/waits.data", &offcpustat_waits));
}
END_TEST

/* Paths that another thread counts go to a file, which cannot be made. */
START_TEST(no_room_for_paths)
{
	const struct filter filter = {0};
	const struct replay_settings settings = {.filter = &filter, .stacks.paths_max = 100};
	const struct shape shape = {.sample_type = WITH_STACKS, .varied = true};
	struct perffile *file = recording_open(make(&shape));
	struct error err = {0};
	struct replay *replay;

	ck_assert_int_eq(setenv("TMPDIR", "/no/such/directory", 1), 0);
	perffile_read_ahead(file);
	replay = replay_create(&settings, file, &err);
	ck_assert(replay && replay_share(replay, file, 2, &err) == 0);
	ck_assert(!apply_all(file, replay, &err) || !replay_finish(replay, &err));
	ck_assert_int_eq(err.kind, ERROR_IO);
	ck_assert_ptr_nonnull(strstr(err.text, "/no/such/directory"));
	unsetenv("TMPDIR");
	replay_destroy(replay);
	perffile_close(file);
}
END_TEST

/* A crew may end with work to do. */
START_TEST(ended_early)
{
	for (uint64_t wanted = 1; wanted < NR_SAMPLES; wanted *= 3) {
		const struct filter filter = {0};
		const struct replay_settings settings = {.filter = &filter};
		struct perffile *file = recording_open(make(&shapes[_i]));
		struct plain_samples samples;
		struct error err = {0};
		struct replay *replay;
		uint64_t nr = 0;

		perffile_read_ahead(file);
		replay = replay_create(&settings, file, &err);
		ck_assert(replay && replay_share(replay, file, 4, &err) == 0);
		while (nr < wanted) {
			while (nr < wanted && perffile_next_plain(file, &samples, &err) > 0) {
				ck_assert_int_eq(replay_apply_plain(replay, &samples, &err), 0);
				nr += samples.nr;
			}
			ck_assert_int_ge(replay_apply(replay, recording_next(file), &err), 0);
			nr++;
		}
		replay_destroy(replay);
		perffile_close(file);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("crew");
	TCase *tcase = tcase_create("crew");

	tcase_add_loop_test(tcase, same_results, 0, NR_SHAPES);
	tcase_add_test(tcase, paths_in_order);
	tcase_add_loop_test(tcase, joined_later, 0, NR_SHAPES);
	tcase_add_test(tcase, late_fork);
	tcase_add_test(tcase, samples_that_are_spread);
	tcase_add_test(tcase, answers_from_traces);
	tcase_add_test(tcase, answers_from_switches);
	tcase_add_test(tcase, no_room_for_paths);
	tcase_add_loop_test(tcase, ended_early, 0, NR_SHAPES);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
