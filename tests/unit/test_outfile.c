/* Output files: whole or not at all, whatever stands in the final place. */
#include "util/outfile.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Set: as on a file system without nameless files, or without /proc. */
static bool hidden_names;

/* Stands in for the C library's: outfile.c asks it whether a descriptor has a path. */
int access(const char *path, int mode)
{
	if (hidden_names && strncmp(path, "/proc/self/fd/", 14) == 0) {
		errno = ENOENT;
		return -1;
	}
	return faccessat(AT_FDCWD, path, mode, 0);
}

/* Set: as on a file system whose files cannot change places. */
static bool no_exchange;

/* Stands in for the C library's. */
int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	if (no_exchange && flags) {
		errno = EINVAL;
		return -1;
	}
	return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

/* Whether a file without a name can be made in @dirfd and given one later: not without /proc. */
static bool nameless_work(int dirfd)
{
	int fd = openat(dirfd, ".", O_TMPFILE | O_WRONLY, 0600);
	char path[32];
	bool named;

	if (fd < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	named = access(path, F_OK) == 0;
	close(fd);
	return named;
}

/* The ways in which each test runs: with hidden names (without nameless files both are the same),
 * with a thread that writes, and where files cannot change places. */
enum { WAY_HIDDEN = 1, WAY_BEHIND = 2, WAY_NO_EXCHANGE = 4, NR_WAYS = 8 };

/* Opens the file in one of the ways. */
static struct outfile *create(int dirfd, const struct scratch_path *dir, const char *name, int way)
{
	struct error err = {0};
	struct outfile *file;

	hidden_names = way & WAY_HIDDEN;
	no_exchange = way & WAY_NO_EXCHANGE;
	file = outfile_create(dirfd, dir->text, name, &err);
	ck_assert_msg(file, "%s", err.text);
	if (way & WAY_BEHIND)
		outfile_write_behind(file);
	ck_assert_uint_eq(scratch_entries(dir->text), !nameless_work(dirfd));
	return file;
}

static int open_dir(const struct scratch_path *dir)
{
	struct error err = {0};
	int fd = outfile_open_dir(dir->text, &err);

	ck_assert_msg(fd >= 0, "%s", err.text);
	return fd;
}

static void check_content(const char *dir, const char *name, const char *expected)
{
	char *text = scratch_read(dir, name);

	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(appears_when_published)
{
	struct scratch_path dir = scratch_make();
	int fd = open_dir(&dir);
	struct outfile *file = create(fd, &dir, "a.csv", _i);
	struct error err;
	struct stat st;
	mode_t mask = umask(022);

	outfile_append(file, "one\n", 4);
	ck_assert_ptr_null(scratch_read(dir.text, "a.csv"));
	ck_assert_int_eq(outfile_finish(file, &err), 0);
	ck_assert_ptr_null(scratch_read(dir.text, "a.csv"));
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	ck_assert_int_eq(outfile_publish(file, &err), 0);
	outfile_close(file);
	check_content(dir.text, "a.csv", "one\n");
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	ck_assert_int_eq(stat(scratch_join(dir.text, "a.csv").text, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0666 & ~mask);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(abandoned_leaves_nothing)
{
	struct scratch_path dir = scratch_make();
	int fd = open_dir(&dir);
	struct outfile *early, *late;
	struct error err;

	early = create(fd, &dir, "a.csv", _i);
	outfile_append(early, "one\n", 4);
	outfile_close(early);
	ck_assert_uint_eq(scratch_entries(dir.text), 0);
	late = create(fd, &dir, "a.csv", _i);
	ck_assert_int_eq(outfile_finish(late, &err), 0);
	outfile_close(late);
	ck_assert_uint_eq(scratch_entries(dir.text), 0);
	outfile_close(NULL);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

static void publish(int fd, const struct scratch_path *dir, const char *text, int way)
{
	struct error err = {0};
	struct outfile *file;

	hidden_names = way & WAY_HIDDEN;
	no_exchange = way & WAY_NO_EXCHANGE;
	file = outfile_create(fd, dir->text, "a.csv", &err);
	ck_assert_msg(file, "%s", err.text);
	outfile_append(file, text, strlen(text));
	ck_assert_int_eq(outfile_finish(file, &err), 0);
	ck_assert_int_eq(outfile_publish(file, &err), 0);
	outfile_close(file);
}

START_TEST(replaces_an_old_file)
{
	struct scratch_path dir = scratch_make();
	int fd = open_dir(&dir);

	scratch_write(dir.text, "a.csv", "an older and longer table\n");
	publish(fd, &dir, "new\n", _i);
	check_content(dir.text, "a.csv", "new\n");
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

static void check_mode(const struct scratch_path *path, mode_t expected)
{
	struct stat st;

	ck_assert_int_eq(stat(path->text, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, expected);
}

/* Who may read a table is not the business of its next version; the mode counts at its end. */
START_TEST(keeps_the_mode_of_the_old_file)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "a.csv");
	int fd = open_dir(&dir);
	struct error err = {0};
	struct outfile *file;

	scratch_write(dir.text, "a.csv", "old\n");
	ck_assert_int_eq(chmod(path.text, 04600), 0);
	publish(fd, &dir, "new\n", _i);
	check_mode(&path, 0600);
	file = outfile_create(fd, dir.text, "a.csv", &err);
	ck_assert_msg(file, "%s", err.text);
	ck_assert_int_eq(chmod(path.text, 0640), 0);
	ck_assert_int_eq(outfile_grow(file, &err), 0);
	check_mode(&path, 0640);
	ck_assert_int_eq(chmod(path.text, 0440), 0);
	ck_assert_int_eq(outfile_finish(file, &err), 0);
	ck_assert_int_eq(outfile_publish(file, &err), 0);
	outfile_close(file);
	check_mode(&path, 0440);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(replaces_a_link_and_does_not_follow_it)
{
	struct scratch_path dir = scratch_make(), link = scratch_join(dir.text, "a.csv");
	int fd = open_dir(&dir);
	struct stat st;

	scratch_write(dir.text, "precious", "precious\n");
	ck_assert_int_eq(symlink("precious", link.text), 0);
	publish(fd, &dir, "new\n", _i);
	check_content(dir.text, "precious", "precious\n");
	check_content(dir.text, "a.csv", "new\n");
	ck_assert_int_eq(lstat(link.text, &st), 0);
	ck_assert(S_ISREG(st.st_mode));
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(hidden_names_that_are_taken_are_left_alone)
{
	struct scratch_path dir = scratch_make();
	int fd = open_dir(&dir);
	char name[64];

	scratch_write(dir.text, "precious", "precious\n");
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), ".a.csv.%ld-%d", (long)getpid(), i);
		ck_assert_int_eq(symlink("precious", scratch_join(dir.text, name).text), 0);
	}
	publish(fd, &dir, "new\n", _i);
	check_content(dir.text, "precious", "precious\n");
	check_content(dir.text, "a.csv", "new\n");
	ck_assert_uint_eq(scratch_entries(dir.text), 4);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(all_bytes_arrive_whatever_the_sizes)
{
	static const size_t sizes[] = {1, OUTFILE_BUFFER - 1,	 OUTFILE_BUFFER, OUTFILE_BUFFER + 1,
				       7, 3 * OUTFILE_BUFFER + 5};
	struct scratch_path dir = scratch_make();
	int fd = open_dir(&dir);
	struct outfile *file = create(fd, &dir, "a.csv", _i);
	char *bytes = malloc(4 * OUTFILE_BUFFER), *text;
	size_t total = 0, at = 0;
	struct error err;

	for (size_t i = 0; i < 4 * OUTFILE_BUFFER; i++)
		bytes[i] = (char)('a' + i % 26);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		outfile_append(file, bytes, sizes[i]);
		total += sizes[i];
	}
	ck_assert_int_eq(outfile_finish(file, &err), 0);
	ck_assert_int_eq(outfile_publish(file, &err), 0);
	outfile_close(file);
	text = scratch_read(dir.text, "a.csv");
	ck_assert_uint_eq(strlen(text), total);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		ck_assert_int_eq(memcmp(text + at, bytes, sizes[i]), 0);
		at += sizes[i];
	}
	free(text);
	free(bytes);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

static void append_row(struct outfile *file, const char *row)
{
	outfile_append(file, row, strlen(row));
	outfile_mark(file);
}

/* Only what was marked as whole can be seen, and it is the same file from the first time on. */
START_TEST(grows_by_what_is_whole)
{
	struct scratch_path dir = scratch_make();
	int fd = open_dir(&dir);
	struct outfile *file = create(fd, &dir, "a.csv", _i);
	struct error err = {0};
	struct stat first, last;

	scratch_write(dir.text, "a.csv", "old\n");
	append_row(file, "one\n");
	outfile_append(file, "tw", 2);
	check_content(dir.text, "a.csv", "old\n");
	ck_assert_int_eq(outfile_grow(file, &err), 0);
	check_content(dir.text, "a.csv", "one\n");
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	ck_assert(outfile_vanishes(file));
	ck_assert_int_eq(stat(scratch_join(dir.text, "a.csv").text, &first), 0);
	append_row(file, "o\n");
	append_row(file, "three\n");
	check_content(dir.text, "a.csv", "one\n");
	ck_assert_int_eq(outfile_grow(file, &err), 0);
	check_content(dir.text, "a.csv", "one\ntwo\nthree\n");
	append_row(file, "four\n");
	ck_assert_int_eq(outfile_finish(file, &err), 0);
	ck_assert_int_eq(outfile_publish(file, &err), 0);
	outfile_close(file);
	check_content(dir.text, "a.csv", "one\ntwo\nthree\nfour\n");
	ck_assert_int_eq(stat(scratch_join(dir.text, "a.csv").text, &last), 0);
	ck_assert_uint_eq(first.st_ino, last.st_ino);
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

/* Who takes a growing file away has what it was; in its place there is soon all of it again. */
START_TEST(a_growing_file_that_is_moved_comes_again)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "a.csv");
	struct scratch_path moved = scratch_join(dir.text, "moved");
	int fd = open_dir(&dir);
	struct outfile *file = create(fd, &dir, "a.csv", _i);
	struct error err = {0};

	append_row(file, "one\n");
	ck_assert_int_eq(outfile_grow(file, &err), 0);
	ck_assert_int_eq(chmod(path.text, 0600), 0);
	ck_assert_int_eq(rename(path.text, moved.text), 0);
	append_row(file, "two\n");
	ck_assert_int_eq(outfile_grow(file, &err), 0);
	check_content(dir.text, "moved", "one\n");
	check_content(dir.text, "a.csv", "one\ntwo\n");
	check_mode(&path, 0600);
	ck_assert_int_eq(unlink(path.text), 0);
	append_row(file, "three\n");
	ck_assert_int_eq(outfile_grow(file, &err), 0);
	check_content(dir.text, "a.csv", "one\ntwo\nthree\n");
	ck_assert_int_eq(rename(moved.text, path.text), 0);
	append_row(file, "four\n");
	ck_assert_int_eq(outfile_finish(file, &err), 0);
	ck_assert_int_eq(outfile_publish(file, &err), 0);
	outfile_close(file);
	check_content(dir.text, "a.csv", "one\ntwo\nthree\nfour\n");
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

/* What does not fit into the buffer is written up to the last whole row. */
START_TEST(a_growing_file_ends_with_a_whole_row)
{
	enum { ROW = 1000, ROWS = 3 * OUTFILE_BUFFER / ROW };
	struct scratch_path dir = scratch_make();
	int fd = open_dir(&dir);
	struct outfile *file = create(fd, &dir, "a.csv", _i);
	struct error err = {0};
	char row[ROW];
	struct stat st;

	memset(row, 'x', sizeof(row));
	ck_assert_int_eq(outfile_grow(file, &err), 0);
	for (unsigned i = 0; i < ROWS; i++) {
		outfile_append(file, row, 400);
		outfile_append(file, row, ROW - 400);
		outfile_mark(file);
		ck_assert_int_eq(stat(scratch_join(dir.text, "a.csv").text, &st), 0);
		ck_assert_int_eq(st.st_size % ROW, 0);
		ck_assert_int_le((long)(i * ROW) - st.st_size, (long)OUTFILE_BUFFER);
	}
	ck_assert_int_eq(outfile_finish(file, &err), 0);
	ck_assert_int_eq(stat(scratch_join(dir.text, "a.csv").text, &st), 0);
	ck_assert_int_eq(st.st_size, ROW * ROWS);
	outfile_close(file);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

/* A row that the buffer cannot hold is written nevertheless. */
START_TEST(a_row_may_be_longer_than_the_buffer)
{
	struct scratch_path dir = scratch_make();
	int fd = open_dir(&dir);
	struct outfile *file = create(fd, &dir, "a.csv", 0);
	char *bytes = calloc(1, 3 * OUTFILE_BUFFER);
	struct error err = {0};
	struct stat st;

	ck_assert_int_eq(outfile_grow(file, &err), 0);
	outfile_append(file, "1", 1);
	outfile_append(file, bytes, 3 * OUTFILE_BUFFER);
	outfile_mark(file);
	ck_assert_int_eq(outfile_finish(file, &err), 0);
	ck_assert_int_eq(stat(scratch_join(dir.text, "a.csv").text, &st), 0);
	ck_assert_int_eq(st.st_size, 3 * OUTFILE_BUFFER + 1);
	outfile_close(file);
	free(bytes);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

/* Stands for the full disk: the system refuses the bytes behind the limit. */
static void limit_file_size(rlim_t bytes)
{
	struct rlimit limit;

	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

START_TEST(refused_bytes_are_an_error_and_the_old_file_stays)
{
	struct scratch_path dir = scratch_make();
	int fd = open_dir(&dir);
	char *bytes = calloc(1, 2 * OUTFILE_BUFFER), expected[512];
	struct error err = {0};
	struct outfile *file;

	scratch_write(dir.text, "a.csv", "old\n");
	hidden_names = _i & WAY_HIDDEN;
	file = outfile_create(fd, dir.text, "a.csv", &err);
	if (_i & WAY_BEHIND)
		outfile_write_behind(file);
	signal(SIGXFSZ, SIG_IGN);
	limit_file_size(1000);
	outfile_append(file, bytes, 2 * OUTFILE_BUFFER);
	outfile_append(file, bytes, 10);
	ck_assert_int_eq(outfile_check(file, &err), -1);
	ck_assert_int_eq(outfile_finish(file, &err), -1);
	limit_file_size(RLIM_INFINITY);
	snprintf(expected, sizeof(expected), "%s/a.csv: cannot be written: File too large",
		 dir.text);
	ck_assert_str_eq(err.text, expected);
	ck_assert_int_eq(err.kind, ERROR_IO);
	outfile_close(file);
	check_content(dir.text, "a.csv", "old\n");
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	free(bytes);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

/* What was to be written could not be made: the reason is kept, and the old file too. */
START_TEST(contents_that_cannot_be_made_are_an_error)
{
	struct scratch_path dir = scratch_make();
	int dirfd = open_dir(&dir);
	struct outfile *file = create(dirfd, &dir, "out.csv", _i);
	const struct error why = {.kind = ERROR_IO,
				  .text = "/tmp: cannot read a temporary file: No luck"};
	struct error err = {0};

	outfile_append(file, "half", 4);
	ck_assert_int_eq(outfile_check(file, &err), 0);
	outfile_fail(file, &why);
	ck_assert_int_eq(outfile_check(file, NULL), -1);
	ck_assert_int_eq(outfile_finish(file, &err), -1);
	ck_assert_int_eq(err.kind, ERROR_IO);
	ck_assert_str_eq(err.text, why.text);
	outfile_close(file);
	ck_assert_uint_eq(scratch_entries(dir.text), 0);
	close(dirfd);
	scratch_remove(dir.text);
}
END_TEST

/* A growing file is cut back to the rows that were whole before. */
START_TEST(refused_bytes_leave_whole_rows)
{
	struct scratch_path dir = scratch_make();
	int fd = open_dir(&dir);
	struct outfile *file = create(fd, &dir, "a.csv", _i);
	struct error err = {0};

	append_row(file, "one\n");
	ck_assert_int_eq(outfile_grow(file, &err), 0);
	append_row(file, "two\n");
	append_row(file, "three\n");
	signal(SIGXFSZ, SIG_IGN);
	limit_file_size(10);
	ck_assert_int_eq(outfile_grow(file, &err), -1);
	limit_file_size(RLIM_INFINITY);
	append_row(file, "four\n");
	ck_assert_int_eq(outfile_finish(file, &err), -1);
	outfile_close(file);
	check_content(dir.text, "a.csv", "one\n");
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(a_directory_in_the_final_place_is_refused_at_once)
{
	struct scratch_path dir = scratch_make();
	int fd = open_dir(&dir);
	char expected[512];
	struct error err;

	ck_assert_int_eq(mkdir(scratch_join(dir.text, "a.csv").text, 0777), 0);
	ck_assert_ptr_null(outfile_create(fd, dir.text, "a.csv", &err));
	snprintf(expected, sizeof(expected), "%s/a.csv: cannot be replaced: Is a directory",
		 dir.text);
	ck_assert_str_eq(err.text, expected);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(a_directory_that_comes_late_stays)
{
	struct scratch_path dir = scratch_make(), late = scratch_join(dir.text, "a.csv");
	int fd = open_dir(&dir);
	struct outfile *file = create(fd, &dir, "a.csv", _i);
	char expected[512];
	struct error err;

	ck_assert_int_eq(mkdir(late.text, 0777), 0);
	scratch_write(late.text, "precious", "precious\n");
	ck_assert_int_eq(outfile_finish(file, &err), 0);
	ck_assert_int_eq(outfile_publish(file, &err), -1);
	snprintf(expected, sizeof(expected),
		 "%s/a.csv: cannot be renamed into place: Is a directory", dir.text);
	ck_assert_str_eq(err.text, expected);
	outfile_close(file);
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	check_content(late.text, "precious", "precious\n");
	close(fd);
	scratch_remove(late.text);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(missing_directories_are_made)
{
	struct scratch_path dir = scratch_make(), deep = scratch_join(dir.text, "x//y/z/");
	int fd = open_dir(&deep);

	publish(fd, &deep, "new\n", 0);
	close(fd);
	check_content(dir.text, "x/y/z/a.csv", "new\n");
	fd = open_dir(&deep);
	ck_assert_int_ge(fd, 0);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(a_file_is_no_directory)
{
	struct scratch_path dir = scratch_make(), file = scratch_join(dir.text, "file");
	struct scratch_path below = scratch_join(file.text, "below");
	char expected[512];
	struct error err;

	scratch_write(dir.text, "file", "");
	ck_assert_int_eq(outfile_open_dir(file.text, &err), -1);
	snprintf(expected, sizeof(expected),
		 "%s: cannot be used as the output directory: Not a directory", file.text);
	ck_assert_str_eq(err.text, expected);
	ck_assert_int_eq(outfile_open_dir(below.text, &err), -1);
	ck_assert_int_eq(outfile_open_dir("", &err), -1);
	ck_assert_int_eq(err.kind, ERROR_IO);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(the_path_in_messages_is_the_users)
{
	struct scratch_path dir = scratch_make();
	struct outfile *file;
	struct error err;
	int fd = open_dir(&dir);

	file = outfile_create(fd, ".", "a.csv", &err);
	ck_assert_str_eq(file->path, "a.csv");
	outfile_close(file);
	file = outfile_create(fd, "out/", "a.csv", &err);
	ck_assert_str_eq(file->path, "out/a.csv");
	outfile_close(file);
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

/* A stream gets what is appended, needs no directory, and stays open. */
START_TEST(a_stream_has_no_place)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "stream");
	int fd = open(path.text, O_WRONLY | O_CREAT, 0600);
	struct error err = {0};
	struct outfile *file = outfile_stream(fd, "standard output", &err);
	char *text;

	ck_assert_msg(file, "%s", err.text);
	outfile_string(file, "one\n");
	ck_assert_int_eq(outfile_finish(file, &err), 0);
	ck_assert_int_eq(outfile_publish(file, &err), 0);
	outfile_close(file);
	ck_assert_int_eq(write(fd, "two\n", 4), 4);
	close(fd);
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	text = scratch_read(dir.text, "stream");
	ck_assert_str_eq(text, "one\ntwo\n");
	free(text);
	scratch_remove(dir.text);
}
END_TEST

/* A child that ends with 0 if it reads @len bytes 'x' from the pipe @fd, which @writer fills. */
static pid_t start_reader(int fd, int writer, size_t len)
{
	pid_t pid = fork();
	char bytes[4096];
	ssize_t n;

	ck_assert_int_ge(pid, 0);
	if (pid > 0)
		return pid;
	close(writer);
	while ((n = read(fd, bytes, sizeof(bytes))) > 0) {
		for (ssize_t i = 0; i < n; i++)
			if (bytes[i] != 'x')
				_exit(1);
		len -= (size_t)n;
	}
	_exit(n < 0 || len != 0);
}

/* A descriptor that does not wait for its reader is waited for: a pipe holds 64 KiB. */
START_TEST(a_stream_may_be_non_blocking)
{
	const size_t len = 3 * OUTFILE_BUFFER + 5;
	char *bytes = malloc(len);
	struct error err = {0};
	struct outfile *file;
	int fds[2], status;
	pid_t reader;

	memset(bytes, 'x', len);
	ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
	ck_assert_int_eq(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
	file = outfile_stream(fds[1], "standard output", &err);
	close(fds[1]);
	ck_assert_msg(file, "%s", err.text);
	reader = start_reader(fds[0], file->fd, len);
	if (_i)
		outfile_write_behind(file);
	outfile_append(file, bytes, len);
	ck_assert_msg(outfile_finish(file, &err) == 0, "%s", err.text);
	outfile_close(file);
	ck_assert_int_eq(waitpid(reader, &status, 0), reader);
	ck_assert_int_eq(status, 0);
	close(fds[0]);
	free(bytes);
}
END_TEST

START_TEST(a_stream_that_takes_nothing_is_an_error)
{
	int fd = open("/dev/null", O_RDONLY); /* not for writing */
	struct error err = {0};
	struct outfile *file = outfile_stream(fd, "standard output", &err);

	ck_assert_msg(file, "%s", err.text);
	outfile_string(file, "one\n");
	ck_assert_int_eq(outfile_finish(file, &err), -1);
	ck_assert_str_eq(err.text, "standard output: cannot be written: Bad file descriptor");
	outfile_close(file);
	close(fd);
	ck_assert_ptr_null(outfile_stream(-1, "standard output", &err));
	ck_assert_str_eq(err.text, "standard output: cannot be written: Bad file descriptor");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("outfile");
	TCase *tcase = tcase_create("outfile");

	umask(022);
	tcase_add_loop_test(tcase, appears_when_published, 0, NR_WAYS);
	tcase_add_loop_test(tcase, abandoned_leaves_nothing, 0, NR_WAYS);
	tcase_add_loop_test(tcase, replaces_an_old_file, 0, NR_WAYS);
	tcase_add_loop_test(tcase, keeps_the_mode_of_the_old_file, 0, NR_WAYS);
	tcase_add_loop_test(tcase, replaces_a_link_and_does_not_follow_it, 0, NR_WAYS);
	tcase_add_loop_test(tcase, hidden_names_that_are_taken_are_left_alone, 0, NR_WAYS);
	tcase_add_loop_test(tcase, all_bytes_arrive_whatever_the_sizes, 0, NR_WAYS);
	tcase_add_loop_test(tcase, refused_bytes_are_an_error_and_the_old_file_stays, 0, NR_WAYS);
	tcase_add_loop_test(tcase, contents_that_cannot_be_made_are_an_error, 0, NR_WAYS);
	tcase_add_loop_test(tcase, grows_by_what_is_whole, 0, NR_WAYS);
	tcase_add_loop_test(tcase, a_growing_file_that_is_moved_comes_again, 0, NR_WAYS);
	tcase_add_loop_test(tcase, a_growing_file_ends_with_a_whole_row, 0, NR_WAYS);
	tcase_add_test(tcase, a_row_may_be_longer_than_the_buffer);
	tcase_add_loop_test(tcase, refused_bytes_leave_whole_rows, 0, NR_WAYS);
	tcase_add_loop_test(tcase, a_directory_that_comes_late_stays, 0, NR_WAYS);
	tcase_add_test(tcase, a_directory_in_the_final_place_is_refused_at_once);
	tcase_add_test(tcase, missing_directories_are_made);
	tcase_add_test(tcase, a_file_is_no_directory);
	tcase_add_test(tcase, the_path_in_messages_is_the_users);
	tcase_add_test(tcase, a_stream_has_no_place);
	tcase_add_loop_test(tcase, a_stream_may_be_non_blocking, 0, 2);
	tcase_add_test(tcase, a_stream_that_takes_nothing_is_an_error);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
