/* Rows of lives while they go on: made again and again, nothing is lost and nothing counts twice.
 */
#include "decode/answer/processstat.h"
#include "decode/process/lifecycle.h"
#include "decode/results/processrows.h"

#include "tests/support/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { ROUNDS = 40, PIDS = 7, EVENTS = 3 };

static struct process_table table;
static struct processstat stat;
static struct error err;

static bool retire(void *arg, struct process *process, struct thread *thread)
{
	return processstat_retire(arg, process, thread, &err) == 0;
}

static void start(size_t budget)
{
	err = (struct error){0};
	process_table_init(&table, &(struct process_hooks){.retire = retire, .arg = &stat});
	ck_assert(processstat_init(&stat, &table.strings, true, budget));
}

static void stop(void)
{
	process_table_free(&table);
	processstat_free(&stat);
}

static void count(uint32_t pid, uint32_t tid, size_t event, uint64_t period)
{
	struct thread *thread = process_thread_of_sample(&table, pid, tid);
	struct tally *tally = thread ? tallies_at(&thread->tallies, (uint32_t)event) : NULL;

	ck_assert_ptr_nonnull(tally);
	tally_add(tally, 1, period);
}

/* A life of a process with two threads, each of which has two samples. */
static void live(unsigned number)
{
	uint32_t pid = 10 + number % PIDS;
	uint64_t time = table.now = 100 * (number + 1);

	ck_assert(lifecycle_fork(&table, &(struct fork_task){pid, 1, pid, 1, time, false}));
	ck_assert(lifecycle_fork(&table,
				 &(struct fork_task){pid, pid, 1000 + number, pid, time, false}));
	for (unsigned i = 0; i < 2; i++) {
		count(pid, pid, number % EVENTS, 1);
		count(pid, 1000 + number, i, 10);
	}
	table.now = time + 50;
	if (number % 2 == 0)
		ck_assert(lifecycle_exit(&table, pid, 1000 + number, table.now));
	if (number % 4 == 0)
		ck_assert(lifecycle_exit(&table, pid, pid, table.now));
}

/* After @lives lives: a row each, with all that they have counted. */
static void check_rows(unsigned lives)
{
	struct row_source processes = processstat_processes(&stat);
	struct row_source threads = processstat_threads(&stat);
	uint64_t samples = 0, periods = 0, nr = 0;
	struct process_stat process;
	struct thread_stat thread;

	ck_assert_msg(processstat_make(&stat, &table, EVENTS, &err) == 0, "%s", err.text);
	ck_assert_int_eq(processes.start(processes.arg, &err), 0);
	for (; processes.next(processes.arg, &process, &err) > 0; nr++) {
		ck_assert_uint_eq(process.threads, 2);
		for (unsigned i = 0; i < EVENTS; i++) {
			samples += process.by_event[i].samples;
			periods += process.by_event[i].period;
		}
	}
	ck_assert_uint_eq(nr, lives);
	ck_assert_uint_eq(samples, 4 * (uint64_t)lives);
	ck_assert_uint_eq(periods, 22 * (uint64_t)lives);
	ck_assert_int_eq(threads.start(threads.arg, &err), 0);
	for (nr = 0; threads.next(threads.arg, &thread, &err) > 0; nr++) {
		for (unsigned i = 0; i < EVENTS; i++)
			samples -= thread.by_event[i].samples;
	}
	ck_assert_uint_eq(nr, 2 * lives);
	ck_assert_uint_eq(samples, 0);
}

static const size_t budgets[] = {0, 1, 1000};

START_TEST(rows_so_far_and_then_more)
{
	start(budgets[_i]);
	for (unsigned i = 0; i < ROUNDS; i++) {
		live(i);
		check_rows(i + 1);
		check_rows(i + 1);
	}
	stop();
}
END_TEST

/* A row that cannot be kept stops the work: the table would be wrong. */
START_TEST(no_room_for_a_row)
{
	const struct rlimit limit = {0, 0};
	bool ok = true;

	start(1);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setenv("TMPDIR", "/tmp", 1), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (uint64_t time = 1; time < 10 && ok; time++)
		ok = lifecycle_fork(&table, &(struct fork_task){7, 1, 7, 1, time, false});
	ck_assert(!ok);
	ck_assert_str_eq(err.text, "/tmp: cannot write a temporary file there: File too large");
	stop();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("processstat");
	TCase *tcase = tcase_create("processstat");

	tcase_add_loop_test(tcase, rows_so_far_and_then_more, 0, 3);
	tcase_add_test(tcase, no_room_for_a_row);
	suite_add_tcase(suite, tcase);
	return suite_run_apart(suite);
}
