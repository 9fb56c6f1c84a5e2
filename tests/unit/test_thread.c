/* util/thread.c: threads that work for others. */
#include "util/thread.h"

#include "tests/support/onecore.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "util/buserror.h"

#include <check.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* What a thread saw of itself, after @go. */
struct seen {
	pthread_mutex_t go;
	cpu_set_t affinity;
	sigset_t blocked;
	size_t stack; /* bytes */
};

static void *look(void *arg)
{
	struct seen *seen = arg;
	pthread_attr_t attr;

	pthread_mutex_lock(&seen->go);
	pthread_getaffinity_np(pthread_self(), sizeof(seen->affinity), &seen->affinity);
	pthread_sigmask(SIG_SETMASK, NULL, &seen->blocked);
	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstacksize(&attr, &seen->stack);
	pthread_attr_destroy(&attr);
	pthread_mutex_unlock(&seen->go);
	return arg;
}

/* Has a thread look at itself when thread_start() has returned. */
static void start_and_look(struct seen *seen)
{
	pthread_t thread;
	void *result;

	*seen = (struct seen){.go = PTHREAD_MUTEX_INITIALIZER};
	pthread_mutex_lock(&seen->go);
	ck_assert(thread_start(&thread, look, seen));
	pthread_mutex_unlock(&seen->go);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_ptr_eq(result, seen);
}

START_TEST(it_may_use_the_cores_of_its_starter)
{
	cpu_set_t before, one;
	struct seen seen;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
	start_and_look(&seen);
	ck_assert(CPU_EQUAL(&seen.affinity, &before));
	onecore_take();
	ck_assert_int_eq(sched_getaffinity(0, sizeof(one), &one), 0);
	ck_assert_int_eq(CPU_COUNT(&one), 1);
	start_and_look(&seen);
	ck_assert(CPU_EQUAL(&seen.affinity, &one));
	onecore_end(&before);
}
END_TEST

START_TEST(signals_go_to_others)
{
	sigset_t before, after;
	struct seen seen;

	pthread_sigmask(SIG_SETMASK, NULL, &before);
	start_and_look(&seen);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	ck_assert_int_eq(sigismember(&seen.blocked, SIGINT), 1);
	ck_assert_int_eq(sigismember(&seen.blocked, SIGTERM), 1);
	ck_assert_int_eq(sigismember(&seen.blocked, SIGALRM), 1);
	ck_assert_int_eq(sigismember(&after, SIGINT), sigismember(&before, SIGINT));
	ck_assert_int_eq(sigismember(&after, SIGALRM), sigismember(&before, SIGALRM));
}
END_TEST

START_TEST(its_stack_does_not_depend_on_limits)
{
	struct seen seen;
	pthread_attr_t small;

	pthread_attr_init(&small);
	ck_assert_int_eq(pthread_attr_setstacksize(&small, 256 << 10), 0);
	ck_assert_int_eq(pthread_setattr_default_np(&small), 0);
	pthread_attr_destroy(&small);
	start_and_look(&seen);
	ck_assert_uint_ge(seen.stack, (size_t)8 << 20);
}
END_TEST

static void *read_byte(void *arg)
{
	return (void *)(intptr_t)(1 + *(volatile const char *)arg);
}

START_TEST(what_is_cut_off_a_mapped_file_reads_as_zeros)
{
	const struct scratch_path dir = scratch_make();
	const long page = sysconf(_SC_PAGESIZE);
	pthread_t thread;
	void *result;
	char *bytes;
	int fd;

	scratch_write(dir.text, "file", "text\n");
	fd = open(scratch_join(dir.text, "file").text, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 2 * page), 0);
	bytes = mmap(NULL, (size_t)(2 * page), PROT_READ, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(bytes, MAP_FAILED);
	ck_assert_int_eq(ftruncate(fd, 2), 0);
	buserror_catch();
	ck_assert(thread_start(&thread, read_byte, bytes + page));
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_int_eq((intptr_t)result, 1);
	munmap(bytes, (size_t)(2 * page));
	close(fd);
	scratch_remove(dir.text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("thread");
	TCase *tcase = tcase_create("started");

	tcase_add_test(tcase, it_may_use_the_cores_of_its_starter);
	tcase_add_test(tcase, signals_go_to_others);
	tcase_add_test(tcase, its_stack_does_not_depend_on_limits);
	tcase_add_test(tcase, what_is_cut_off_a_mapped_file_reads_as_zeros);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
