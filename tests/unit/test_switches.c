/* When threads run and wait: what leaving, waking and coming count, and what is not known counts
 * nowhere. */
#include "decode/process/switches.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>

static struct process_table table;
static struct switches switches;

static void setup(void)
{
	process_table_init(&table, &(struct process_hooks){0});
	switches = (struct switches){.processes = &table};
}

static void teardown(void)
{
	switches_free(&switches);
	process_table_free(&table);
}

enum { PID = 40 };

/* Thread @tid of the process 40 leaves at call path @path. */
static struct switch_out out_of(uint32_t tid, uint64_t time, uint32_t path)
{
	return (struct switch_out){
		.place = {.pid = PID, .path = path, .has_state = true, .state = 1},
		.time = time,
		.number = tid,
		.tid = tid,
		.chosen = true,
	};
}

static void leave(uint32_t tid, uint64_t time, uint32_t path)
{
	const struct switch_out out = out_of(tid, time, path);

	ck_assert_ptr_nonnull(process_thread_of_sample(&table, PID, tid));
	ck_assert(switches_leave(&switches, &out));
}

static void preempt(uint32_t tid, uint64_t time, uint32_t path)
{
	struct switch_out out = out_of(tid, time, path);

	out.preempted = true;
	out.place.state = 0;
	ck_assert_ptr_nonnull(process_thread_of_sample(&table, PID, tid));
	ck_assert(switches_leave(&switches, &out));
}

static void enter(uint32_t tid, uint64_t time)
{
	ck_assert(switches_enter(&switches, tid, time, false));
}

static void wake(uint32_t tid, uint64_t time)
{
	ck_assert(switches_wake(&switches, tid, time));
}

static void expect_times(uint32_t tid, uint64_t on, uint64_t off, uint64_t delay,
			 uint64_t nr_switches, uint64_t preemptions)
{
	const struct thread *thread = process_thread_find(&table, PID, tid);

	ck_assert_ptr_nonnull(thread);
	ck_assert_ptr_nonnull(thread->switched);
	ck_assert_uint_eq(thread->switched->on, on);
	ck_assert_uint_eq(thread->switched->off, off);
	ck_assert_uint_eq(thread->switched->delay, delay);
	ck_assert_uint_eq(thread->switched->switches, nr_switches);
	ck_assert_uint_eq(thread->switched->preemptions, preemptions);
}

/* The sums of all places with @path. */
static struct wait_sum sum_at(uint32_t path)
{
	struct wait_sum sum = {0};

	for (size_t i = 0; i < switches.waits.index.nr; i++)
		if (switches.waits.list[i].place.path == path)
			wait_sum_add(&sum, &switches.waits.list[i].sum);
	return sum;
}

static void expect_waits(uint32_t path, uint64_t wait, uint64_t delay, uint64_t preempted,
			 uint64_t count, uint64_t max)
{
	const struct wait_sum sum = sum_at(path);

	ck_assert_uint_eq(sum.wait, wait);
	ck_assert_uint_eq(sum.delay, delay);
	ck_assert_uint_eq(sum.preempt, preempted);
	ck_assert_uint_eq(sum.count, count);
	ck_assert_uint_eq(sum.max, max);
}

static void expect_gaps(uint64_t begins, uint64_t ends, uint64_t lost, uint64_t missed,
			uint64_t backwards)
{
	const struct switch_gaps gaps = switches_gaps(&switches);

	ck_assert_uint_eq(gaps.begins, begins);
	ck_assert_uint_eq(gaps.ends, ends);
	ck_assert_uint_eq(gaps.lost, lost);
	ck_assert_uint_eq(gaps.missed, missed);
	ck_assert_uint_eq(gaps.backwards, backwards);
}

START_TEST(a_wait_has_parts)
{
	enter(7, 100);
	leave(7, 130, 5);
	wake(7, 190);
	wake(7, 195); /* sched_wakeup after sched_waking */
	enter(7, 200);
	preempt(7, 203, 6);
	wake(7, 204); /* it is not asleep */
	enter(7, 210);
	leave(7, 211, 5); /* not woken by a record */
	enter(7, 221);
	expect_times(7, 30 + 3 + 1, 60 + 10, 10 + 7, 3, 1);
	expect_waits(5, 70, 10, 0, 2, 70);
	expect_waits(6, 0, 0, 7, 1, 7);
	expect_gaps(1, 0, 0, 0, 0);
}
END_TEST

/* Woken before it was seen to leave: the delay is known, where it had left is not. */
START_TEST(the_first_delay_counts)
{
	wake(7, 100);
	enter(7, 104);
	leave(7, 110, 5);
	expect_times(7, 6, 0, 4, 1, 0);
	expect_waits(WAIT_NO_PATH, 0, 4, 0, 0, 0); /* its wait is a missing begin */
	expect_waits(5, 0, 0, 0, 0, 0);
	expect_gaps(1, 1, 0, 0, 0);
}
END_TEST

START_TEST(a_new_thread_has_no_open_begin)
{
	ck_assert(switches_fork(&switches, PID, 7, true));
	wake(7, 100);
	enter(7, 104);
	ck_assert(switches_fork(&switches, PID, 8, false)); /* perf record found it */
	enter(8, 100);
	expect_gaps(1, 0, 0, 0, 0);
	leave(7, 110, 5);
	expect_waits(WAIT_NO_PATH, 0, 4, 0, 1, 4);
	expect_gaps(1, 1, 0, 0, 0);
}
END_TEST

/* The records of a thread that has exited have no ids: those from before count. */
START_TEST(the_last_run_counts_and_the_thread_is_gone)
{
	struct switch_out out = out_of(7, 150, 5);

	ck_assert_ptr_nonnull(process_thread_of_sample(&table, PID, 7));
	ck_assert(switches_fork(&switches, PID, 7, true));
	enter(7, 100);
	out.tid = out.place.pid = PID_NONE;
	out.dead = true;
	ck_assert(switches_leave(&switches, &out));
	expect_times(7, 50, 0, 0, 1, 0);
	ck_assert_uint_eq(switches.threads.nr, 0);
	expect_gaps(0, 0, 0, 0, 0);
}
END_TEST

START_TEST(a_number_that_is_used_again)
{
	leave(7, 100, 5);
	ck_assert(switches_fork(&switches, PID, 7, true));
	enter(7, 200);
	expect_waits(5, 0, 0, 0, 0, 0);
	leave(7, 230, 5);
	switches_exit(&switches, 7);
	enter(7, 240);
	leave(7, 250, 5); /* as SWITCH records tell it: after EXIT */
	ck_assert_uint_eq(switches.threads.nr, 0);
	expect_waits(5, 10, 0, 0, 1, 10);
}
END_TEST

START_TEST(lost_records_end_what_was_known)
{
	enter(7, 100);
	leave(8, 100, 5);
	switches_lose(&switches);
	leave(7, 150, 5);
	enter(8, 160);
	expect_times(7, 0, 0, 0, 1, 0);
	expect_waits(5, 0, 0, 0, 0, 0);
	expect_gaps(1, 1, 2, 0, 0);
	enter(7, 155);
	leave(8, 170, 5);
	expect_times(8, 10, 0, 0, 2, 0);
	expect_waits(5, 5, 0, 0, 1, 5);
}
END_TEST

/* Times that go back count nowhere, and what follows counts again. */
START_TEST(time_that_goes_back)
{
	enter(7, 100);
	leave(7, 90, 5);
	enter(7, 80);
	leave(7, 85, 5);
	wake(7, 84); /* before it was away: as soon as it was */
	enter(7, 90);
	leave(7, 95, 5);
	expect_times(7, 5 + 5, 0, 5, 3, 0);
	expect_waits(5, 0, 5, 0, 1, 5);
	expect_gaps(1, 1, 0, 0, 2);
}
END_TEST

START_TEST(switches_that_are_missing)
{
	enter(7, 100);
	enter(7, 120); /* it must have left */
	leave(7, 130, 5);
	leave(7, 150, 5); /* it must have come */
	enter(7, 151);
	expect_times(7, 10, 1, 0, 2, 0);
	expect_waits(5, 1, 0, 0, 1, 1);
	expect_gaps(1, 0, 0, 2, 0);
}
END_TEST

static void change(uint32_t cpu, uint32_t prev, uint32_t next, uint64_t time)
{
	const struct switch_out out = out_of(prev, time, 5);

	ck_assert_ptr_nonnull(process_thread_of_sample(&table, PID, prev));
	ck_assert(switches_switch(&switches, &out, cpu, next));
}

/* Another thread leaves the CPU than the one that came to it. */
START_TEST(two_threads_on_a_cpu)
{
	change(3, 0, 7, 100);
	change(3, 8, 9, 150);
	change(3, 9, 7, 160);
	change(4, 0, 8, 170);
	change(3, 7, 0, 190);
	expect_times(7, 30, 0, 0, 1, 0);
	expect_times(9, 10, 0, 0, 1, 0);
	expect_waits(5, 20, 0, 0, 1, 20);
	expect_gaps(3, 2, 0, 1, 0);
	ck_assert_ptr_null(process_thread_find(&table, PID, 0)->switched);
}
END_TEST

/* With two events for sched_switch each switch is told twice; without the switches of the idle
 * thread, the same one comes again. */
START_TEST(the_same_switch_again)
{
	struct switch_out out = out_of(7, 100, 5);

	ck_assert_ptr_nonnull(process_thread_of_sample(&table, PID, 7));
	change(3, 0, 7, 90);
	ck_assert(switches_switch(&switches, &out, 3, 8));
	out.place.event = 1;
	out.time = 101;
	ck_assert(switches_switch(&switches, &out, 3, 8));
	expect_times(7, 10, 0, 0, 1, 0);
	expect_gaps(1, 1, 0, 0, 0);
	change(4, 9, 0, 110);
	change(4, 9, 0, 120);
	expect_times(9, 0, 0, 0, 2, 0);
	expect_gaps(1, 2, 0, 1, 0);
}
END_TEST

/* Samples of one process tell which thread of another one comes, but not that it leaves. */
START_TEST(threads_of_other_processes)
{
	ck_assert_ptr_nonnull(process_thread_of_sample(&table, PID, 7));
	ck_assert(switches_fork(&switches, PID, 7, true));
	for (uint64_t time = 100; time < 200; time += 20) {
		change(3, 7, 8, time);
		enter(7, time + 10); /* by a SWITCH record */
	}
	expect_gaps(0, 0, 0, 0, 0);
	change(3, 8, 0, 300); /* it is one of the recording, after all */
	expect_gaps(5, 1, 0, 4, 0);
}
END_TEST

/* A SWITCH record behind the sample of sched_switch, and one that tells what no sample does. */
START_TEST(records_that_repeat_samples)
{
	struct switch_out again = out_of(7, 131, WAIT_NO_PATH);

	again.again = true;
	ck_assert(switches_leave(&switches, &again)); /* a thread that has exited */
	ck_assert_uint_eq(switches.threads.nr, 0);
	enter(7, 100);
	ck_assert(switches_enter(&switches, 7, 101, true));
	leave(7, 130, 5);
	ck_assert(switches_leave(&switches, &again));
	ck_assert(switches_enter(&switches, 7, 150, true));
	again.time = 160;
	ck_assert(switches_leave(&switches, &again));
	expect_times(7, 30 + 10, 20, 0, 2, 0);
	expect_waits(5, 20, 0, 0, 1, 20);
	expect_gaps(1, 1, 0, 0, 0);
}
END_TEST

/* The sample has no state, the record says that the thread was preempted. */
START_TEST(the_second_record_knows_more)
{
	struct switch_out out = out_of(7, 130, 5), again = out_of(7, 131, WAIT_NO_PATH);

	ck_assert_ptr_nonnull(process_thread_of_sample(&table, PID, 7));
	out.place.has_state = false;
	again.again = again.preempted = true;
	ck_assert(switches_leave(&switches, &out));
	ck_assert(switches_leave(&switches, &again));
	enter(7, 150);
	expect_times(7, 0, 0, 20, 1, 1);
	expect_waits(5, 0, 0, 20, 1, 20);
}
END_TEST

START_TEST(what_filters_leave_out_is_time_of_the_thread)
{
	struct switch_out out = out_of(7, 130, 5);

	ck_assert_ptr_nonnull(process_thread_of_sample(&table, PID, 7));
	out.chosen = false;
	ck_assert(switches_leave(&switches, &out));
	enter(7, 150);
	expect_times(7, 0, 20, 0, 1, 0);
	ck_assert_uint_eq(switches.waits.index.nr, 0);
}
END_TEST

/* ---- any schedule ---------------------------------------------------------------------------- */

enum { THREADS = 12, CPUS = 3, STEPS = 4000 };

struct life {
	uint64_t first, last;
	bool seen;
};

static void see(struct life *life, uint64_t time)
{
	if (!life->seen)
		life->first = time;
	life->seen = true;
	life->last = time;
}

/* Threads of a machine: each runs on a CPU (cpu + 1), can run (0), or sleeps (-1). */
struct machine {
	int at[THREADS];
	struct life lives[THREADS];
	uint32_t on[CPUS]; /* number of the thread, from 1; 0: idle */
};

/* Some thread that can run, or 0. */
static uint32_t pick(const struct machine *machine)
{
	const unsigned from = (unsigned)random() % THREADS;

	for (unsigned i = 0; i < THREADS; i++)
		if (machine->at[(from + i) % THREADS] == 0)
			return (from + i) % THREADS + 1;
	return 0;
}

static void step(struct machine *machine, uint64_t time)
{
	const uint32_t cpu = (uint32_t)random() % CPUS, next = pick(machine),
		       prev = machine->on[cpu];
	const uint32_t sleeper = (uint32_t)random() % THREADS;
	struct switch_out out = out_of(prev, time, (uint32_t)random() % 4);

	if (machine->at[sleeper] < 0 && random() % 2) {
		wake(sleeper + 1, time);
		machine->at[sleeper] = 0;
		/* if it had not been seen before, this is its first record */
		see(&machine->lives[sleeper], time);
		return;
	}
	if (prev == next)
		return;
	out.preempted = random() % 3 == 0;
	ck_assert(switches_switch(&switches, &out, cpu, next));
	if (prev) {
		machine->at[prev - 1] = out.preempted ? 0 : -1;
		see(&machine->lives[prev - 1], time);
	}
	if (next) {
		machine->at[next - 1] = (int)cpu + 1;
		see(&machine->lives[next - 1], time);
	}
	machine->on[cpu] = next;
}

/* The time of each thread is that from its first record to the last but those that tell of nothing
 * that has ended; what it waited is what the places have. */
START_TEST(no_time_is_lost_and_none_invented)
{
	struct machine machine = {0};
	struct wait_sum all = {0};
	uint64_t off = 0, delay = 0, time = 1000;

	srandom((unsigned)_i);
	for (uint32_t i = 1; i <= THREADS; i++)
		ck_assert_ptr_nonnull(process_thread_of_sample(&table, PID, i));
	for (int i = 0; i < STEPS; i++)
		step(&machine, time += (uint64_t)random() % 50);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) { /* the end: all that run leave */
		const struct switch_out out = out_of(machine.on[cpu], ++time, 1);

		ck_assert(switches_switch(&switches, &out, cpu, 0));
		if (machine.on[cpu])
			see(&machine.lives[machine.on[cpu] - 1], time);
	}
	for (uint32_t i = 0; i < THREADS; i++) { /* and all that do not come once more */
		bool runs = false;

		for (uint32_t cpu = 0; cpu < CPUS; cpu++)
			runs |= machine.on[cpu] == i + 1;
		if (runs)
			continue;
		enter(i + 1, ++time);
		see(&machine.lives[i], time);
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		const struct switch_times *times =
			process_thread_find(&table, PID, i + 1)->switched;

		ck_assert_ptr_nonnull(times);
		ck_assert_uint_eq(times->on + times->off + times->delay,
				  machine.lives[i].last - machine.lives[i].first);
		off += times->off;
		delay += times->delay;
	}
	for (uint32_t path = 0; path < 4; path++) {
		const struct wait_sum sum = sum_at(path);

		wait_sum_add(&all, &sum);
	}
	ck_assert_uint_eq(all.wait, off);
	ck_assert_uint_eq(all.delay + all.preempt, delay);
	ck_assert_uint_eq(switches_gaps(&switches).missed, 0);
	ck_assert_uint_eq(switches_gaps(&switches).backwards, 0);
}
END_TEST

/* Records in no order at all: nothing adds up to more than there was. */
START_TEST(any_records_end_well)
{
	uint64_t most = 0;

	srandom((unsigned)_i);
	for (int i = 0; i < STEPS; i++) {
		const uint64_t time = (uint64_t)random() % 1000;
		struct switch_out out =
			out_of((uint32_t)random() % 6, time, (uint32_t)random() % 3);

		out.preempted = random() % 2;
		out.dead = random() % 9 == 0;
		out.again = random() % 2;
		out.tid = random() % 5 ? out.number : PID_NONE;
		most += 1000;
		ck_assert_ptr_nonnull(process_thread_of_sample(&table, PID, out.number));
		switch (random() % 8) {
		case 0:
			ck_assert(switches_leave(&switches, &out));
			break;
		case 1:
			ck_assert(switches_enter(&switches, out.number, time, out.again));
			break;
		case 2:
			wake(out.number, time);
			break;
		case 3:
			ck_assert(switches_fork(&switches, PID, out.number, out.dead));
			break;
		case 4:
			switches_exit(&switches, out.number);
			break;
		case 5:
			switches_lose(&switches);
			break;
		default:
			ck_assert(switches_switch(&switches, &out, (uint32_t)random(),
						  (uint32_t)random() % 6));
		}
	}
	for (uint32_t i = 0; i < 6; i++) {
		const struct switch_times *times = process_thread_find(&table, PID, i)->switched;

		ck_assert(!times || times->on + times->off + times->delay <= most);
	}
}
END_TEST

/* Numbers are used again; beyond the limit there are none, and nothing is lost of the others. */
START_TEST(pending_waits_are_limited)
{
	struct pending_waits pending = {0};
	const struct wait_place place = {.table = WAIT_PENDING, .path = 7, .pid = 3};
	struct pending_wait ended;
	uint32_t number;

	for (uint32_t i = 0; i < PENDING_WAITS_MAX; i++) {
		ck_assert(pending_waits_begin(&pending, i, &number));
		ck_assert_uint_eq(number, i);
	}
	ck_assert(pending_waits_begin(&pending, 1, &number));
	ck_assert_uint_eq(number, WAIT_NO_PATH);
	pending_waits_add(&pending, &place, &(struct wait_sum){.wait = 5, .count = 1});
	ck_assert_uint_eq(pending_waits_count(&pending), 1);
	ended = pending_waits_end(&pending, 7);
	ck_assert_uint_eq(ended.thread, 7);
	ck_assert_uint_eq(ended.entry.place.pid, 3);
	ck_assert_uint_eq(ended.entry.place.path, WAIT_NO_PATH);
	ck_assert_uint_eq(ended.entry.sum.wait, 5);
	ck_assert_uint_eq(pending_waits_count(&pending), 0);
	ck_assert(pending_waits_begin(&pending, 9, &number));
	ck_assert_uint_eq(number, 7);
	pending_waits_free(&pending);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("switches");
	TCase *tcase = tcase_create("switches");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_wait_has_parts);
	tcase_add_test(tcase, the_first_delay_counts);
	tcase_add_test(tcase, a_new_thread_has_no_open_begin);
	tcase_add_test(tcase, the_last_run_counts_and_the_thread_is_gone);
	tcase_add_test(tcase, a_number_that_is_used_again);
	tcase_add_test(tcase, lost_records_end_what_was_known);
	tcase_add_test(tcase, time_that_goes_back);
	tcase_add_test(tcase, switches_that_are_missing);
	tcase_add_test(tcase, two_threads_on_a_cpu);
	tcase_add_test(tcase, the_same_switch_again);
	tcase_add_test(tcase, threads_of_other_processes);
	tcase_add_test(tcase, records_that_repeat_samples);
	tcase_add_test(tcase, the_second_record_knows_more);
	tcase_add_test(tcase, what_filters_leave_out_is_time_of_the_thread);
	tcase_add_loop_test(tcase, no_time_is_lost_and_none_invented, 0, 20);
	tcase_add_loop_test(tcase, any_records_end_well, 0, 20);
	tcase_add_test(tcase, pending_waits_are_limited);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
