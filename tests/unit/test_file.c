/* Files whose names a recording chose: what is opened, what is not, and what changes meanwhile. */
#include "decode/symbol/file/file.h"

#include "tests/support/machine.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "util/buserror.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static struct scratch_path dir;

static void setup(void)
{
	dir = scratch_make();
	scratch_write(dir.text, "file", "text\n");
}

static void teardown(void)
{
	scratch_remove(dir.text);
}

/* Opens DIR/@name by the path or, with @in_root, as /@name in the root DIR; closes it again. */
static enum file_status try_open(const char *name, bool in_root)
{
	enum file_status status;
	int fd;

	if (in_root)
		status = file_open_in(dir.text, name, &fd);
	else
		status = file_open_in(NULL, scratch_join(dir.text, name).text, &fd);
	ck_assert_int_eq(status == FILE_OPEN, fd >= 0);
	if (fd >= 0)
		close(fd);
	return status;
}

static void make_socket(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	ck_assert_uint_lt(strlen(path), sizeof(address.sun_path));
	strcpy(address.sun_path, path);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

START_TEST(only_regular_files)
{
	const bool in_root = _i;

	ck_assert_int_eq(mkfifo(scratch_join(dir.text, "fifo").text, 0600), 0);
	ck_assert_int_eq(mkdir(scratch_join(dir.text, "dir").text, 0700), 0);
	make_socket(scratch_join(dir.text, "socket").text);
	ck_assert_int_eq(symlink("file", scratch_join(dir.text, "link").text), 0);
	ck_assert_int_eq(symlink("fifo", scratch_join(dir.text, "to-fifo").text), 0);
	ck_assert_int_eq(symlink("loop", scratch_join(dir.text, "loop").text), 0);
	ck_assert_int_eq(try_open("file", in_root), FILE_OPEN);
	ck_assert_int_eq(try_open("link", in_root), FILE_OPEN);
	ck_assert_int_eq(try_open("dir/../file", in_root), FILE_OPEN);
	ck_assert_int_eq(try_open("fifo", in_root), FILE_UNREADABLE);
	ck_assert_int_eq(try_open("to-fifo", in_root), FILE_UNREADABLE);
	ck_assert_int_eq(try_open("socket", in_root), FILE_UNREADABLE);
	ck_assert_int_eq(try_open("loop", in_root), FILE_UNREADABLE);
	ck_assert_int_eq(try_open("dir", in_root), FILE_DIRECTORY);
	ck_assert_int_eq(try_open("none", in_root), FILE_MISSING);
	ck_assert_int_eq(try_open("file/below", in_root), FILE_MISSING);
}
END_TEST

/* A recorded path may have a part that is longer than any here may be. */
START_TEST(what_has_too_long_a_name_is_missing)
{
	char name[1000];
	int fd;

	memset(name, 'x', sizeof(name));
	name[0] = '/';
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(file_open_in(NULL, name, &fd), FILE_MISSING);
	ck_assert_int_eq(file_open_in(dir.text, name, &fd), FILE_MISSING);
}
END_TEST

/* Check's own files stay open. */
START_TEST(a_file_that_cannot_be_opened_now_is_not_unreadable)
{
	struct rlimit limit, none;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = (struct rlimit){0, limit.rlim_max};
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	ck_assert_int_eq(try_open("file", _i), FILE_NO_DESCRIPTOR);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert_int_eq(try_open("file", _i), FILE_OPEN);
}
END_TEST

/* Opening alone has some devices do something; a FIFO tells whether it was opened. */
START_TEST(what_is_no_file_is_not_opened)
{
	const struct scratch_path fifo = scratch_join(dir.text, "fifo");
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	char event[sizeof(struct inotify_event) + 256];

	ck_assert_int_eq(mkfifo(fifo.text, 0600), 0);
	ck_assert_int_ge(inotify_add_watch(watch, fifo.text, IN_OPEN), 0);
	ck_assert_int_eq(try_open("fifo", false), FILE_UNREADABLE);
	ck_assert_int_eq(try_open("fifo", true), FILE_UNREADABLE);
	ck_assert_int_lt(read(watch, event, sizeof(event)), 0);
	close(open(fifo.text, O_RDONLY | O_NONBLOCK));
	ck_assert_int_gt(read(watch, event, sizeof(event)), 0);
	close(watch);
}
END_TEST

/* Files that the kernel makes up are read by their own paths, never for a recording. */
START_TEST(what_is_not_stored_is_not_opened)
{
	enum file_status status;
	size_t size;
	char *text;
	int fd;

	if (!machine_has_proc())
		return;
	ck_assert_int_eq(file_open_in(NULL, "/proc/self/status", &fd), FILE_UNREADABLE);
	ck_assert_int_eq(fd, -1);
	ck_assert_int_eq(file_open_in("/proc/self", "status", &fd), FILE_UNREADABLE);
	text = file_read("/proc/self/status", 1 << 20, &size, &status);
	ck_assert_ptr_nonnull(text);
	free(text);
}
END_TEST

/* Of what says that it is larger than may be read nothing is read: a hole would take hours. */
START_TEST(what_is_too_large_is_not_begun)
{
	enum { LIMIT = 1 << 20 };
	enum file_status status;
	size_t size = 0;
	char *bytes;
	int fd;

	ck_assert_int_eq(file_open_in(dir.text, "file", &fd), FILE_OPEN);
	ck_assert_int_eq(truncate(scratch_join(dir.text, "file").text, LIMIT + _i), 0);
	bytes = file_read_rest(fd, LIMIT, &size, &status);
	ck_assert_int_eq(status, _i ? FILE_UNREADABLE : FILE_OPEN);
	ck_assert_int_eq(bytes != NULL, _i == 0);
	ck_assert_uint_eq(size, _i ? 0 : LIMIT);
	ck_assert_int_eq(lseek(fd, 0, SEEK_CUR), _i ? 0 : LIMIT);
	free(bytes);
	close(fd);
}
END_TEST

START_TEST(a_link_out_of_the_root_stays_in_it)
{
	ck_assert_int_eq(mkdir(scratch_join(dir.text, "root").text, 0700), 0);
	ck_assert_int_eq(symlink("../file", scratch_join(dir.text, "root/out").text), 0);
	ck_assert_int_eq(try_open("root/out", false), FILE_OPEN);
	dir = scratch_join(dir.text, "root");
	ck_assert_int_eq(try_open("out", true), FILE_MISSING);
	ck_assert_int_eq(try_open("../../file", true), FILE_MISSING);
	scratch_write(dir.text, "file", "within\n");
	ck_assert_int_eq(try_open("out", true), FILE_OPEN);
	*strrchr(dir.text, '/') = '\0';
}
END_TEST

/* Whether file_read_own() of DIR/@name gives text. */
static bool reads_own(const char *path)
{
	enum file_status status;
	size_t size;
	char *text = file_read_own(NULL, path, 100, &size, &status);

	free(text);
	return text != NULL;
}

START_TEST(own_files_are_no_links)
{
	ck_assert_int_eq(symlink("file", scratch_join(dir.text, "link").text), 0);
	ck_assert(reads_own(scratch_join(dir.text, "file").text));
	ck_assert(!reads_own(scratch_join(dir.text, "link").text));
}
END_TEST

/* A process in a root of its own, where /tmp is a link to /inner. It waits until @leave is closed.
 */
static pid_t start_in_root(int *leave)
{
	int ready[2], wait_for[2];
	char byte = 0;
	pid_t pid;

	ck_assert_int_eq(pipe(ready), 0);
	ck_assert_int_eq(pipe(wait_for), 0);
	pid = fork();
	if (pid == 0) {
		close(wait_for[1]);
		byte = chroot(scratch_join(dir.text, "root").text) == 0;
		if (write(ready[1], &byte, 1) == 1 && read(wait_for[0], &byte, 1) == 0)
			_exit(0);
		_exit(1);
	}
	close(wait_for[0]);
	*leave = wait_for[1];
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	if (byte)
		return pid;
	close(*leave);
	waitpid(pid, NULL, 0);
	return -1;
}

/* The links of another process's root mean what they mean there. */
START_TEST(links_in_the_root_of_a_process)
{
	char path[128];
	int leave;
	pid_t pid;

	if (!machine_has_proc())
		return;
	ck_assert_int_eq(mkdir(scratch_join(dir.text, "root").text, 0700), 0);
	ck_assert_int_eq(mkdir(scratch_join(dir.text, "root/inner").text, 0700), 0);
	ck_assert_int_eq(symlink("/inner", scratch_join(dir.text, "root/tmp").text), 0);
	scratch_write(dir.text, "root/inner/perf-7.map", "1000 10 name\n");
	pid = start_in_root(&leave);
	if (pid < 0) {
		machine_lacks("chroot() is not allowed");
		return;
	}
	snprintf(path, sizeof(path), "/proc/%d/root/tmp/perf-7.map", (int)pid);
	ck_assert(reads_own(path));
	snprintf(path, sizeof(path), "/proc/%d/root/tmp/perf-8.map", (int)pid);
	ck_assert(!reads_own(path));
	close(leave);
	waitpid(pid, NULL, 0);
}
END_TEST

/* ---- files that change ----------------------------------------------------------------------- */

START_TEST(a_written_file_has_changed)
{
	const struct scratch_path path = scratch_join(dir.text, "file");
	const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
	int fd = open(path.text, O_RDWR | O_CLOEXEC);
	struct file_stamp stamp;

	ck_assert_int_eq(futimens(fd, old), 0);
	stamp = file_stamp_of(fd);
	ck_assert_uint_eq(stamp.size, 5);
	ck_assert(!file_has_changed(NULL, path.text, &stamp));
	ck_assert(!file_has_changed(dir.text, "/file", &stamp));
	ck_assert_int_eq(write(fd, "T", 1), 1);
	ck_assert(file_has_changed(NULL, path.text, &stamp));
	ck_assert(file_has_changed(dir.text, "/file", &stamp));
	ck_assert_int_eq(futimens(fd, old), 0);
	ck_assert(!file_has_changed(NULL, path.text, &stamp));
	ck_assert_int_eq(ftruncate(fd, 4), 0);
	ck_assert_int_eq(futimens(fd, old), 0);
	ck_assert(file_has_changed(NULL, path.text, &stamp));
	close(fd);
}
END_TEST

/* What was opened is still the same. */
START_TEST(a_replaced_file_has_not_changed)
{
	const struct scratch_path path = scratch_join(dir.text, "file");
	int fd = open(path.text, O_RDONLY | O_CLOEXEC);
	struct file_stamp stamp = file_stamp_of(fd);

	scratch_write(dir.text, "new", "something else\n");
	ck_assert_int_eq(rename(scratch_join(dir.text, "new").text, path.text), 0);
	ck_assert(!file_has_changed(NULL, path.text, &stamp));
	ck_assert_int_eq(unlink(path.text), 0);
	ck_assert(!file_has_changed(NULL, path.text, &stamp));
	close(fd);
}
END_TEST

START_TEST(what_is_cut_off_a_mapped_file_reads_as_zeros)
{
	const struct scratch_path path = scratch_join(dir.text, "file");
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct file_bytes file;
	volatile const char *bytes;

	ck_assert_int_eq(truncate(path.text, (off_t)(3 * page)), 0);
	ck_assert_int_eq(file_map_own(NULL, path.text, &file), FILE_OPEN);
	ck_assert_uint_eq(file.size, 3 * page);
	buserror_catch();
	ck_assert_int_eq(truncate(path.text, 2), 0);
	bytes = file.bytes;
	ck_assert_int_eq(bytes[1], 'e');
	ck_assert_int_eq(bytes[2], '\0');
	ck_assert_int_eq(bytes[page], '\0');
	ck_assert_int_eq(bytes[3 * page - 1], '\0');
	file_unmap(&file);
}
END_TEST

START_TEST(another_sigbus_ends_the_program)
{
	buserror_catch();
	raise(SIGBUS); /* si_code is SI_TKILL: no file has been cut */
	raise(SIGBUS);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("file");
	TCase *opening = tcase_create("opening"), *changing = tcase_create("changing");

	tcase_add_checked_fixture(opening, setup, teardown);
	tcase_add_loop_test(opening, only_regular_files, 0, 2);
	tcase_add_test(opening, what_has_too_long_a_name_is_missing);
	tcase_add_loop_test(opening, a_file_that_cannot_be_opened_now_is_not_unreadable, 0, 2);
	tcase_add_test(opening, what_is_no_file_is_not_opened);
	tcase_add_test(opening, what_is_not_stored_is_not_opened);
	tcase_add_test(opening, a_link_out_of_the_root_stays_in_it);
	tcase_add_test(opening, own_files_are_no_links);
	tcase_add_test(opening, links_in_the_root_of_a_process);
	tcase_add_loop_test(opening, what_is_too_large_is_not_begun, 0, 2);
	suite_add_tcase(suite, opening);
	tcase_add_checked_fixture(changing, setup, teardown);
	tcase_add_test(changing, a_written_file_has_changed);
	tcase_add_test(changing, a_replaced_file_has_not_changed);
	tcase_add_test(changing, what_is_cut_off_a_mapped_file_reads_as_zeros);
	tcase_add_test_raise_signal(changing, another_sigbus_ends_the_program, SIGBUS);
	suite_add_tcase(suite, changing);
	return suite_run_apart(suite);
}
