/* What nodes of the page counted in threads and slices of time: columns, and what fits. */
#include "report/export/pagecells.h"

#include "tests/support/inflated.h"
#include "tests/support/suite.h"
#include "tests/support/threadrows.h"

#include <check.h>
#include <stdlib.h>

enum { FIRST_PATH = 100, QUOTIENT = 10, LONG = 7, SHORT = 9 /* lives of threads */ };

static const struct tally of_threads[] = {{9, 100}, {4, 50}};
static const struct thread_stat lives[] = {
	{.pid = 1,
	 .tid = 2,
	 .life = SHORT,
	 .comm = "b",
	 .process_comm = "a",
	 .by_event = &of_threads[1]},
	{.pid = 1,
	 .tid = 1,
	 .life = LONG,
	 .comm = "a",
	 .process_comm = "a",
	 .by_event = &of_threads[0]},
};

static void make_threads(struct pagethreads *threads)
{
	struct threadrows rows = {lives, 2, 0};
	const struct row_source source = threadrows_source(&rows);
	struct intern strings = {0};
	struct error err;

	ck_assert_int_eq(pagethreads_make(threads, &source, 0, &strings, &err), 0);
	intern_free(&strings);
}

/* Paths 1 and 2 are one node, the third one; path 3 is the second. */
START_TEST(cells_become_columns)
{
	static const uint32_t nodes[] = {0, 2, 2, 1};
	static const struct path_cell list[] = {
		{FIRST_PATH, LONG, 3, 2, 25},	   {FIRST_PATH + 1, SHORT, 5, 1, 10},
		{FIRST_PATH + 2, LONG, 0, 1, 9},   {FIRST_PATH + 2, SHORT, 5, 1, 12},
		{FIRST_PATH + 3, LONG, 1, 3, 30},  {FIRST_PATH + 3, LONG, 4, 1, 10},
		{FIRST_PATH + 3, SHORT, 2, 1, 11},
	};
	static const uint8_t expected[] = {
		/* cells of each node, less 1 */
		0, 2, 1,
		/* threads, then slices: the first node; the second one; the third one */
		0, 0, 0, 1, 0, 1, 3, 1, 2, 2, 0, 5,
		/* samples of all but the last cell of the second node, and of the third */
		2, 0, 0,
		/* periods of those */
		0, 0, 255, 0, 0, 255, 0, 0, 1};
	struct pagecells_input input = {.cells = list,
					.nr = 7,
					.first_path = FIRST_PATH,
					.nodes = nodes,
					.nr_nodes = 3,
					.slices = {1000, 10, 128, true},
					.quotient = QUOTIENT,
					.limit = 1000};
	struct pagethreads threads;
	struct pagecells cells;
	struct error err;
	uint8_t bytes[64];

	make_threads(&threads);
	input.threads = &threads;
	ck_assert_int_eq(pagecells_make(&cells, &input, &err), 0);
	ck_assert_uint_eq(cells.nr, 6);
	ck_assert_uint_eq(cells.slices.nr, 128);
	ck_assert_uint_eq(inflated_bytes(&cells.packed, bytes, sizeof(bytes)), sizeof(expected));
	ck_assert_mem_eq(bytes, expected, sizeof(expected));
	pagecells_free(&cells);
	pagethreads_free(&threads);
}
END_TEST

/* Cells of one sample each at times that nothing foretells. */
static void scatter(struct path_cell *list, uint32_t *nodes, size_t nr)
{
	uint32_t value = 1;

	for (uint32_t i = 0; i < nr; i++) {
		value = value * 1103515245 + 12345;
		nodes[i] = i / 2;
		list[i] = (struct path_cell){FIRST_PATH + i, value >> 31 ? LONG : SHORT,
					     (value >> 16) % 100, 1, QUOTIENT};
	}
}

/* Slices become longer, then all of the time is one, then there are no cells. */
START_TEST(cells_fit_into_their_limit)
{
	enum { NR = 20000 };
	static const struct {
		uint64_t limit;
		uint32_t slices;
		bool fit;
	} cases[] = {{50000, 100, true}, {20000, 50, true}, {11000, 0, true}, {1000, 0, false}};
	struct path_cell *list = calloc(NR, sizeof(*list));
	uint32_t *nodes = calloc(NR, sizeof(*nodes));
	struct pagecells_input input = {.cells = list,
					.nr = NR,
					.first_path = FIRST_PATH,
					.nodes = nodes,
					.nr_nodes = NR / 2,
					.slices = {1000, 10, 100, true},
					.quotient = QUOTIENT,
					.limit = cases[_i].limit};
	struct pagethreads threads;
	struct pagecells cells;
	struct error err;

	ck_assert(list && nodes);
	scatter(list, nodes, NR);
	make_threads(&threads);
	input.threads = &threads;
	ck_assert_int_eq(pagecells_make(&cells, &input, &err), 0);
	ck_assert_uint_eq(cells.slices.nr, cases[_i].slices);
	ck_assert_uint_eq(cells.slices.start, 1000);
	ck_assert_int_eq(cells.slices.threads, true);
	if (cases[_i].slices)
		ck_assert_uint_eq(cells.slices.length * cases[_i].slices, 1000);
	ck_assert_int_eq(cells.nr > 0, cases[_i].fit);
	if (cases[_i].fit)
		ck_assert_uint_le(cells.packed.pack->size, cases[_i].limit);
	pagecells_free(&cells);
	pagethreads_free(&threads);
	free(nodes);
	free(list);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("pagecells");
	TCase *tc = tcase_create("pagecells");

	tcase_add_test(tc, cells_become_columns);
	tcase_add_loop_test(tc, cells_fit_into_their_limit, 0, 4);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
