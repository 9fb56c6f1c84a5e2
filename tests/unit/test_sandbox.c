/* What the program can no longer do once it reads what strangers have made, and what it still can.
 */
#include "main/sandbox.h"
#include "tests/support/machine.h"
#include "tests/support/suite.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <unistd.h>

/* False if there is no sandbox here: nothing to be tested then. */
static bool enter(bool network)
{
	if (sandbox_enter(network))
		return true;
	machine_lacks("there is no sandbox on this machine, or sanitizers are in it");
	return false;
}

START_TEST(no_program_is_started)
{
	char *const args[] = {(char[]){"true"}, NULL};

	if (!enter(_i))
		return;
	ck_assert_int_eq(execv("/bin/true", args), -1);
	ck_assert_int_eq(errno, EPERM);
}
END_TEST

START_TEST(the_network_is_out_of_reach)
{
	const int families[] = {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK};
	int fd;

	if (!enter(false))
		return;
	for (size_t i = 0; i < 4; i++) {
		ck_assert_int_eq(socket(families[i], SOCK_DGRAM, 0), -1);
		ck_assert_int_eq(errno, EPERM);
	}
	fd = open("/dev/null", O_RDONLY);
	ck_assert_int_ge(fd, 0);
	close(fd);
}
END_TEST

START_TEST(the_network_stays_if_it_is_needed)
{
	int fd;

	if (!enter(true))
		return;
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	ck_assert_int_ge(fd, 0);
	close(fd);
}
END_TEST

START_TEST(other_processes_are_out_of_reach)
{
	if (!enter(_i))
		return;
	ck_assert_int_eq(kill(getppid(), 0), -1);
	ck_assert_int_eq(errno, EPERM);
	ck_assert_int_eq(kill(getpid(), 0), 0);
	ck_assert_int_eq(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL), -1);
	ck_assert_int_eq(errno, EPERM);
}
END_TEST

START_TEST(it_can_end_itself_by_a_signal)
{
	enter(false);
	raise(SIGHUP);
}
END_TEST

static void *answer(void *arg)
{
	return arg;
}

START_TEST(threads_and_files_work)
{
	void *result = NULL;
	pthread_t thread;
	FILE *file;

	if (!enter(false))
		return;
	ck_assert_int_eq(pthread_create(&thread, NULL, answer, &file), 0);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_ptr_eq(result, &file);
	file = tmpfile();
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs("text", file), 0);
	ck_assert_int_eq(fclose(file), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sandbox");
	TCase *tcase = tcase_create("sandbox");

	signal(SIGHUP, SIG_DFL); /* whoever runs the tests may ignore it: nohup does */
	tcase_add_loop_test(tcase, no_program_is_started, 0, 2);
	tcase_add_test(tcase, the_network_is_out_of_reach);
	tcase_add_test(tcase, the_network_stays_if_it_is_needed);
	tcase_add_loop_test(tcase, other_processes_are_out_of_reach, 0, 2);
	tcase_add_test_raise_signal(tcase, it_can_end_itself_by_a_signal, SIGHUP);
	tcase_add_test(tcase, threads_and_files_work);
	suite_add_tcase(suite, tcase);
	return suite_run_apart(suite);
}
