/* Sorting beyond memory: against qsort(), with budgets from one row to more than there are. */
#include "util/sorter.h"

#include "tests/support/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { NR_ROWS = 5000 };

struct row {
	int key;
	char pad[9]; /* rows of an odd size */
};

static int compare(const void *a, const void *b)
{
	int x = ((const struct row *)a)->key, y = ((const struct row *)b)->key;

	return x < y ? -1 : x > y;
}

static struct row rows[NR_ROWS];

static void add_rows(struct sorter *sorter, size_t from, size_t to)
{
	struct error err = {0};

	for (size_t i = from; i < to; i++) {
		rows[i] = (struct row){.key = rand() % 1000 - 500};
		memset(rows[i].pad, rows[i].key & 0x7f, sizeof(rows[i].pad));
		ck_assert_msg(sorter_add(sorter, &rows[i], &err) == 0, "%s", err.text);
	}
}

static void assert_sorted(struct sorter *sorter, size_t nr)
{
	static struct row expected[NR_ROWS];
	struct error err = {0};
	const void *row;

	memcpy(expected, rows, nr * sizeof(*rows));
	qsort(expected, nr, sizeof(*expected), compare);
	ck_assert_msg(sorter_start(sorter, &err) == 0, "%s", err.text);
	for (size_t i = 0; i < nr; i++) {
		ck_assert_int_eq(sorter_next(sorter, &row, &err), 1);
		ck_assert_mem_eq(row, &expected[i], sizeof(*expected));
	}
	ck_assert_int_eq(sorter_next(sorter, &row, &err), 0);
	ck_assert_int_eq(sorter_next(sorter, &row, &err), 0);
}

static const size_t budgets[] = {0, 16, 100, 1000, 16384, 1 << 20};

START_TEST(rows_come_in_order_whatever_the_budget)
{
	struct sorter *sorter = sorter_create(sizeof(struct row), compare, budgets[_i]);

	ck_assert_ptr_nonnull(sorter);
	srand((unsigned)_i);
	assert_sorted(sorter, 0);
	add_rows(sorter, 0, 1);
	assert_sorted(sorter, 1);
	add_rows(sorter, 1, 2000);
	assert_sorted(sorter, 2000);
	assert_sorted(sorter, 2000); /* the same again */
	add_rows(sorter, 2000, NR_ROWS);
	assert_sorted(sorter, NR_ROWS);
	sorter_free(sorter);
}
END_TEST

/* A reading that was not finished is no loss. */
START_TEST(more_rows_end_a_reading)
{
	struct sorter *sorter = sorter_create(sizeof(struct row), compare, budgets[_i]);
	struct error err = {0};
	const void *row;

	add_rows(sorter, 0, 100);
	ck_assert_int_eq(sorter_start(sorter, &err), 0);
	for (int i = 0; i < 50; i++)
		ck_assert_int_eq(sorter_next(sorter, &row, &err), 1);
	add_rows(sorter, 100, 200);
	assert_sorted(sorter, 200);
	sorter_free(sorter);
}
END_TEST

/* What fits in the budget needs no file: none can be made here. */
START_TEST(no_file_within_the_budget)
{
	struct sorter *sorter = sorter_create(sizeof(struct row), compare, 10 * sizeof(struct row));
	struct error err = {0};

	ck_assert_int_eq(setenv("TMPDIR", "/nonexistent", 1), 0);
	add_rows(sorter, 0, 10);
	assert_sorted(sorter, 10);
	ck_assert_int_eq(sorter_add(sorter, &rows[0], &err), -1);
	ck_assert_int_eq(err.kind, ERROR_IO);
	ck_assert_str_eq(err.text, "/nonexistent: cannot create a temporary file there: "
				   "No such file or directory");
	sorter_free(sorter);
}
END_TEST

START_TEST(a_file_that_cannot_grow_is_an_error)
{
	const struct rlimit limit = {1000, 1000};
	struct sorter *sorter = sorter_create(sizeof(struct row), compare, 100);
	struct error err = {0};
	int rc = 0;

	ck_assert_int_eq(setenv("TMPDIR", "/tmp", 1), 0);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; i < 1000 && rc == 0; i++)
		rc = sorter_add(sorter, &rows[i], &err);
	ck_assert_int_eq(rc, -1);
	ck_assert_str_eq(err.text, "/tmp: cannot write a temporary file there: File too large");
	sorter_free(sorter);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sorter");
	TCase *tcase = tcase_create("sorter");
	int nr = (int)(sizeof(budgets) / sizeof(budgets[0]));

	tcase_add_loop_test(tcase, rows_come_in_order_whatever_the_budget, 0, nr);
	tcase_add_loop_test(tcase, more_rows_end_a_reading, 0, nr);
	tcase_add_test(tcase, no_file_within_the_budget);
	tcase_add_test(tcase, a_file_that_cannot_grow_is_an_error);
	suite_add_tcase(suite, tcase);
	return suite_run_apart(suite);
}
