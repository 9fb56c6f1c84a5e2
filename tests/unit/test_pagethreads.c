/* The threads of the page: their order, their numbers, and the many small ones as one. */
#include "report/export/pagethreads.h"

#include "tests/support/inflated.h"
#include "tests/support/suite.h"
#include "tests/support/threadrows.h"

#include <check.h>
#include <stdlib.h>

static void make(struct pagethreads *threads, struct threadrows *rows, uint32_t event,
		 struct intern *strings)
{
	const struct row_source source = threadrows_source(rows);
	struct error err;

	ck_assert_int_eq(pagethreads_make(threads, &source, event, strings, &err), 0);
}

/* By period, samples, pid, tid; those without samples of the event are left out. */
START_TEST(threads_are_in_order)
{
	static const struct tally counts[][2] = {
		{{0, 0}, {2, 50}}, {{9, 99}, {1, 70}}, {{9, 99}, {0, 0}},
		{{0, 0}, {3, 50}}, {{0, 0}, {2, 50}},  {{0, 0}, {2, 50}},
	};
	static const struct thread_stat list[] = {
		{.pid = 10,
		 .tid = 12,
		 .life = 5,
		 .comm = "b",
		 .process_comm = "p",
		 .by_event = counts[0]},
		{.pid = 10,
		 .tid = 11,
		 .life = 6,
		 .comm = "a",
		 .process_comm = "p",
		 .by_event = counts[1]},
		{.pid = 10,
		 .tid = 13,
		 .life = 7,
		 .comm = "c",
		 .process_comm = "p",
		 .by_event = counts[2]},
		{.pid = 12,
		 .tid = 12,
		 .life = 8,
		 .comm = "q",
		 .process_comm = "q",
		 .by_event = counts[3]},
		{.pid = 10,
		 .tid = 9,
		 .life = 9,
		 .comm = "d",
		 .process_comm = "p",
		 .by_event = counts[4]},
		{.pid = -1,
		 .tid = -1,
		 .life = 3,
		 .comm = "",
		 .process_comm = "",
		 .by_event = counts[5]},
	};
	static const uint64_t lives[] = {6, 8, 0, 9, 5};
	static const uint8_t expected[] = {
		20, 24, 1, 20, 20, /* pids 10, 12, -1, 10, 10, as all signed numbers */
		22, 24, 1, 18, 24, /* tids */
		3,  4,	0, 5,  1,  /* a, q, "", d, b */
		2,  4,	0, 2,  2,  /* p, q, "", p, p */
		1,  3,	2, 2,  2,  70, 50, 50, 50, 50};
	struct threadrows rows = {list, 6, 0};
	struct intern strings = {0};
	struct pagethreads threads;
	struct pagenumbers packed;
	uint8_t bytes[64];

	make(&threads, &rows, 1, &strings);
	ck_assert_uint_eq(threads.nr, 5);
	ck_assert_uint_eq(threads.nr_others, 0);
	for (uint32_t i = 0; i < 5; i++) {
		ck_assert_uint_eq(threads.list[i].life, lives[i]);
		ck_assert_uint_eq(pagethreads_find(&threads, lives[i]), i);
	}
	ck_assert_uint_eq(pagethreads_find(&threads, 77), 2); /* as samples of no known process */
	ck_assert(pagenumbers_start(&packed, SIZE_MAX, true));
	pagethreads_put(&threads, &packed);
	ck_assert(pagenumbers_end(&packed));
	ck_assert_uint_eq(inflated_bytes(&packed, bytes, sizeof(bytes)), sizeof(expected));
	ck_assert_mem_eq(bytes, expected, sizeof(expected));
	pagenumbers_free(&packed);
	pagethreads_free(&threads);
	intern_free(&strings);
}
END_TEST

/* The smallest ones are one, together with the samples of no known process. */
START_TEST(too_many_threads_become_one)
{
	enum { NR = PAGETHREADS_MAX + 4 };
	struct thread_stat *list = calloc(NR, sizeof(*list));
	struct tally *counts = calloc(NR, sizeof(*counts));
	struct threadrows rows = {list, NR, 0};
	struct intern strings = {0};
	struct pagethreads threads;
	const struct page_thread *last;

	ck_assert(list && counts);
	for (uint32_t i = 0; i < NR; i++) {
		counts[i] = (struct tally){1, i + 1};
		list[i] = (struct thread_stat){.pid = i,
					       .tid = i,
					       .life = i + 1,
					       .comm = "t",
					       .process_comm = "t",
					       .by_event = &counts[i]};
	}
	list[NR - 1].pid = list[NR - 1].tid = -1; /* with the largest period */
	make(&threads, &rows, 0, &strings);
	last = &threads.list[PAGETHREADS_MAX - 1];
	ck_assert_uint_eq(threads.nr, PAGETHREADS_MAX);
	ck_assert_uint_eq(threads.nr_others, 5);
	ck_assert_int_eq(last->pid, PAGETHREADS_OTHERS);
	ck_assert_int_eq(last->tid, PAGETHREADS_OTHERS);
	ck_assert_uint_eq(last->self.samples, 5);
	ck_assert_uint_eq(last->self.period, 1 + 2 + 3 + 4 + NR);
	ck_assert_uint_eq(threads.list[0].life, NR - 1);
	ck_assert_uint_eq(pagethreads_find(&threads, NR - 1), 0);
	ck_assert_uint_eq(pagethreads_find(&threads, 5), PAGETHREADS_MAX - 2);
	ck_assert_uint_eq(pagethreads_find(&threads, 4), PAGETHREADS_MAX - 1);
	ck_assert_uint_eq(pagethreads_find(&threads, 0), PAGETHREADS_MAX - 1);
	pagethreads_free(&threads);
	intern_free(&strings);
	free(counts);
	free(list);
}
END_TEST

/* There is one row of no known process, whatever number damage made of its pid. */
START_TEST(unknown_processes_are_one)
{
	static const struct tally counts[][1] = {{{2, 20}}, {{3, 31}}, {{1, 10}}};
	static const struct thread_stat list[] = {
		{.pid = INT32_MIN,
		 .tid = 7,
		 .life = 4,
		 .comm = "",
		 .process_comm = "",
		 .by_event = counts[0]},
		{.pid = 5,
		 .tid = 5,
		 .life = 9,
		 .comm = "a",
		 .process_comm = "a",
		 .by_event = counts[1]},
		{.pid = -1,
		 .tid = -1,
		 .life = 6,
		 .comm = "",
		 .process_comm = "",
		 .by_event = counts[2]},
	};
	struct threadrows rows = {list, 3, 0};
	struct intern strings = {0};
	struct pagethreads threads;

	make(&threads, &rows, 0, &strings);
	ck_assert_uint_eq(threads.nr, 2);
	ck_assert_uint_eq(threads.list[0].self.samples, 3);
	ck_assert_uint_eq(threads.list[1].self.samples, 3);
	ck_assert_uint_eq(threads.list[1].self.period, 30);
	ck_assert_uint_eq(pagethreads_find(&threads, 9), 0);
	ck_assert_uint_eq(pagethreads_find(&threads, 4), 1);
	ck_assert_uint_eq(pagethreads_find(&threads, 6), 1);
	pagethreads_free(&threads);
	intern_free(&strings);
}
END_TEST

START_TEST(no_thread_is_a_list_of_none)
{
	struct threadrows rows = {NULL, 0, 0};
	struct intern strings = {0};
	struct pagethreads threads;

	make(&threads, &rows, 0, &strings);
	ck_assert_uint_eq(threads.nr, 0);
	ck_assert_uint_eq(pagethreads_find(&threads, 0), 0);
	ck_assert_uint_eq(pagethreads_find(&threads, 3), 0);
	pagethreads_free(&threads);
	intern_free(&strings);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("pagethreads");
	TCase *tc = tcase_create("pagethreads");

	tcase_add_test(tc, threads_are_in_order);
	tcase_add_test(tc, too_many_threads_become_one);
	tcase_add_test(tc, unknown_processes_are_one);
	tcase_add_test(tc, no_thread_is_a_list_of_none);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
