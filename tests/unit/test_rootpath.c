/* Paths below a directory that stands for the root: by the kernel's way and by ours. */
#include "decode/symbol/file/rootpath.h"

#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PLAIN = O_RDONLY | O_CLOEXEC };

static struct scratch_path dir, root;

static void setup(void)
{
	dir = scratch_make();
	root = scratch_join(dir.text, "root");
	toolchain_run(dir.text,
		      "mkdir -p root/usr/lib root/loop && echo outside > file && "
		      "echo inside > root/usr/lib/file && echo top > root/file && cd root && "
		      "ln -s usr/lib lib && ln -s /usr/lib abs && ln -s ../../../../file usr/up && "
		      "ln -s /file usr/lib/top && ln -s b loop/a && ln -s a loop/b && "
		      "ln -s ../file out && ln -s lib/../lib/./top chain");
}

static void teardown(void)
{
	scratch_remove(dir.text);
}

/* The file's text, or the errno's name; @walk: by our own way. */
static const char *read_below(const char *path, bool walk, char text[16])
{
	int rootdir = open(root.text, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = walk ? rootpath_walk(rootdir, path, PLAIN) : rootpath_open(root.text, path, PLAIN);
	ssize_t len;

	if (fd < 0) {
		snprintf(text, 16, "%s", strerrorname_np(errno));
	} else {
		len = read(fd, text, 15);
		text[len > 0 ? len : 0] = '\0';
		close(fd);
	}
	close(rootdir);
	return text;
}

static const struct {
	const char *path, *text;
} paths[] = {
	{"/usr/lib/file", "inside\n"},
	{"usr//lib/./file", "inside\n"},
	{"/lib/file", "inside\n"},
	{"/abs/file", "inside\n"},
	{"/usr/lib/../../usr/lib/file", "inside\n"},
	{"/file", "top\n"},
	{"/../../file", "top\n"},
	{"/usr/up", "top\n"},
	{"/out", "top\n"},
	{"/lib/top", "top\n"},
	{"/chain", "top\n"},
	{"/usr/lib/missing", "ENOENT"},
	{"/missing/../file", "ENOENT"},
	{"/file/below", "ENOTDIR"},
	{"/loop/a", "ELOOP"},
};

START_TEST(links_stay_below_the_root)
{
	char text[16];

	ck_assert_str_eq(read_below(paths[_i].path, true, text), paths[_i].text);
	ck_assert_str_eq(read_below(paths[_i].path, false, text), paths[_i].text);
}
END_TEST

START_TEST(a_link_at_the_end_may_be_refused)
{
	const int flags = PLAIN | O_NOFOLLOW;
	int rootdir = open(root.text, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

	ck_assert_int_eq(rootpath_walk(rootdir, "/usr/lib/top", flags), -1);
	ck_assert_int_eq(errno, ELOOP);
	ck_assert_int_eq(rootpath_open(root.text, "/usr/lib/top", flags), -1);
	ck_assert_int_eq(errno, ELOOP);
	fd = rootpath_walk(rootdir, "/lib//file", flags);
	ck_assert_int_ge(fd, 0);
	close(fd);
	fd = rootpath_open(root.text, "/lib//file", flags);
	ck_assert_int_ge(fd, 0);
	close(fd);
	close(rootdir);
}
END_TEST

START_TEST(a_root_that_is_no_directory)
{
	ck_assert_int_eq(rootpath_open(scratch_join(dir.text, "file").text, "/file", PLAIN), -1);
	ck_assert_int_eq(errno, ENOTDIR);
	ck_assert_int_eq(rootpath_open(scratch_join(dir.text, "none").text, "/file", PLAIN), -1);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

START_TEST(a_path_that_is_too_long)
{
	int rootdir = open(root.text, O_PATH | O_DIRECTORY | O_CLOEXEC);
	char path[5000];

	memset(path, 'x', sizeof(path));
	for (size_t i = 0; i < sizeof(path); i += 100)
		path[i] = '/';
	path[sizeof(path) - 1] = '\0';
	ck_assert_int_eq(rootpath_walk(rootdir, path, PLAIN), -1);
	ck_assert_int_eq(errno, ENAMETOOLONG);
	ck_assert_int_eq(rootpath_open(root.text, path, PLAIN), -1);
	ck_assert_int_eq(errno, ENAMETOOLONG);
	close(rootdir);
}
END_TEST

struct renaming {
	struct scratch_path one, other;
	atomic_bool stop;
};

/* Renames a directory to and fro until it is stopped. */
static void *rename_on_and_on(void *arg)
{
	struct renaming *renaming = arg;

	while (!atomic_load(&renaming->stop)) {
		(void)rename(renaming->one.text, renaming->other.text);
		(void)rename(renaming->other.text, renaming->one.text);
	}
	return NULL;
}

/* The kernel gives up then, as it cannot tell whether ".." led out of the root. */
START_TEST(while_others_rename)
{
	enum { TIMES = 5000 };
	struct renaming renaming = {.one = scratch_join(dir.text, "one"),
				    .other = scratch_join(dir.text, "other")};
	pthread_t thread;
	char text[16];

	toolchain_run(dir.text, "mkdir one");
	ck_assert_int_eq(pthread_create(&thread, NULL, rename_on_and_on, &renaming), 0);
	for (size_t i = 0; i < TIMES; i++)
		ck_assert_str_eq(read_below("/usr/lib/../../usr/lib/file", false, text),
				 "inside\n");
	atomic_store(&renaming.stop, true);
	pthread_join(thread, NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rootpath");
	TCase *tcase = tcase_create("below a root");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, links_stay_below_the_root, 0, sizeof(paths) / sizeof(paths[0]));
	tcase_add_test(tcase, a_link_at_the_end_may_be_refused);
	tcase_add_test(tcase, a_root_that_is_no_directory);
	tcase_add_test(tcase, a_path_that_is_too_long);
	tcase_add_test(tcase, while_others_rename);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
