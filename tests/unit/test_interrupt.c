/* Signals that end a run: taken where they are asked for, and what they mean for a stream. */
#include "main/interrupt.h"

#include "tests/support/suite.h"
#include "util/clock.h"

#include <check.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static bool told_of(const struct interrupt *interrupt)
{
	struct pollfd pollfd = {.fd = interrupt->fd, .events = POLLIN};

	return poll(&pollfd, 1, 0) == 1;
}

START_TEST(none_has_come)
{
	struct interrupt interrupt;

	interrupt_start(&interrupt);
	ck_assert(!told_of(&interrupt));
	ck_assert_uint_eq(interrupt_take(&interrupt), 0);
	ck_assert_uint_eq(interrupt_deadline(&interrupt), UINT64_MAX);
	interrupt_die(&interrupt);
	interrupt_stop(&interrupt);
}
END_TEST

/* The first leaves a stream ten seconds, the second none. */
START_TEST(the_second_is_not_patient)
{
	struct interrupt interrupt;
	uint64_t before, after;

	interrupt_start(&interrupt);
	before = clock_now();
	raise(signals[_i]);
	ck_assert(told_of(&interrupt));
	ck_assert_uint_eq(interrupt_take(&interrupt), 1);
	after = clock_now();
	ck_assert(!told_of(&interrupt));
	ck_assert_uint_ge(interrupt_deadline(&interrupt), before + 10 * NS_PER_SECOND);
	ck_assert_uint_le(interrupt_deadline(&interrupt), after + 10 * NS_PER_SECOND);
	ck_assert_uint_eq(interrupt_take(&interrupt), 1);
	raise(SIGINT);
	ck_assert_uint_eq(interrupt_take(&interrupt), 2);
	ck_assert_uint_eq(interrupt_deadline(&interrupt), 0);
	interrupt_stop(&interrupt);
}
END_TEST

START_TEST(ends_by_the_signal_that_came)
{
	struct interrupt interrupt;

	interrupt_start(&interrupt);
	raise(signals[_i]);
	ck_assert_uint_eq(interrupt_take(&interrupt), 1);
	interrupt_die(&interrupt);
}
END_TEST

START_TEST(ends_at_once_while_unblocked)
{
	struct interrupt interrupt;

	interrupt_start(&interrupt);
	interrupt_unblock(&interrupt);
	raise(SIGTERM);
}
END_TEST

/* As under nohup, or in the background of a script. */
START_TEST(ignored_ones_stay_ignored)
{
	struct interrupt interrupt;

	signal(signals[_i], SIG_IGN);
	interrupt_start(&interrupt);
	raise(signals[_i]);
	ck_assert(!told_of(&interrupt));
	ck_assert_uint_eq(interrupt_take(&interrupt), 0);
	interrupt_stop(&interrupt);
}
END_TEST

static const int fatal[] = {SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU, SIGUSR1};

/* Tables have two names for a moment, and whatever comes then would leave one of them behind. */
START_TEST(a_shield_holds_everything_back)
{
	sigset_t before, now;

	interrupt_shield(&before);
	raise(fatal[_i]);
	ck_assert_int_eq(sigpending(&now), 0);
	ck_assert(sigismember(&now, fatal[_i]));
	interrupt_unshield(&before);
	_exit(0); /* is not reached */
}
END_TEST

START_TEST(a_fault_ends_the_program_even_so)
{
	sigset_t before;

	interrupt_shield(&before);
	raise(SIGABRT);
}
END_TEST

START_TEST(a_closed_pipe_ends_it_when_all_is_done)
{
	struct interrupt interrupt;

	interrupt_start(&interrupt);
	interrupt_hold_pipe(&interrupt);
	raise(SIGPIPE);
	ck_assert(!told_of(&interrupt));
	ck_assert_uint_eq(interrupt_take(&interrupt), 0);
	interrupt_stop(&interrupt);
}
END_TEST

/* They end the program at once otherwise. */
static const int held[] = {SIGQUIT, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF};

START_TEST(held_ones_are_taken_and_end_it_then)
{
	struct interrupt interrupt;

	signal(held[_i], SIG_DFL); /* the runner has a use for SIGALRM */
	interrupt_start(&interrupt);
	interrupt_hold(&interrupt);
	ck_assert(!interrupt.quits);
	raise(held[_i]);
	ck_assert(told_of(&interrupt));
	ck_assert_uint_eq(interrupt_take(&interrupt), 1);
	ck_assert(interrupt.quits);
	interrupt_die(&interrupt);
	_exit(0); /* is not reached */
}
END_TEST

START_TEST(held_ones_end_it_when_they_are_released)
{
	struct interrupt interrupt;

	signal(held[_i], SIG_DFL); /* the runner has a use for SIGALRM */
	interrupt_start(&interrupt);
	interrupt_hold(&interrupt);
	raise(held[_i]);
	interrupt_release(&interrupt);
	_exit(0); /* is not reached */
}
END_TEST

START_TEST(others_are_still_taken_after_the_release)
{
	struct interrupt interrupt;

	interrupt_start(&interrupt);
	interrupt_hold(&interrupt);
	interrupt_release(&interrupt);
	raise(SIGHUP);
	ck_assert(told_of(&interrupt));
	ck_assert_uint_eq(interrupt_take(&interrupt), 1);
	ck_assert(!interrupt.quits);
	interrupt_stop(&interrupt);
}
END_TEST

START_TEST(ignored_ones_are_not_held)
{
	struct interrupt interrupt;

	signal(SIGQUIT, SIG_IGN);
	interrupt_start(&interrupt);
	interrupt_hold(&interrupt);
	raise(SIGQUIT);
	ck_assert_uint_eq(interrupt_take(&interrupt), 0);
	interrupt_stop(&interrupt);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("interrupt");
	TCase *tcase = tcase_create("interrupt");

	/* Whoever runs the tests may ignore them: nohup does, and a shell in the background. */
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		signal(fatal[i], SIG_DFL);
	tcase_add_test(tcase, none_has_come);
	tcase_add_loop_test(tcase, the_second_is_not_patient, 0, 3);
	for (int i = 1; i < 3; i++) /* SIGINT means something to the runner */
		tcase_add_loop_test_raise_signal(tcase, ends_by_the_signal_that_came, signals[i], i,
						 i + 1);
	tcase_add_test_raise_signal(tcase, ends_at_once_while_unblocked, SIGTERM);
	tcase_add_loop_test(tcase, ignored_ones_stay_ignored, 0, 3);
	for (int i = 0; i < (int)(sizeof(fatal) / sizeof(fatal[0])); i++)
		tcase_add_loop_test_raise_signal(tcase, a_shield_holds_everything_back, fatal[i], i,
						 i + 1);
	tcase_add_test_raise_signal(tcase, a_fault_ends_the_program_even_so, SIGABRT);
	tcase_add_test_raise_signal(tcase, a_closed_pipe_ends_it_when_all_is_done, SIGPIPE);
	for (int i = 0; i < (int)(sizeof(held) / sizeof(held[0])); i++) {
		tcase_add_loop_test_raise_signal(tcase, held_ones_are_taken_and_end_it_then,
						 held[i], i, i + 1);
		tcase_add_loop_test_raise_signal(tcase, held_ones_end_it_when_they_are_released,
						 held[i], i, i + 1);
	}
	tcase_add_test(tcase, others_are_still_taken_after_the_release);
	tcase_add_test(tcase, ignored_ones_are_not_held);
	suite_add_tcase(suite, tcase);
	return suite_run_apart(suite);
}
