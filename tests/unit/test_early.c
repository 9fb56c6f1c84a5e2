/*
 * What is looked up while a recording still comes in: it may be too early, and the answer at the
 * end is none the worse for it.
 */
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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	IP = 1 << 0,
	TID = 1 << 1,
	TIME = 1 << 2,
	PERIOD = 1 << 8,
	KERNEL = 1, /* cpumodes */
	USER = 2,
	EXEC = 1 << 13,
	SAMPLE = 9, /* type of a record */
	PID = 10,
};

#define KERNEL_START 0xffffffff81000000u

static struct scratch_path dir, kallsyms;
static struct mkperf *m;
static struct filter filter;
static struct replay_settings settings;
static struct perffile *file;
static struct replay *replay;
static const struct results *results;
static int chosen; /* what replay_apply() said of the last sample */

static void setup(void)
{
	dir = scratch_make();
	kallsyms = scratch_join(dir.text, "kallsyms");
	filter = (struct filter){0};
	settings = (struct replay_settings){
		.filter = &filter,
		.symbols = {.build_id_cache = "/nonexistent", .debug_dir = "/nonexistent"},
	};
	results = NULL;
	replay = NULL;
	file = NULL;
	m = mkperf_new(&(struct mkperf_options){.pipe = true});
	ck_assert_ptr_nonnull(m);
	mkperf_event(m, &(struct mkperf_event){.sample_type = IP | TID | TIME | PERIOD,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL});
}

static void teardown(void)
{
	replay_destroy(replay);
	perffile_close(file);
	filter_free(&filter);
	mkperf_free(m);
	scratch_remove(dir.text);
}

static void map(uint64_t time, uint64_t start, const char *name)
{
	mkperf_mmap2(m, &(struct mkperf_id){.pid = PID, .tid = PID, .time = time},
		     &(struct mkperf_mmap){.misc = USER,
					   .pid = PID,
					   .tid = PID,
					   .start = start,
					   .len = 0x10000,
					   .filename = name,
					   .prot = 5});
}

static void sample(uint16_t mode, uint64_t time, uint64_t ip)
{
	mkperf_sample(
		m,
		&(struct mkperf_sample){
			.misc = mode, .pid = PID, .tid = PID, .ip = ip, .time = time, .period = 1});
}

/* The recording comes through a pipe, or is a file at rest; nothing of it is read yet. */
static void start(bool piped)
{
	struct scratch_path path = scratch_join(dir.text, "perf.data");
	struct error err = {0};
	const uint8_t *bytes;
	size_t len;
	int fds[2];

	if (piped) {
		bytes = mkperf_finish(m, &len);
		ck_assert_ptr_nonnull(bytes);
		ck_assert_int_eq(pipe(fds), 0);
		ck_assert_int_eq(write(fds[1], bytes, len), (ssize_t)len);
		close(fds[1]);
		ck_assert_int_ge(dup2(fds[0], STDIN_FILENO), 0);
		close(fds[0]);
	} else {
		ck_assert(mkperf_save(m, path.text));
	}
	file = perffile_open(piped ? "-" : path.text, &err);
	ck_assert_msg(file, "%s", err.text);
	replay = replay_create(&settings, file, &err);
	ck_assert_msg(replay, "%s", err.text);
}

/* The records up to and with the next sample are applied. Returns that, NULL at the end. */
static const struct record *step(void)
{
	const struct record *rec;
	struct error err = {0};
	int rc;

	while ((rc = perffile_next(file, &rec, &err)) > 0) {
		chosen = replay_apply(replay, rec, &err);
		ck_assert_int_ge(chosen, 0);
		if (rec->type == SAMPLE)
			return rec;
	}
	ck_assert_msg(rc == 0, "%s", err.text);
	return NULL;
}

static void finish(void)
{
	struct error err = {0};

	while (step())
		;
	results = replay_finish(replay, &err);
	ck_assert_msg(results, "%s", err.text);
}

static void snapshot(void)
{
	struct error err = {0};

	results = replay_snapshot(replay, &err);
	ck_assert_msg(results, "%s", err.text);
}

/* Row @number of the functions. */
static void check_row(size_t number, const char *function, const char *reason, uint64_t samples)
{
	ck_assert_uint_gt(results->nr_functions, number);
	ck_assert_str_eq(results->functions[number].function, function);
	ck_assert_str_eq(results->functions[number].reason, reason);
	ck_assert_uint_eq(results->functions[number].self.samples, samples);
}

/* ---- snapshots ------------------------------------------------------------------------------- */

/* Two samples in the same function of the kernel. */
static void record_kernel(void)
{
	settings.symbols.kallsyms = kallsyms.text;
	mkperf_mmap(m, NULL,
		    &(struct mkperf_mmap){.misc = KERNEL,
					  .pid = UINT32_MAX,
					  .start = KERNEL_START,
					  .len = 0x1000000,
					  .pgoff = KERNEL_START,
					  .filename = "[kernel.kallsyms]_text"});
	sample(KERNEL, 5, KERNEL_START + 0x110);
	sample(KERNEL, 6, KERNEL_START + 0x120);
}

/* Of the details that a snapshot may have: none, lines, addresses, both. */
START_TEST(what_a_snapshot_took_for_the_kernel_is_forgotten)
{
	if (_i & 1)
		needs_add(&settings.needs, &linestat_lines);
	if (_i & 2)
		needs_add(&settings.needs, &linestat_addresses);
	record_kernel();
	scratch_write(dir.text, "kallsyms",
		      "ffffffff81000000 T _text\nffffffff81000100 T before\n");
	start(false);
	ck_assert_ptr_nonnull(step());
	snapshot();
	check_row(0, "before", "", 1);
	scratch_write(dir.text, "kallsyms", "ffffffff81000000 T _text\nffffffff81000100 T after\n");
	finish();
	check_row(0, "after", "", 2);
	ck_assert_uint_eq(results->nr_functions, 1);
}
END_TEST

/*
 * Builds that a pipe tells of on the way: a snapshot knows them already, but what is mapped later
 * is the same with a snapshot and without.
 */
static void run_past_build_id(const char *name, bool before, bool snapshots)
{
	const struct record *rec;

	mkperf_comm(m, &(struct mkperf_id){.pid = PID, .tid = PID, .time = 1}, EXEC, PID, PID,
		    "program");
	map(1, 0x10000, "/none/program");
	if (before) {
		map(1, 0x20000, name);
		sample(USER, 4, 0x20010);
	}
	mkperf_round(m);
	mkperf_round(m);
	mkperf_build_id(m, USER, -1, (const uint8_t *)"01234567890123456789", 20, name);
	sample(USER, 5, 0x10010);
	map(6, 0x30000, name);
	sample(USER, 7, 0x30010);
	sample(USER, 8, 0x30010);
	start(true);
	while ((rec = step()) && rec->time < 5)
		;
	ck_assert_ptr_nonnull(rec);
	if (snapshots)
		snapshot();
	finish();
}

START_TEST(a_file_in_memory_is_the_same_after_a_snapshot)
{
	run_past_build_id("/memfd:x", false, _i);
	ck_assert_uint_eq(results->nr_functions, 2);
	check_row(0, "[unknown]", "jit-map-missing", 2);
	ck_assert_str_eq(results->functions[0].binary, "/memfd:x");
	check_row(1, "[unknown]", "file-missing", 1);
}
END_TEST

/* Neither the page of the kernel nor a file of a container becomes another binary. */
START_TEST(a_binary_is_the_same_after_a_snapshot)
{
	static const char *const names[] = {"[vdso]", "/none/library"};
	const char *name = names[_i / 2];
	struct given_roots roots = {0};
	const struct address_stat *address;
	struct error err = {0};
	char arg[300];

	snprintf(arg, sizeof(arg), "%d=%s", PID, dir.text);
	ck_assert_int_eq(roots_given_add(&roots, arg, &err), 0);
	settings.roots = &roots;
	needs_add(&settings.needs, &linestat_addresses);
	run_past_build_id(name, true, _i % 2);
	ck_assert_uint_eq(ANSWER_NR(results, linestat_addresses), 2);
	address = &ANSWER_ROWS(
		results, linestat_addresses,
		address_stat)[strcmp(ANSWER_ROWS(results, linestat_addresses, address_stat)[0]
					     .binary,
				     name) != 0];
	ck_assert_str_eq(address->binary, name);
	ck_assert_str_eq(address->build_id, "3031323334353637383930313233343536373839");
	ck_assert_uint_eq(address->self.samples, 3);
	roots_given_free(&roots);
}
END_TEST

/* ---- filters --------------------------------------------------------------------------------- */

static void filter_symbols(const char *list)
{
	struct error err = {0};

	ck_assert_int_eq(filter_add(&filter, "symbol", list, &err), 0);
}

/* Through a pipe, or from a file that such a pipe was written to: build ids come at the end. */
START_TEST(what_a_filter_took_for_the_kernel_is_forgotten)
{
	filter_symbols("before");
	record_kernel();
	mkperf_build_id(m, KERNEL, -1, (const uint8_t *)"01234567890123456789", 20,
			"[kernel.kallsyms]");
	scratch_write(dir.text, "kallsyms",
		      "ffffffff81000000 T _text\nffffffff81000100 T before\n");
	start(_i);
	ck_assert_ptr_nonnull(step());
	ck_assert_int_eq(chosen, 1);
	scratch_write(dir.text, "kallsyms", "ffffffff81000000 T _text\nffffffff81000100 T after\n");
	finish();
	check_row(0, "after", "", 2);
	ck_assert_uint_eq(results->nr_functions, 1);
}
END_TEST

/* ---- code of a JIT compiler that is still at work -------------------------------------------- */

/* Below the directory of the test are the files of the recorded system. */
static void write_map(const char *text)
{
	const struct scratch_path tmp = scratch_join(dir.text, "tmp");

	mkdir(tmp.text, 0755);
	scratch_write(tmp.text, "perf-10.map", text);
}

/* Two samples, in code that is made one after the other. */
static void record_jit(void)
{
	settings.symbols.symfs = dir.text;
	map(1, 0x10000, "//anon");
	sample(USER, 5, 0x10010);
	sample(USER, 6, 0x12010);
}

/* Applies the sample again until it passes: the map is not read anew at every sample. */
static void wait_until_chosen(const struct record *rec)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	struct error err = {0};

	while (!chosen) {
		nanosleep(&moment, NULL);
		chosen = replay_apply(replay, rec, &err);
	}
	ck_assert_int_eq(chosen, 1);
}

/* The map grows, or is not there at first. */
START_TEST(a_filter_finds_code_that_was_made_later)
{
	const struct record *rec;

	filter_symbols("late");
	record_jit();
	if (_i)
		write_map("10000 100 early\n");
	start(true);
	ck_assert_ptr_nonnull(step());
	ck_assert_int_eq(chosen, 0);
	write_map("10000 100 early\n12000 100 late\n");
	rec = step();
	ck_assert_ptr_nonnull(rec);
	wait_until_chosen(rec);
	finish();
	check_row(0, "late", "", 1);
	ck_assert_uint_eq(results->nr_functions, 1);
}
END_TEST

static void load(struct mkjit *dump, uint64_t start, const char *name)
{
	const struct mkjit_code code = {.start = start, .size = 0x100, .name = name};

	mkjit_code(dump, &code);
	mkjit_save(dump, scratch_join(dir.text, "jit-10.dump").text);
}

START_TEST(a_filter_finds_code_that_was_dumped_later)
{
	static struct mkjit dump;
	const struct record *rec;

	filter_symbols("late");
	map(1, 0x1000, scratch_join(dir.text, "jit-10.dump").text);
	record_jit();
	mkjit_header(&dump, PID, 0);
	load(&dump, 0x10000, "early");
	start(true);
	ck_assert_ptr_nonnull(step());
	ck_assert_int_eq(chosen, 0);
	rec = step();
	ck_assert_ptr_nonnull(rec);
	ck_assert_int_eq(chosen, 0);
	load(&dump, 0x12000, "late");
	wait_until_chosen(rec);
	finish();
	check_row(0, "late", "", 1);
	ck_assert_uint_eq(results->nr_functions, 1);
}
END_TEST

/* What happens to the map while the file is read does not matter. */
START_TEST(a_filter_looks_once_where_the_recording_is_at_rest)
{
	filter_symbols("late");
	record_jit();
	write_map("10000 100 early\n");
	start(false);
	ck_assert_ptr_nonnull(step());
	write_map("10000 100 early\n12000 100 late\n");
	finish();
	ck_assert_uint_eq(results->nr_functions, 0);
}
END_TEST

/* With a snapshot in between and without. */
START_TEST(names_at_the_end_are_those_of_the_map_at_the_end)
{
	filter_symbols("early,[[]unknown]");
	record_jit();
	write_map("10000 100 early\n");
	start(true);
	ck_assert_ptr_nonnull(step());
	ck_assert_int_eq(chosen, 1);
	ck_assert_ptr_nonnull(step());
	ck_assert_int_eq(chosen, 1);
	if (_i) {
		snapshot();
		check_row(0, "[unknown]", "outside-symbols", 1);
		check_row(1, "early", "", 1);
	}
	write_map("10000 100 early\n12000 100 late\n");
	finish();
	check_row(0, "early", "", 1);
	check_row(1, "late", "", 1);
	ck_assert_uint_eq(results->nr_functions, 2);
}
END_TEST

/* Row @number of the window, as check_row(). */
static void check_recent(size_t number, const char *function, uint64_t samples)
{
	ck_assert_uint_lt(number, results->window->nr_functions);
	ck_assert_str_eq(results->window->functions[number].function, function);
	ck_assert_uint_eq(results->window->functions[number].self.samples, samples);
}

/* What a window counted before a name was known has the name. */
START_TEST(names_of_a_window_are_those_known_by_now)
{
	settings.window = 1000000000;
	record_jit();
	write_map("10000 100 early\n");
	start(true);
	ck_assert_ptr_nonnull(step());
	ck_assert_ptr_nonnull(step());
	snapshot();
	check_recent(0, "[unknown]", 1);
	check_recent(1, "early", 1);
	ck_assert_uint_eq(results->window->nr_functions, 2);
	write_map("10000 100 early\n12000 100 late\n");
	finish();
	check_recent(0, "early", 1);
	check_recent(1, "late", 1);
	ck_assert_uint_eq(results->window->nr_functions, 2);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("early");
	TCase *tc = tcase_create("early");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, what_a_snapshot_took_for_the_kernel_is_forgotten, 0, 4);
	tcase_add_loop_test(tc, a_file_in_memory_is_the_same_after_a_snapshot, 0, 2);
	tcase_add_loop_test(tc, a_binary_is_the_same_after_a_snapshot, 0, 4);
	tcase_add_loop_test(tc, what_a_filter_took_for_the_kernel_is_forgotten, 0, 2);
	tcase_add_loop_test(tc, a_filter_finds_code_that_was_made_later, 0, 2);
	tcase_add_test(tc, a_filter_finds_code_that_was_dumped_later);
	tcase_add_test(tc, a_filter_looks_once_where_the_recording_is_at_rest);
	tcase_add_loop_test(tc, names_at_the_end_are_those_of_the_map_at_the_end, 0, 2);
	tcase_add_test(tc, names_of_a_window_are_those_known_by_now);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
