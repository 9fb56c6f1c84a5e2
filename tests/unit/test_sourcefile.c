/* Source files: where they are looked for, what is opened, and lines of any kind of text. */
#include "decode/symbol/file/sourcefile.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "util/array.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct scratch_path dir;
static char *here;

static void setup(void)
{
	dir = scratch_make();
	here = realpath(dir.text, NULL);
}

static void teardown(void)
{
	free(here);
	scratch_remove(dir.text);
}

static struct sourcefile read_path(const struct source_dirs *dirs, const char *root,
				   const char *path)
{
	struct sourcefile file;

	ck_assert_int_eq(sourcefile_read(&file, dirs, root, path), 0);
	return file;
}

static void check_line(const struct sourcefile *file, uint32_t number, const char *expected)
{
	size_t len = 0;
	const char *line = sourcefile_line(file, number, &len);

	ck_assert_ptr_nonnull(line);
	ck_assert_uint_eq(len, strlen(expected));
	ck_assert_mem_eq(line, expected, len);
}

/* Reads a file that contains @text. */
static struct sourcefile read_text(const char *text)
{
	scratch_write(dir.text, "x.c", text);
	return read_path(NULL, here, "/x.c");
}

START_TEST(lines_as_they_are)
{
	struct sourcefile file = read_text("one\n\n\tthree \r\n\xff\xfe four");
	size_t len;

	ck_assert_str_eq(file.lack, "");
	ck_assert_uint_eq(file.nr_lines, 4);
	check_line(&file, 1, "one");
	check_line(&file, 2, "");
	check_line(&file, 3, "\tthree ");
	check_line(&file, 4, "\xff\xfe four");
	ck_assert_ptr_null(sourcefile_line(&file, 0, &len));
	ck_assert_ptr_null(sourcefile_line(&file, 5, &len));
	ck_assert_ptr_null(sourcefile_line(&file, UINT32_MAX, &len));
	sourcefile_close(&file);
	file = read_text("");
	ck_assert_str_eq(file.lack, "");
	ck_assert_ptr_null(sourcefile_line(&file, 1, &len));
	sourcefile_close(&file);
}
END_TEST

/* 64 KB without an end: the beginning is taken, and no character is cut. */
START_TEST(a_line_without_end)
{
	char *text = malloc(65537);
	struct sourcefile file;
	size_t len;

	ck_assert_ptr_nonnull(text);
	memset(text, 'L', 65536);
	text[65536] = '\0';
	memcpy(text + SOURCEFILE_LINE_MAX - 1, "\xe2\x82\xac", 3);
	file = read_text(text);
	ck_assert_uint_eq(file.nr_lines, 1);
	ck_assert_ptr_nonnull(sourcefile_line(&file, 1, &len));
	ck_assert_uint_eq(len, SOURCEFILE_LINE_MAX - 1);
	sourcefile_close(&file);
	free(text);
}
END_TEST

START_TEST(what_is_no_source_file)
{
	struct sourcefile file;
	FILE *binary;

	ck_assert_int_eq(mkfifo(scratch_join(dir.text, "fifo").text, 0600), 0);
	ck_assert_int_eq(mkdir(scratch_join(dir.text, "folder").text, 0700), 0);
	binary = fopen(scratch_join(dir.text, "binary").text, "w");
	ck_assert_ptr_nonnull(binary);
	ck_assert_uint_eq(fwrite("a\0b\n", 1, 4, binary), 4);
	fclose(binary);
	scratch_write(dir.text, "large", "");
	ck_assert_int_eq(truncate(scratch_join(dir.text, "large").text, SOURCEFILE_MAX + 1), 0);
	file = read_path(NULL, here, "/fifo");
	ck_assert_str_eq(file.lack, "is not a readable file");
	file = read_path(NULL, here, "/folder");
	ck_assert_str_eq(file.lack, "is not a readable file");
	file = read_path(NULL, NULL, "/dev/zero");
	ck_assert_str_eq(file.lack, "is not a readable file");
	file = read_path(NULL, NULL, "/proc/self/maps");
	ck_assert_str_eq(file.lack, "is not a readable file");
	file = read_path(NULL, here, "/binary");
	ck_assert_str_eq(file.lack, "is not text");
	ck_assert_ptr_null(file.bytes);
	file = read_path(NULL, here, "/large");
	ck_assert_str_eq(file.lack, "cannot be read, or is too large");
	file = read_path(NULL, here, "/none");
	ck_assert_str_eq(file.lack, "is not on this machine");
	file = read_path(NULL, here, "x.c");
	ck_assert_str_eq(file.lack, "is not on this machine");
}
END_TEST

/* Makes DIR/NAME/x.c, which says NAME, and returns DIR/NAME as an option's argument behind @old. */
static const char *moved_to(char argument[512], const char *old, const char *name)
{
	const struct scratch_path to = scratch_join(here, name);

	mkdir(to.text, 0700);
	scratch_write(to.text, "x.c", name);
	snprintf(argument, 512, "%s%s", old, to.text);
	return argument;
}

static void check_found(const struct source_dirs *dirs, const char *path, const char *expected)
{
	struct sourcefile file = read_path(dirs, NULL, path);

	if (expected)
		check_line(&file, 1, expected);
	else
		ck_assert_str_eq(file.lack, "is not on this machine");
	sourcefile_close(&file);
}

START_TEST(trees_that_have_moved)
{
	struct source_dirs dirs = {0};
	char first[512], second[512], all[512], path[600];
	struct error err;

	ck_assert_int_eq(sourcefile_add_dir(&dirs, moved_to(first, "/build/a/=", "a"), &err), 0);
	ck_assert_int_eq(sourcefile_add_dir(&dirs, moved_to(second, ".=", "b"), &err), 0);
	check_found(&dirs, "/build/a/x.c", "a");
	check_found(&dirs, "/build/ab/x.c", NULL);
	check_found(&dirs, "/build/a", NULL);
	check_found(&dirs, "./x.c", "b");
	check_found(&dirs, "x.c", NULL);
	check_found(&dirs, "/build/a/../b/x.c", NULL);
	check_found(&dirs, "/build/a/..", NULL);
	/* Where nothing has moved to, the recorded path counts. */
	snprintf(path, sizeof(path), "%s/b/x.c", here);
	check_found(&dirs, path, "b");
	ck_assert_int_eq(sourcefile_add_dir(&dirs, moved_to(all, "", "c"), &err), 0);
	check_found(&dirs, "x.c", "c");
	check_found(&dirs, "/x.c", "c");
	check_found(&dirs, "/build/a/x.c", "a");
	sourcefile_free_dirs(&dirs);
}
END_TEST

START_TEST(directories_that_are_none)
{
	struct source_dirs dirs = {0};
	struct error err;

	ck_assert_int_eq(sourcefile_add_dir(&dirs, "/old=/nonexistent", &err), -1);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_str_eq(err.text, "option --source-dir: '/nonexistent' is not a directory");
	ck_assert_int_eq(sourcefile_add_dir(&dirs, "/old=", &err), -1);
	ck_assert_uint_eq(dirs.nr, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sourcefile");
	TCase *tcase = tcase_create("source files");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, lines_as_they_are);
	tcase_add_test(tcase, a_line_without_end);
	tcase_add_test(tcase, what_is_no_source_file);
	tcase_add_test(tcase, trees_that_have_moved);
	tcase_add_test(tcase, directories_that_are_none);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
