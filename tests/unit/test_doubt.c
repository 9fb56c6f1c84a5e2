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
	/* In the recording's table, as of the file at the path. */
	TABLE_ID = 16,
	/* A mapping of yet another file, before, and a sample in it. */
	SECOND_FILE = 32,
	/* In the table before TABLE_ID: of another file at that path, in a container. */
	FOREIGN_ID = 64,
};

static const uint8_t program_id[] = {1, 2, 3, 4, 5, 6, 7, 8}, foreign_id[] = {9, 9};

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
		map.build_id = program_id;
		map.build_id_size = sizeof(program_id);
	} else if (!(how & NO_INODE)) {
		map.maj = major(st.st_dev) + (how & OTHER_DEVICE ? 1 : 0);
		map.min = minor(st.st_dev);
		map.ino = st.st_ino + (how & OTHER_INODE ? 1 : 0) + (how & SECOND_FILE ? 1 : 0);
	}
	mkperf_mmap2(m, NULL, &map);
}

static void put_sample(struct mkperf *m)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
						 .pid = PID,
						 .tid = PID,
						 .ip = toolchain_address(dir.text, "x", "main")});
}

/* A recording, written at @written, of a sample in main() of the program, mapped @how. */
static struct scratch_path record(int how, int64_t written)
{
	const struct scratch_path path = scratch_join(dir.text, "perf.data");
	struct mkperf *m = mkperf_new(NULL);

	mkperf_event(m, &(struct mkperf_event){
				.type = PERF_TYPE_SOFTWARE,
				.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
			});
	if (how & FOREIGN_ID)
		mkperf_build_id(m, PERF_RECORD_MISC_USER, -1, foreign_id, sizeof(foreign_id),
				program);
	if (how & TABLE_ID)
		mkperf_build_id(m, PERF_RECORD_MISC_USER, -1, program_id, sizeof(program_id),
				program);
	if (how & SECOND_FILE) {
		put_map(m, how);
		put_sample(m);
	}
	put_map(m, how & ~SECOND_FILE);
	put_sample(m);
	ck_assert(mkperf_save(m, path.text));
	mkperf_free(m);
	set_time(path.text, written, 500);
	return path;
}

/* The sample that was mapped last has its name in any case. */
static void check_name(const struct results *results, int how)
{
	const size_t nr = how & SECOND_FILE ? 2 : 1;

	ck_assert_uint_eq(results->nr_functions, nr);
	ck_assert_str_eq(results->functions[0].function, nr == 2 ? "[unknown]" : "main");
	ck_assert_str_eq(results->functions[nr - 1].function, "main");
}

/* What is said of the program when the recording of @written is read. */
static void check_doubt_at(int how, int64_t written, const char *word)
{
	const struct filter filter = {0};
	const struct replay_settings replaying = {
		.filter = &filter, .symbols = settings, .needs = {{&binarystat_binaries}, 1}};
	const struct scratch_path path = record(how, written);
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
	check_name(results, how);
	ck_assert_uint_eq(ANSWER_NR(results, binarystat_binaries), 1);
	ck_assert_str_eq(ANSWER_ROWS(results, binarystat_binaries, binary_stat)[0].doubt, word);
	ck_assert_int_eq(results->doubted != NULL, *word != 0);
	replay_destroy(replay);
	perffile_close(file);
}

static void check_doubt(int how, const char *word)
{
	check_doubt_at(how, RECORDED, word);
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

/* Which perf reads from the path when it ends: from another file than the one in a container. */
START_TEST(a_build_id_of_the_path_may_be_of_another_file)
{
	check_doubt_at(SAME_INODE | TABLE_ID, INT32_MAX, "");
	check_doubt_at(OTHER_INODE | TABLE_ID, INT32_MAX, "replaced");
	check_doubt_at(OTHER_INODE | OTHER_DEVICE | TABLE_ID, INT32_MAX, "");
	check_doubt_at(NO_INODE | TABLE_ID, INT32_MAX, "");
	/* The file came after the recording: its build is that of the one before it. */
	check_doubt_at(OTHER_INODE | TABLE_ID, RECORDED, "");
}
END_TEST

START_TEST(of_several_build_ids_the_file_s_own_counts)
{
	check_doubt_at(SAME_INODE | TABLE_ID | FOREIGN_ID, INT32_MAX, "");
	check_doubt_at(NO_INODE | TABLE_ID | FOREIGN_ID, INT32_MAX, "");
	check_doubt_at(OTHER_INODE | TABLE_ID | FOREIGN_ID, INT32_MAX, "replaced");
}
END_TEST

/* They share a row of binaries.csv. */
START_TEST(a_doubt_stays_beside_another_file)
{
	set_time(program, RECORDED - 1, 0);
	check_doubt(OTHER_INODE | SECOND_FILE, "replaced");
	check_doubt(SAME_INODE | SECOND_FILE, "");
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
	tcase_add_test(tcase, a_build_id_of_the_path_may_be_of_another_file);
	tcase_add_test(tcase, of_several_build_ids_the_file_s_own_counts);
	tcase_add_test(tcase, a_doubt_stays_beside_another_file);
	tcase_add_test(tcase, a_copy_of_the_system_leaves_no_doubt);
	tcase_add_test(tcase, without_an_end_nothing_is_newer);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
