/* The recording's table of build ids, where a path has several. */
#include "decode/process/buildids.h"

#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "tests/writer/mkperf.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The files that are there, and how often that was asked. */
struct files {
	struct {
		const char *root, *path;
		uint8_t id;
	} list[4];
	unsigned nr_asked;
};

static bool has(void *arg, const char *root, const char *path, const struct build_id *id)
{
	struct files *files = arg;

	files->nr_asked++;
	for (size_t i = 0; i < 4 && files->list[i].path; i++)
		if (strcmp(files->list[i].path, path) == 0 &&
		    strcmp(files->list[i].root, root ? root : "") == 0)
			return id->len == 1 && id->bytes[0] == files->list[i].id;
	return false;
}

static void put(struct mkperf *m, uint16_t misc, uint8_t id, const char *path)
{
	mkperf_build_id(m, misc, -1, &id, 1, path);
}

static struct perffile *open_table(void (*fill)(struct mkperf *m))
{
	struct mkperf *m = mkperf_new(NULL);

	mkperf_event(m, &(struct mkperf_event){.type = PERF_TYPE_SOFTWARE,
					       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID});
	fill(m);
	mkperf_sample(m, &(struct mkperf_sample){.ip = 1}); /* without records, it was not closed */
	return recording_open(m);
}

/* The build id of @path, of one byte; 0 if there is none. */
static unsigned find(const struct build_ids *ids, const char *path, bool kernel)
{
	const struct build_id id = build_ids_find(ids, path, kernel);

	ck_assert_uint_le(id.len, 1);
	return id.len ? id.bytes[0] : 0;
}

static void fill_several(struct mkperf *m)
{
	put(m, PERF_RECORD_MISC_USER, 1, "/a");
	put(m, PERF_RECORD_MISC_USER, 2, "/a");
	put(m, PERF_RECORD_MISC_USER, 2, "/a");
	put(m, PERF_RECORD_MISC_USER, 3, "/a");
	put(m, PERF_RECORD_MISC_USER, 4, "/b");
	put(m, PERF_RECORD_MISC_USER, 5, "/b");
	put(m, PERF_RECORD_MISC_USER, 6, "/c");
	put(m, PERF_RECORD_MISC_USER, 7, "[vdso]");
	put(m, PERF_RECORD_MISC_USER, 8, "[vdso]");
	put(m, PERF_RECORD_MISC_KERNEL, 9, "/a");
	put(m, PERF_RECORD_MISC_KERNEL, 10, "/a");
}

START_TEST(the_file_that_is_there_stands)
{
	struct files files = {.list = {{"", "/a", 2}, {"", "/b", 9}, {"", "/c", 9}}};
	const struct build_ids_present present = {has, &files};
	struct perffile *file = open_table(fill_several);
	struct build_ids ids = {.file = file, .present = &present};

	ck_assert(build_ids_update(&ids));
	ck_assert_uint_eq(find(&ids, "/a", false), 2);
	ck_assert_uint_eq(find(&ids, "/b", false), 4); /* it has neither */
	ck_assert_uint_eq(find(&ids, "/c", false), 6);
	ck_assert_uint_eq(find(&ids, "[vdso]", false), 7);
	ck_assert_uint_eq(find(&ids, "/a", true), 9);
	ck_assert_uint_eq(find(&ids, "/d", false), 0);
	/* 1 and 2, 2 for 3; 4 and 5: what has one entry is not looked at. */
	ck_assert_uint_eq(files.nr_asked, 5);
	build_ids_free(&ids);
	perffile_close(file);
}
END_TEST

START_TEST(without_files_the_first_stands)
{
	struct perffile *file = open_table(fill_several);
	struct build_ids ids = {.file = file};

	ck_assert(build_ids_update(&ids));
	ck_assert_uint_eq(find(&ids, "/a", false), 1);
	ck_assert_uint_eq(find(&ids, "/b", false), 4);
	build_ids_free(&ids);
	perffile_close(file);
}
END_TEST

/* Those of a container are found below its root. */
START_TEST(each_root_has_its_own)
{
	struct files files = {.list = {{"", "/a", 2}, {"/r", "/a", 3}, {"/s", "/a", 9}}};
	const struct build_ids_present present = {has, &files};
	struct perffile *file = open_table(fill_several);
	struct build_ids ids = {.file = file, .present = &present};
	static const struct {
		const char *root;
		uint8_t id;
	} roots[] = {{NULL, 2}, {"/r", 3}, {"/s", 2}, {"/t", 2}};

	ck_assert(build_ids_update(&ids));
	for (size_t i = 0; i < 4; i++) {
		struct dso dso = {.kind = DSO_USER, .path = "/a", .root = roots[i].root};

		ck_assert(build_ids_set(&ids, &dso, "/a"));
		ck_assert_uint_eq(dso.build_id_len, 1);
		ck_assert_uint_eq(dso.build_id[0], roots[i].id);
	}
	build_ids_free(&ids);
	perffile_close(file);
}
END_TEST

static void fill_many(struct mkperf *m)
{
	for (unsigned i = 1; i <= 200; i++)
		put(m, PERF_RECORD_MISC_USER, (uint8_t)i, "/a");
}

static void fill_pairs(struct mkperf *m)
{
	char path[32];

	for (unsigned i = 0; i < 5000; i++) {
		snprintf(path, sizeof(path), "/%u", i);
		put(m, PERF_RECORD_MISC_USER, 1, path);
		put(m, PERF_RECORD_MISC_USER, 2, path);
	}
}

/* A hostile table has no end of them. */
START_TEST(no_more_than_some_are_looked_at)
{
	static void (*const fills[])(struct mkperf * m) = {fill_many, fill_pairs};
	static const unsigned asked[] = {2 * 15, 2 * 4096};
	struct files files = {.nr_asked = 0};
	const struct build_ids_present present = {has, &files};
	struct perffile *file = open_table(fills[_i]);
	struct build_ids ids = {.file = file, .present = &present};

	ck_assert(build_ids_update(&ids));
	ck_assert_uint_eq(files.nr_asked, asked[_i]);
	build_ids_free(&ids);
	perffile_close(file);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("buildids");
	TCase *tcase = tcase_create("buildids");

	tcase_add_test(tcase, the_file_that_is_there_stands);
	tcase_add_test(tcase, without_files_the_first_stands);
	tcase_add_test(tcase, each_root_has_its_own);
	tcase_add_loop_test(tcase, no_more_than_some_are_looked_at, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
