/* util/cpuquota.c: how many cores control groups leave to a process, in made-up folders. */
#include "util/cpuquota.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FILES 6

/* A file below the root, and what it holds. */
struct made_file {
	const char *path, *text;
};

struct expected {
	struct made_file files[MAX_FILES];
	size_t cores;
};

#define GROUPS "proc/self/cgroup"
#define V2     "sys/fs/cgroup/"
#define V1     "sys/fs/cgroup/cpu/"

static void make_file(const char *root, const struct made_file *file)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", root, file->path);
	for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	scratch_write(root, file->path, file->text);
}

static void check(const struct expected *expected)
{
	struct scratch_path root = scratch_make();

	for (size_t i = 0; i < MAX_FILES && expected->files[i].path; i++)
		make_file(root.text, &expected->files[i]);
	ck_assert_uint_eq(cpuquota_cores(root.text), expected->cores);
	scratch_remove(root.text);
}

static const struct expected version2[] = {
	{.cores = SIZE_MAX},
	{{{GROUPS, "0::/\n"}}, SIZE_MAX},
	{{{V2 "cpu.max", "300000 100000\n"}}, 3}, /* the group is unknown */
	{{{GROUPS, "0::/\n"}, {V2 "cpu.max", "300000 100000\n"}}, 3},
	{{{GROUPS, "0::/a/b\n"}, {V2 "a/b/cpu.max", "150000 100000\n"}}, 2},
	{{{GROUPS, "0::/a/b\n"}, {V2 "a/b/cpu.max", "1000 100000\n"}}, 1},
	{{{GROUPS, "0::/a/b\n"}, {V2 "a/b/cpu.max", "max 100000\n"}}, SIZE_MAX},
	{{{GROUPS, "0::/a/b\n"}, {V2 "a/b/cpu.max", "100000\n"}}, SIZE_MAX},
	{{{GROUPS, "0::/a/b\n"}, {V2 "a/b/cpu.max", "100000 0\n"}}, SIZE_MAX},
	{{{GROUPS, "0::/a/b\n"}, {V2 "a/b/cpu.max", ""}}, SIZE_MAX},
	{{{GROUPS, "0::/a/b\n"},
	  {V2 "a/b/cpu.max", "max 100000\n"},
	  {V2 "a/cpu.max", "500000 100000\n"}},
	 5},
	{{{GROUPS, "0::/a/b\n"},
	  {V2 "a/b/cpu.max", "400000 100000\n"},
	  {V2 "a/cpu.max", "500000 100000\n"}},
	 4},
	{{{GROUPS, "0::/a/b\n"}, {V2 "a/b/c/cpu.max", "100000 100000\n"}}, SIZE_MAX},
	{{{GROUPS, "0::/not/mounted\n"}, {V2 "cpu.max", "100000 100000\n"}}, 1},
};

START_TEST(of_version_2)
{
	check(&version2[_i]);
}
END_TEST

static const struct expected version1[] = {
	{{{GROUPS, "1:cpu:/a\n"}}, SIZE_MAX},
	{{{GROUPS, "1:cpu:/a\n"},
	  {V1 "a/cpu.cfs_quota_us", "250000\n"},
	  {V1 "a/cpu.cfs_period_us", "100000\n"}},
	 3},
	{{{GROUPS, "1:cpu:/a\n"},
	  {V1 "a/cpu.cfs_quota_us", "1000\n"},
	  {V1 "a/cpu.cfs_period_us", "100000\n"}},
	 1},
	{{{GROUPS, "1:cpu:/a\n"},
	  {V1 "a/cpu.cfs_quota_us", "-1\n"},
	  {V1 "a/cpu.cfs_period_us", "100000\n"}},
	 SIZE_MAX},
	{{{GROUPS, "1:cpu:/a\n"}, {V1 "a/cpu.cfs_quota_us", "100000\n"}}, SIZE_MAX},
	{{{GROUPS, "1:cpu:/a\n"},
	  {V1 "a/cpu.cfs_quota_us", "100000\n"},
	  {V1 "a/cpu.cfs_period_us", "0\n"}},
	 SIZE_MAX},
	{{{GROUPS, "1:cpu:/a\n"},
	  {V1 "a/cpu.cfs_quota_us", "\n"},
	  {V1 "a/cpu.cfs_period_us", "100000\n"}},
	 SIZE_MAX},
	/* of the groups above, the root's, too */
	{{{GROUPS, "1:cpu:/a/b\n"},
	  {V1 "a/b/cpu.cfs_quota_us", "-1\n"},
	  {V1 "a/cpu.cfs_quota_us", "700000\n"},
	  {V1 "a/cpu.cfs_period_us", "100000\n"}},
	 7},
	{{{GROUPS, "1:cpu:/a/b\n"},
	  {V1 "cpu.cfs_quota_us", "100000\n"},
	  {V1 "cpu.cfs_period_us", "50000\n"}},
	 2},
	{{{GROUPS, "1:cpu:/\n"},
	  {V1 "cpu.cfs_quota_us", "100000\n"},
	  {V1 "cpu.cfs_period_us", "50000\n"}},
	 2},
};

START_TEST(of_version_1)
{
	check(&version1[_i]);
}
END_TEST

/* The controller "cpu" is in one of both, whichever lines come first. */
static const struct expected hybrid[] = {
	{{{GROUPS, "4:cpuset:/c\n3:cpuacct,cpu:/a\n2:memory:/m\n0::/u\n"},
	  {V1 "a/cpu.cfs_quota_us", "250000\n"},
	  {V1 "a/cpu.cfs_period_us", "100000\n"},
	  {V2 "u/cpu.max", "100000 100000\n"}},
	 3},
	{{{GROUPS, "0::/u\n3:cpu,cpuacct:/a\n"},
	  {V1 "a/cpu.cfs_quota_us", "250000\n"},
	  {V1 "a/cpu.cfs_period_us", "100000\n"}},
	 3},
	/* a path may hold colons, and the names of controllers */
	{{{GROUPS, "4:cpuset:/x:cpu:/c\n3:name=cpu:/n\n1:cpu:/a:b\n"},
	  {V1 "a:b/cpu.cfs_quota_us", "250000\n"},
	  {V1 "a:b/cpu.cfs_period_us", "100000\n"},
	  {V1 "c/cpu.cfs_quota_us", "100000\n"},
	  {V1 "c/cpu.cfs_period_us", "100000\n"}},
	 3},
	{{{GROUPS, "4:cpuset:/c\n2:memory:/m\n0::/u\n"}, {V2 "u/cpu.max", "100000 100000\n"}}, 1},
	{{{GROUPS, "4\n5:cpu\n\n6:cpu:"}}, SIZE_MAX},
};

START_TEST(of_both_versions)
{
	check(&hybrid[_i]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cpuquota");
	TCase *tcase = tcase_create("quotas");

	tcase_add_loop_test(tcase, of_version_2, 0, sizeof(version2) / sizeof(*version2));
	tcase_add_loop_test(tcase, of_version_1, 0, sizeof(version1) / sizeof(*version1));
	tcase_add_loop_test(tcase, of_both_versions, 0, sizeof(hybrid) / sizeof(*hybrid));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
