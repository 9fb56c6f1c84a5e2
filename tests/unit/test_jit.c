/* Replay of programs with a JIT compiler: whose code lay at an address at the time of a sample. */
#include "decode/replay.h"
#include "tests/support/answers.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/writer/mkjit.h"
#include "tests/writer/mkperf.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	IP = 1 << 0,
	TID = 1 << 1,
	TIME = 1 << 2,
	CALLCHAIN = 1 << 5,
	PERIOD = 1 << 8,
	USER = 2, /* cpumode */
	EXEC = 1 << 13,
	USE_CLOCKID = 1 << 25,
	TIME_CONV = 79,
};

#define CODE UINT64_C(0x7f0000000000) /* the memory of the compiler */

static const uint64_t id = 100;
static struct scratch_path dir, dump_path;
static struct mkjit dump;
static struct mkperf *m;
static struct perffile *file;
static struct replay *replay;
static const struct results *results;
static struct given_roots roots;
static const char *symfs;

static void setup(void)
{
	dir = scratch_make();
	dump_path = scratch_join(dir.text, "jit-42.dump");
	memset(&dump, 0, sizeof(dump));
	results = NULL;
	replay = NULL;
	file = NULL;
	m = mkperf_new(NULL);
	ck_assert_ptr_nonnull(m);
}

static void teardown(void)
{
	replay_destroy(replay);
	perffile_close(file);
	mkperf_free(m);
	roots_given_free(&roots);
	symfs = NULL;
	scratch_remove(dir.text);
}

static void add_event(int32_t clockid, uint64_t more)
{
	mkperf_event(m,
		     &(struct mkperf_event){
			     .name = "cpu-clock",
			     .type = 1,
			     .sample_type = IP | TID | TIME | PERIOD | more,
			     .flags = MKPERF_ATTR_SAMPLE_ID_ALL | (clockid >= 0 ? USE_CLOCKID : 0),
			     .clockid = clockid >= 0 ? clockid : 0,
			     .ids = &id,
			     .nr_ids = 1,
		     });
}

static void map(uint64_t time, uint32_t pid, uint64_t start, uint64_t len, const char *name)
{
	const struct mkperf_id at = {.pid = pid, .tid = pid, .time = time};

	mkperf_mmap2(m, &at,
		     &(struct mkperf_mmap){.misc = USER,
					   .pid = pid,
					   .tid = pid,
					   .start = start,
					   .len = len,
					   .filename = name,
					   .prot = 5,
					   .flags = 2});
}

/* The memory of the compiler of process 42 and the mark for its dump, as they are mapped. */
static void map_all(uint64_t time)
{
	map(time, 42, 0x1000, 0x1000, dump_path.text);
	map(time, 42, CODE, 0x10000, "//anon");
}

static void sample(uint64_t time, uint32_t pid, uint64_t ip)
{
	mkperf_sample(
		m,
		&(struct mkperf_sample){
			.misc = USER, .pid = pid, .tid = pid, .ip = ip, .time = time, .period = 1});
}

static void load(uint64_t time, uint64_t start, const char *name)
{
	mkjit_code(&dump,
		   &(struct mkjit_code){.time = time, .start = start, .size = 0x10, .name = name});
}

/* Opens the recording as a file, or @piped as what comes through standard input. */
static struct perffile *open_recording(bool piped, struct error *err)
{
	struct scratch_path path = scratch_join(dir.text, "perf.data");
	const uint8_t *bytes;
	size_t len;
	int fds[2];

	if (!piped) {
		ck_assert(mkperf_save(m, path.text));
		return perffile_open(path.text, err);
	}
	bytes = mkperf_finish(m, &len);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(write(fds[1], bytes, len), (ssize_t)len);
	close(fds[1]);
	ck_assert_int_ge(dup2(fds[0], STDIN_FILENO), 0);
	return perffile_open("-", err);
}

/* The dump has @len bytes while the records are replayed, and all of them afterwards. */
static void run_while_dump_grows(bool piped, size_t len)
{
	static const struct filter no_filter;
	const struct replay_settings settings = {
		.filter = &no_filter,
		.needs = {{&processstat_lives, &binarystat_binaries}, 2},
		.symbols = {.build_id_cache = "/nonexistent",
			    .debug_dir = "/nonexistent",
			    .symfs = symfs},
		.roots = &roots,
	};
	struct mkjit part = dump;
	const struct record *rec;
	struct error err = {0};
	int rc;

	part.len = len;
	if (dump.len)
		mkjit_save(&part, dump_path.text);
	file = open_recording(piped, &err);
	ck_assert_msg(file, "%s", err.text);
	replay = replay_create(&settings, file, &err);
	ck_assert_msg(replay, "%s", err.text);
	while ((rc = perffile_next(file, &rec, &err)) > 0)
		ck_assert_int_ge(replay_apply(replay, rec, &err), 0);
	ck_assert_msg(rc == 0, "%s", err.text);
	if (dump.len)
		mkjit_save(&dump, dump_path.text);
	results = replay_finish(replay, &err);
	ck_assert_msg(results, "%s", err.text);
}

static void run(void)
{
	run_while_dump_grows(false, dump.len);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "FUNCTION-OR-REASON SELF CHILDREN" of each row, in the order of the text. */
static void check_functions(const char *expected)
{
	char *lines[16], text[1024] = "";
	size_t nr = results->nr_functions;

	ck_assert_uint_le(nr, 16);
	for (size_t i = 0; i < nr; i++) {
		const struct function_stat *f = &results->functions[i];

		ck_assert_int_ge(asprintf(&lines[i], "%s %lu %lu\n",
					  *f->reason ? f->reason : f->function,
					  (unsigned long)f->self.samples,
					  (unsigned long)f->children.samples),
				 0);
	}
	qsort(lines, nr, sizeof(*lines), by_text);
	for (size_t i = 0; i < nr; i++) {
		strcat(text, lines[i]);
		free(lines[i]);
	}
	ck_assert_str_eq(text, expected);
}

START_TEST(an_address_has_the_name_of_its_time)
{
	add_event(CLOCK_MONOTONIC, 0);
	mkjit_header(&dump, 42, 0);
	load(20, CODE, "first");
	load(40, CODE + 8, "second");
	map_all(10);
	sample(19, 42, CODE);
	sample(20, 42, CODE);
	sample(39, 42, CODE + 8);
	sample(41, 42, CODE + 8);
	sample(42, 42, CODE + 7);
	sample(43, 42, CODE + 0x17);
	sample(44, 42, CODE + 0x18);
	run();
	check_functions("first 3 3\njit-map-missing 2 2\nsecond 2 2\n");
	ck_assert_uint_eq(results->nr_untimed_dumps, 0);
}
END_TEST

START_TEST(code_counts_in_the_order_of_its_times)
{
	add_event(CLOCK_MONOTONIC, 0);
	mkjit_header(&dump, 42, 0);
	load(40, CODE, "second");
	load(20, CODE, "first");
	load(40, CODE, "third");
	map_all(10);
	sample(39, 42, CODE);
	sample(40, 42, CODE);
	run();
	check_functions("first 1 1\nthird 1 1\n");
}
END_TEST

/* Functions that share a row have the size of the largest, whichever comes first. */
START_TEST(a_row_has_the_size_of_its_largest_code)
{
	add_event(CLOCK_MONOTONIC, 0);
	mkjit_header(&dump, 42, 0);
	for (uint64_t i = 0; i < 3; i++)
		mkjit_code(&dump, &(struct mkjit_code){.time = 20,
						       .start = CODE + i * 0x100,
						       .size = (uint64_t[]){0x10, 0x40, 0x20}[i],
						       .name = "f"});
	map_all(10);
	for (uint64_t i = 0; i < 3; i++)
		sample(21, 42, CODE + i * 0x100);
	sample(22, 42, CODE + 0x300);
	run();
	check_functions("f 3 3\njit-map-missing 1 1\n");
	ck_assert_uint_eq(results->functions[0].size, 0x40);
	ck_assert_uint_eq(results->functions[1].size, 0);
}
END_TEST

/* perf inject --jit drops such mappings of a process with a dump, all of them. */
START_TEST(memory_that_is_mapped_again_leaves_code_where_it_is)
{
	add_event(CLOCK_MONOTONIC, 0);
	mkjit_header(&dump, 42, 0);
	load(20, CODE, "f");
	load(20, CODE + 0x1000, "g");
	map_all(10);
	map(30, 42, CODE, 0x20000, "//anon");
	map(30, 42, CODE + 0x1000, 0x1000, "/lib/x.so");
	sample(31, 42, CODE);
	sample(31, 42, CODE + 0x1000);
	sample(31, 42, CODE + 0x1ffff);
	run();
	check_functions("f 1 1\nfile-missing 1 1\njit-map-missing 1 1\n");
}
END_TEST

START_TEST(a_child_has_the_code_of_its_parent_at_the_fork)
{
	const struct mkperf_id at = {.pid = 42, .tid = 42, .time = 30};
	const struct mkperf_task task = {.pid = 43, .tid = 43, .ppid = 42, .ptid = 42, .time = 30};

	add_event(CLOCK_MONOTONIC, 0);
	mkjit_header(&dump, 42, 0);
	load(20, CODE, "before");
	load(40, CODE, "after");
	map_all(10);
	mkperf_fork(m, &at, &task);
	sample(50, 42, CODE);
	sample(50, 43, CODE);
	sample(51, 43, CODE);
	run();
	check_functions("after 1 1\nbefore 2 2\n");
}
END_TEST

START_TEST(another_program_has_none_of_the_code)
{
	const struct mkperf_id at = {.pid = 42, .tid = 42, .time = 30};

	add_event(CLOCK_MONOTONIC, 0);
	mkjit_header(&dump, 42, 0);
	load(20, CODE, "f");
	map_all(10);
	mkperf_comm(m, &at, EXEC, 42, 42, "other");
	sample(31, 42, CODE);
	run();
	check_functions("no-mapping 1 1\n");
}
END_TEST

START_TEST(moved_code_keeps_its_name)
{
	add_event(CLOCK_MONOTONIC, 0);
	mkjit_header(&dump, 42, 0);
	mkjit_code(&dump, &(struct mkjit_code){
				  .time = 20, .start = CODE, .size = 16, .index = 5, .name = "f"});
	mkjit_code(&dump, &(struct mkjit_code){.time = 30,
					       .start = CODE + 0x100,
					       .size = 16,
					       .index = 5,
					       .moved_from = CODE});
	mkjit_code(&dump, &(struct mkjit_code){.time = 30, /* of what was never loaded */
					       .start = CODE + 0x200,
					       .size = 16,
					       .index = 6,
					       .moved_from = CODE});
	map_all(10);
	sample(29, 42, CODE + 0x100);
	sample(30, 42, CODE + 0x10f);
	sample(31, 42, CODE + 0x200);
	run();
	check_functions("f 1 1\njit-map-missing 2 2\n");
}
END_TEST

/* perf inject refuses such a dump, and its code has no names at all. */
START_TEST(without_the_clock_the_last_name_stands_for_all)
{
	add_event(_i == 0 ? -1 : CLOCK_REALTIME, 0);
	mkjit_header(&dump, 42, 0);
	load(20, CODE, "first");
	load(40, CODE, "last");
	load(41, CODE + 0x100, "other");
	map_all(10);
	sample(11, 42, CODE);
	sample(50, 42, CODE + 0x100);
	run();
	check_functions("last 1 1\nother 1 1\n");
	ck_assert_uint_eq(results->nr_untimed_dumps, 1);
}
END_TEST

static void time_conv(uint64_t shift, uint64_t mult, uint64_t zero)
{
	mkperf_begin(m, TIME_CONV, 0);
	mkperf_u64(m, shift);
	mkperf_u64(m, mult);
	mkperf_u64(m, zero);
	mkperf_end(m);
}

/* 1000 + ticks * 3 / 2: tick 2 is at 1003 ns, tick 3 at 1004. */
START_TEST(counts_of_the_processor_become_times)
{
	add_event(-1, 0);
	mkjit_header(&dump, 42, 1);
	load(2, CODE, "first");
	load(3, CODE, "second");
	time_conv(1, 3, 1000);
	map_all(10);
	sample(1002, 42, CODE);
	sample(1003, 42, CODE);
	sample(1004, 42, CODE);
	run();
	check_functions("first 1 1\njit-map-missing 1 1\nsecond 1 1\n");
	ck_assert_uint_eq(results->nr_untimed_dumps, 0);
}
END_TEST

/* No TIME_CONV, one that makes no sense, and one of a clock that the recording does not have. */
START_TEST(counts_without_their_meaning_are_no_times)
{
	add_event(_i == 2 ? CLOCK_MONOTONIC : -1, 0);
	mkjit_header(&dump, 42, 1);
	load(2000, CODE, "f");
	if (_i)
		time_conv(_i == 1 ? 64 : 0, 1, 0);
	map_all(10);
	sample(11, 42, CODE);
	run();
	check_functions("f 1 1\n");
	ck_assert_uint_eq(results->nr_untimed_dumps, 1);
}
END_TEST

START_TEST(without_the_dump_its_code_has_no_name)
{
	add_event(CLOCK_MONOTONIC, 0);
	map_all(10);
	sample(30, 42, CODE);
	run();
	check_functions("jit-map-missing 1 1\n");
	ck_assert_uint_eq(results->nr_untimed_dumps, 0);
}
END_TEST

/* All samples are in memory whose dump was not read because it is @fate. */
static void check_lost_dump(const char *fate, const char *advice)
{
	const struct binary_stat *binary;
	char tried[sizeof(dump_path) + 64];

	check_functions("jit-map-missing 1 1\n");
	ck_assert_uint_eq(results->nr_unnamed, 1);
	binary = results->unnamed->binary;
	snprintf(tried, sizeof(tried), "/tmp/perf-42.map: missing; %s: %s", dump_path.text, fate);
	ck_assert_str_eq(binary->refused, tried);
	ck_assert_str_eq(results->unnamed->advice, advice);
}

START_TEST(a_dump_that_is_missing)
{
	add_event(CLOCK_MONOTONIC, 0);
	map_all(10);
	sample(30, 42, CODE);
	run();
	check_lost_dump("missing", "its jitdump is missing: put it back, or below --symfs=DIR");
}
END_TEST

/* _i: empty, cut in its header, or in its only record. */
START_TEST(a_dump_that_is_cut)
{
	static const char *const fates[] = {"empty", "truncated", "truncated"};

	add_event(CLOCK_MONOTONIC, 0);
	map_all(10);
	sample(30, 42, CODE);
	scratch_write(dir.text, "jit-42.dump", _i == 0 ? "" : "DTiJ");
	if (_i == 2) {
		mkjit_header(&dump, 42, 0);
		load(20, CODE, "f");
		dump.len--;
	}
	run();
	check_lost_dump(fates[_i], "its jitdump is truncated: copy all of it, or let the program "
				   "end by itself");
}
END_TEST

START_TEST(a_dump_that_is_mapped_twice_counts_once)
{
	add_event(CLOCK_MONOTONIC, 0);
	mkjit_header(&dump, 42, 0);
	load(20, CODE, "first");
	load(40, CODE, "second");
	map_all(10);
	sample(45, 42, CODE);
	map(46, 42, 0x1000, 0x1000, dump_path.text);
	map(46, 43, 0x1000, 0x1000, dump_path.text);
	sample(47, 42, CODE);
	sample(48, 43, CODE);
	run();
	check_functions("no-mapping 1 1\nsecond 2 2\n");
}
END_TEST

/* The same chain of callers, before and after the code of one of them has changed. */
START_TEST(callers_have_the_name_of_their_time)
{
	const uint64_t ips[] = {UINT64_C(-512), CODE + 0x100, CODE + 5}; /* a marker: user code */

	add_event(CLOCK_MONOTONIC, CALLCHAIN);
	mkjit_header(&dump, 42, 0);
	load(20, CODE, "first");
	load(20, CODE + 0x100, "leaf");
	load(40, CODE, "second");
	map_all(10);
	for (uint64_t time = 30; time <= 60; time += 10)
		mkperf_sample(m, &(struct mkperf_sample){.misc = USER,
							 .pid = 42,
							 .tid = 42,
							 .ip = CODE + 0x100,
							 .time = time,
							 .period = 1,
							 .ips = ips,
							 .nr_ips = 3});
	run();
	check_functions("first 0 1\nleaf 4 4\nsecond 0 3\n");
}
END_TEST

/*
 * A pipe is read while the program runs. What its compiler writes down after the sample was counted
 * gives a name, but can have no time any more.
 */
START_TEST(what_is_dumped_after_its_samples_has_names_too)
{
	size_t len;

	mkperf_free(m);
	m = mkperf_new(&(struct mkperf_options){.pipe = true});
	add_event(CLOCK_MONOTONIC, 0);
	mkjit_header(&dump, 42, 0);
	load(20, CODE, "first");
	len = dump.len;
	load(40, CODE, "second");
	load(50, CODE + 0x100, "old");
	load(60, CODE + 0x100, "new");
	map_all(10);
	sample(41, 42, CODE);
	sample(55, 42, CODE + 0x100);
	sample(56, 42, CODE + 0x200);
	run_while_dump_grows(true, len + 8);
	check_functions("first 1 1\nnew 1 1\noutside-symbols 1 1\n");
}
END_TEST

/* ---- containers ------------------------------------------------------------------------------ */

/* A dump below the directory @root of the test, by the path of all of them. */
static void save_below(const char *root, const char *name)
{
	struct scratch_path above = scratch_join(dir.text, root);

	ck_assert_int_eq(mkdir(above.text, 0755), 0);
	memset(&dump, 0, sizeof(dump));
	mkjit_header(&dump, 7, 0);
	load(20, CODE, name);
	mkjit_save(&dump, scratch_join(above.text, "jit-7.dump").text);
	memset(&dump, 0, sizeof(dump));
}

static void map_container(uint32_t pid)
{
	map(10, pid, 0x1000, 0x1000, "/jit-7.dump");
	map(10, pid, CODE, 0x10000, "//anon");
	sample(30, pid, CODE);
}

/* Processes of two containers, with one number and one path there, and one of the host. */
START_TEST(the_dumps_of_containers)
{
	char args[2][512];
	struct error err;

	for (int i = 0; i < 2; i++) {
		snprintf(args[i], sizeof(args[i]), "%d=%s/root%d", 4294000 + i, dir.text, i);
		save_below(i ? "root1" : "root0", i ? "second" : "first");
		ck_assert_int_eq(roots_given_add(&roots, args[i], &err), 0);
	}
	add_event(CLOCK_MONOTONIC, 0);
	for (uint32_t i = 0; i < 3; i++)
		map_container(4294000 + i);
	run();
	check_functions("first 1 1\njit-map-missing 1 1\nsecond 1 1\n");
	for (size_t i = 0; i < results->nr_functions; i++)
		if (!results->functions[i].reason[0])
			ck_assert_str_eq(results->functions[i].binary, "/jit-7.dump");
}
END_TEST

START_TEST(the_dump_of_another_machine)
{
	struct scratch_path above = scratch_join(dir.text, "root");

	save_below("root", "theirs");
	symfs = above.text;
	add_event(CLOCK_MONOTONIC, 0);
	map_container(4294000);
	run();
	check_functions("theirs 1 1\n");
}
END_TEST

START_TEST(processes_keep_their_number_of_mappings)
{
	struct process_stat process;

	add_event(CLOCK_MONOTONIC, 0);
	mkjit_header(&dump, 42, 0);
	load(20, CODE, "f");
	map_all(10);
	sample(30, 42, CODE);
	run();
	ck_assert_int_eq(answer_start(results, &processstat_lives, NULL), 0);
	ck_assert_int_eq(answer_next(results, &processstat_lives, &process, NULL), 1);
	ck_assert_int_eq(process.pid, 42);
	ck_assert_uint_eq(process.nr_mmaps, 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("jit");
	TCase *tcase = tcase_create("jit");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, an_address_has_the_name_of_its_time);
	tcase_add_test(tcase, code_counts_in_the_order_of_its_times);
	tcase_add_test(tcase, a_row_has_the_size_of_its_largest_code);
	tcase_add_test(tcase, memory_that_is_mapped_again_leaves_code_where_it_is);
	tcase_add_test(tcase, a_child_has_the_code_of_its_parent_at_the_fork);
	tcase_add_test(tcase, another_program_has_none_of_the_code);
	tcase_add_test(tcase, moved_code_keeps_its_name);
	tcase_add_loop_test(tcase, without_the_clock_the_last_name_stands_for_all, 0, 2);
	tcase_add_test(tcase, counts_of_the_processor_become_times);
	tcase_add_loop_test(tcase, counts_without_their_meaning_are_no_times, 0, 3);
	tcase_add_test(tcase, without_the_dump_its_code_has_no_name);
	tcase_add_test(tcase, a_dump_that_is_missing);
	tcase_add_loop_test(tcase, a_dump_that_is_cut, 0, 3);
	tcase_add_test(tcase, a_dump_that_is_mapped_twice_counts_once);
	tcase_add_test(tcase, callers_have_the_name_of_their_time);
	tcase_add_test(tcase, what_is_dumped_after_its_samples_has_names_too);
	tcase_add_test(tcase, the_dumps_of_containers);
	tcase_add_test(tcase, the_dump_of_another_machine);
	tcase_add_test(tcase, processes_keep_their_number_of_mappings);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
