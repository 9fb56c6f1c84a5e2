/* Which processes have another root, and where their files are found. */
#include "decode/process/roots.h"

#include "decode/process/addrspace.h"
#include "tests/support/machine.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct roots roots;
static struct given_roots given;
static struct error err;

static void setup(void)
{
	ck_assert_int_eq(roots_given_add(&given, "10=/usr", &err), 0);
	ck_assert_int_eq(roots_given_add(&given, "20=/tmp", &err), 0);
	ck_assert(roots_init(&roots, &given));
}

static void teardown(void)
{
	roots_free(&roots);
	roots_given_free(&given);
}

static void fork_process(uint32_t pid, uint32_t ppid)
{
	struct record rec = {.type = RECORD_FORK, .pid = pid, .tid = pid};

	rec.task.ppid = rec.task.ptid = ppid;
	ck_assert(roots_apply(&roots, &rec));
}

static void namespaces(uint32_t pid, uint64_t inode, uint64_t nr)
{
	const uint64_t entries[7][2] = {{1, 11}, {1, 12}, {1, 13}, {1, 14}, {1, 15}, {1, inode}};
	struct record rec = {.type = RECORD_NAMESPACES, .pid = pid, .tid = pid};

	rec.namespaces.nr = nr;
	rec.namespaces.entries = span_make(entries, (size_t)nr * 16, false);
	ck_assert(roots_apply(&roots, &rec));
}

static void check_root(uint32_t pid, const char *dir)
{
	ck_assert_str_eq(roots_dir(&roots, roots_find(&roots, pid)), dir);
}

START_TEST(what_can_be_given)
{
	static const char *const wrong[] = {"",
					    "=/usr",
					    "1",
					    "1=",
					    "x=/usr",
					    "-1=/usr",
					    "1x=/usr",
					    "1=/usr/none",
					    "+1=/usr",
					    " 1=/usr",
					    "99999999999=/usr",
					    "1=/etc/passwd"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		ck_assert_int_eq(roots_given_add(&given, wrong[i], &err), -1);
		ck_assert_int_eq(err.kind, ERROR_USAGE);
	}
	ck_assert_uint_eq(given.nr, 2);
}
END_TEST

START_TEST(children_have_their_parents_root)
{
	check_root(10, "/usr");
	check_root(20, "/tmp");
	check_root(11, "");
	fork_process(11, 10);
	fork_process(12, 11);
	fork_process(30, 1);
	check_root(11, "/usr");
	check_root(12, "/usr");
	check_root(30, "");
	/* The pid is used again, outside. */
	fork_process(12, 1);
	check_root(12, "");
	/* What was given stays. */
	fork_process(20, 10);
	check_root(20, "/tmp");
	/* A thread is no process. */
	fork_process(11, 11);
	check_root(11, "/usr");
	ck_assert_uint_eq(roots_find(NULL, 10), 0);
}
END_TEST

START_TEST(the_namespace_of_a_given_process)
{
	namespaces(50, 777, 7); /* nobody there has a known root yet */
	check_root(50, "");
	namespaces(10, 777, 7);
	namespaces(51, 777, 7);
	check_root(51, "/usr");
	namespaces(52, 778, 7);
	check_root(52, "");
	ck_assert(roots_is_lost(&roots, 52));
	fork_process(55, 52);
	ck_assert(roots_is_lost(&roots, 55));
	ck_assert(!roots_is_lost(&roots, 51));
	namespaces(53, 777, 5); /* an old kernel: no word on mounts */
	check_root(53, "");
	fork_process(54, 51);
	check_root(54, "/usr");
	namespaces(54, 779, 7); /* it went into another one */
	check_root(54, "");
}
END_TEST

START_TEST(our_own_namespace)
{
	struct stat st;

	if (!machine_has_proc())
		return;
	ck_assert_int_eq(stat("/proc/self/ns/mnt", &st), 0);
	namespaces((uint32_t)getpid(), st.st_ino, 7);
	check_root((uint32_t)getpid(), "");
	ck_assert(!roots_is_lost(&roots, (uint32_t)getpid()));
	namespaces(11, st.st_ino, 7);
	check_root(11, "");
	ck_assert_uint_eq(roots.namespaces.by_key.nr, 0);
}
END_TEST

/* Starts a process that sleeps, below the root directory @dir if it is not NULL. */
static pid_t sleeper(const char *dir)
{
	int ready[2];
	pid_t pid;
	char ok;

	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* also if the test fails */
		ok = !dir || chroot(dir) == 0;
		ck_assert_int_eq(write(ready[1], &ok, 1), 1);
		for (;;)
			pause();
	}
	ck_assert_int_eq(read(ready[0], &ok, 1), 1);
	ck_assert(ok);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void check_file(uint32_t pid, const char *path, const char *dir)
{
	ck_assert_str_eq(roots_dir(&roots, roots_find_file(&roots, pid, path)), dir);
}

START_TEST(a_running_process_has_its_own_root)
{
	const uint32_t us = (uint32_t)getpid();
	char dir[32], moved_dir[32];
	pid_t alike, moved;
	struct stat st;

	if (!machine_has_proc())
		return;
	if (geteuid() != 0) {
		machine_lacks("only root may change its root directory");
		return;
	}
	alike = sleeper(NULL);
	moved = sleeper("/tmp");
	ck_assert_int_eq(stat("/proc/self/ns/mnt", &st), 0);
	roots.own_namespace = 1; /* as if we were outside of it */
	snprintf(dir, sizeof(dir), "/proc/%d/root", getpid());
	snprintf(moved_dir, sizeof(moved_dir), "/proc/%d/root", moved);
	namespaces(us, st.st_ino, 7);
	check_root(us, dir);
	/* One directory is one root, of whichever process it is. */
	namespaces((uint32_t)alike, st.st_ino, 7);
	check_root((uint32_t)alike, dir);
	namespaces((uint32_t)moved, st.st_ino, 7);
	check_root((uint32_t)moved, moved_dir);
	/* It has mapped files before it moved. */
	check_file((uint32_t)moved, "/etc/passwd", dir);
	check_file((uint32_t)moved, "/no_file", moved_dir);
	check_file((uint32_t)moved, "/", moved_dir);
	/* A process that is gone has the one that was found last. */
	end(alike);
	namespaces((uint32_t)alike, st.st_ino, 7);
	check_root((uint32_t)alike, moved_dir);
	check_file((uint32_t)alike, "/etc/passwd", dir);
	namespaces(us, st.st_ino, 7);
	check_root(us, dir);
	check_file(us, "/no_file", dir);
	/* What the user gives is the root of the whole namespace. */
	namespaces(10, st.st_ino, 7);
	namespaces((uint32_t)moved, st.st_ino, 7);
	check_root((uint32_t)moved, "/usr");
	end(moved);
}
END_TEST

/* Maps a file with @inode, or with 0 memory of no file. */
static const struct dso *map(struct addrspaces *spaces, struct process_table *processes,
			     uint32_t pid, uint64_t inode)
{
	struct record rec = {.type = RECORD_MMAP2, .pid = pid, .tid = pid, .misc = CPUMODE_USER};
	const uint64_t start = inode ? 0x1000 : 0x5000;

	rec.mmap.start = start;
	rec.mmap.len = 0x1000;
	rec.mmap.filename = inode ? "/bin/x" : "//anon";
	rec.mmap.filename_len = 6;
	rec.mmap.file.ino = inode;
	ck_assert(addrspaces_mmap(spaces, processes, &rec));
	return addrspaces_locate(spaces, process_get(processes, pid), CPUMODE_USER, start).dso;
}

START_TEST(one_path_below_several_roots)
{
	struct mkperf *m = mkperf_new(NULL);
	struct perffile *file;
	struct process_table processes;
	struct addrspaces spaces;
	const struct dso *ours, *first, *second;

	mkperf_event(m, &(struct mkperf_event){.name = "e", .type = 1, .sample_type = 1});
	file = recording_open(m);
	process_table_init(&processes, &(struct process_hooks){0});
	ck_assert(addrspaces_init(&spaces, file, NULL));
	spaces.roots = &roots;
	ours = map(&spaces, &processes, 1, 5);
	first = map(&spaces, &processes, 10, 6);
	second = map(&spaces, &processes, 20, 7);
	ck_assert_ptr_eq(map(&spaces, &processes, 1, 5), ours);
	ck_assert_ptr_eq(map(&spaces, &processes, 10, 6), first);
	ck_assert_ptr_null(ours->root);
	ck_assert_str_eq(first->root, "/usr");
	ck_assert_str_eq(second->root, "/tmp");
	ck_assert(!ours->is_root_given && first->is_root_given && second->is_root_given);
	ck_assert(!roots_is_named(&roots, intern_string(&roots.strings, "/proc/1/root")));
	/* Files of containers are none that came to our path. */
	ck_assert(!ours->replaced && !first->replaced && !second->replaced);
	/* Code of no file has its map below them. */
	fork_process(11, 10);
	ours = map(&spaces, &processes, 1, 0);
	first = map(&spaces, &processes, 10, 0);
	second = map(&spaces, &processes, 11, 0);
	ck_assert_int_eq(ours->kind, DSO_JIT);
	ck_assert(!ours->root && !ours->is_root_given);
	ck_assert_str_eq(first->path, "/tmp/perf-10.map");
	ck_assert_str_eq(first->root, "/usr");
	ck_assert(first->is_root_given);
	ck_assert_str_eq(second->root, "/usr");
	ck_assert(!second->is_root_given); /* it is its parent's */
	process_table_free(&processes);
	addrspaces_free(&spaces);
	perffile_close(file);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("roots");
	TCase *tcase = tcase_create("roots");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, what_can_be_given);
	tcase_add_test(tcase, children_have_their_parents_root);
	tcase_add_test(tcase, the_namespace_of_a_given_process);
	tcase_add_test(tcase, our_own_namespace);
	tcase_add_test(tcase, a_running_process_has_its_own_root);
	tcase_add_test(tcase, one_path_below_several_roots);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
