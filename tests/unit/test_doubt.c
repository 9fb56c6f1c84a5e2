/* Programs that were changed after they were recorded without a build id: named, with a doubt. */
#include "decode/symbol/find/doubt.h"

#include "decode/replay.h"
#include "tests/support/answers.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum {
	PID = 7,
	RECORDED = 1700000000, /* seconds since 1970 when the recording was written */
	/* What is in the record of the mapping. */
	SAME_INODE = 0,
	OTHER_INODE = 1,
	OTHER_DEVICE = 2,
	NO_INODE = 4,
	BUILD_ID = 8,
};

static struct scratch_path dir;
static char program[4096];
static struct symbol_settings settings;

static void setup(void)
{
	dir = scratch_make();
	toolchain_build(dir.text, "x.c", "int main(void)\n{\n	return 0;\n}\n",
			"gcc " TOOLCHAIN_FIXED " -Wl,--build-id=0x0102030405060708 -o x x.c");
	ck_assert_ptr_nonnull(realpath(scratch_join(dir.text, "x").text, program));
	settings = (struct symbol_settings){.build_id_cache = "/nonexistent",
					    .debug_dir = "/nonexistent"};
}

static void teardown(void)
{
	scratch_remove(dir.text);
}

static void set_time(const char *path, int64_t seconds, long ns)
{
	const struct timespec times[2] = {{seconds, ns}, {seconds, ns}};

	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void put_map(struct mkperf *m, int how)
{
	static const uint8_t id[] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct mkperf_mmap map = {
		.misc = PERF_RECORD_MISC_USER,
		.pid = PID,
		.tid = PID,
		.start = 0x400000,
		.len = 0x10000,
		.filename = program,
		.prot = 5,
		.flags = 2,
	};
	struct stat st;

	ck_assert_int_eq(stat(program, &st), 0);
	if (how & BUILD_ID) {
		map.build_id = id;
		map.build_id_size = sizeof(id);
	} else if (!(how & NO_INODE)) {
		map.maj = major(st.st_dev) + (how & OTHER_DEVICE ? 1 : 0);
		map.min = minor(st.st_dev);
		map.ino = st.st_ino + (how & OTHER_INODE ? 1 : 0);
	}
	mkperf_mmap2(m, NULL, &map);
}

/* A recording, written at RECORDED, of a sample in main() of the program, mapped @how. */
static struct scratch_path record(int how)
{
	const struct scratch_path path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = mkperf_new(NULL);

	mkperf_event(m, &(struct mkperf_event){
				.type = PERF_TYPE_SOFTWARE,
				.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
			});
	put_map(m, how);
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
						 .pid = PID,
						 .tid = PID,
						 .ip = toolchain_address(dir.text, "x", "main")});
	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	set_time(path.text, RECORDED, 500);
	return path;
}

/* What is said of the program when the recording is read; the sample has its name in any case. */
static void check_doubt(int how, const char *word)
{
	const struct filter filter = {0};
	const struct replay_settings replaying = {
		.filter = &filter, .symbols = settings, .needs = {{&binarystat_binaries}, 1}};
	const struct scratch_path path = record(how);
	struct error err = {0};
	struct perffile *file = perffile_open(path.text, &err);
	struct replay *replay = file ? replay_create(&replaying, file, &err) : NULL;
	const struct results *results;
	const struct record *rec;

	ck_assert_msg(replay, "%s", err.text);
	while ((rec = recording_next(file)))
		ck_assert_int_ge(replay_apply(replay, rec, &err), 0);
	results = replay_finish(replay, &err);
	ck_assert_msg(results, "%s", err.text);
	ck_assert_uint_eq(results->nr_functions, 1);
	ck_assert_str_eq(results->functions[0].function, "main");
	ck_assert_uint_eq(ANSWER_NR(results, binarystat_binaries), 1);
	ck_assert_str_eq(ANSWER_ROWS(results, binarystat_binaries, binary_stat)[0].doubt, word);
	ck_assert_int_eq(results->doubted != NULL, *word != 0);
	replay_destroy(replay);
	perffile_close(file);
}

/* To the nanosecond, as both times are those of files. */
START_TEST(a_file_is_newer)
{
	set_time(program, RECORDED, 500);
	check_doubt(SAME_INODE, "");
	set_time(program, RECORDED, 501);
	check_doubt(SAME_INODE, "newer");
	check_doubt(NO_INODE, "newer");
	set_time(program, INT32_MAX, 0);
	check_doubt(OTHER_INODE, "newer");
	set_time(program, 0, 0);
	check_doubt(SAME_INODE, "");
}
END_TEST

START_TEST(a_file_is_another_one)
{
	set_time(program, RECORDED - 1, 0);
	check_doubt(SAME_INODE, "");
	check_doubt(OTHER_INODE, "replaced");
	check_doubt(NO_INODE, "");
	check_doubt(OTHER_INODE | OTHER_DEVICE, "");
}
END_TEST

START_TEST(a_build_id_leaves_no_doubt)
{
	set_time(program, RECORDED + 1, 0);
	check_doubt(BUILD_ID, "");
}
END_TEST

/* Below a directory that the user names there is a copy of what was recorded. */
START_TEST(a_copy_of_the_system_leaves_no_doubt)
{
	set_time(program, RECORDED + 1, 0);
	check_doubt(SAME_INODE, "newer");
	settings.symfs = "/";
	check_doubt(SAME_INODE, "");
}
END_TEST

/* As for a pipe: what was written when is not known of it. */
START_TEST(without_an_end_nothing_is_newer)
{
	const struct dso dso = {.kind = DSO_USER, .path = program};
	const struct file_stamp now = {.seconds = INT32_MAX}, never = {.seconds = INT64_MAX};

	ck_assert_str_eq(doubt_about(&dso, &now, &settings, INT64_MAX).word, "");
	ck_assert_str_eq(doubt_about(&dso, &never, &settings, INT64_MAX).word, "");
	ck_assert_str_eq(doubt_about(&dso, &never, &settings, INT64_MAX - 1).word, "newer");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("doubt");
	TCase *tcase = tcase_create("doubt");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_file_is_newer);
	tcase_add_test(tcase, a_file_is_another_one);
	tcase_add_test(tcase, a_build_id_leaves_no_doubt);
	tcase_add_test(tcase, a_copy_of_the_system_leaves_no_doubt);
	tcase_add_test(tcase, without_an_end_nothing_is_newer);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
