/* readperf.sqlite of names with every byte, of 64 KB, the largest numbers, and nothing at all. */
#include "report/export/database.h"
#include "report/export/runforms.h"

#include "report/table.h"
#include "tests/support/hostilerows.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_SQLITE
#include <sqlite3.h>

static char path[] = "/tmp/readperf-test-XXXXXX";

/* The rows of the first column of @sql in the database of @len @bytes, each with its end of line.
 */
static char *ask(const char *bytes, size_t len, const char *sql)
{
	sqlite3_stmt *statement = NULL;
	sqlite3 *db = NULL;
	char *text = NULL;
	size_t room = 0;
	FILE *file = fopen(path, "w"), *out = open_memstream(&text, &room);

	ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
	fclose(file);
	ck_assert_int_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, "%s",
		      sqlite3_errmsg(db));
	while (sqlite3_step(statement) == SQLITE_ROW)
		fprintf(out, "%s\n", (const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	sqlite3_close(db);
	fclose(out);
	return text;
}

static void assert_answer(const char *bytes, size_t len, const char *sql, const char *expected)
{
	char *found = ask(bytes, len, sql);

	ck_assert_str_eq(found, expected);
	free(found);
}

static void assert_same_csv(const struct results *results, int number, const char *sql, bool raw)
{
	size_t len, csv_len;
	char *csv = hostilerows_csv(results, number, raw, &csv_len);
	char *db = hostilerows_write(results, 1u << number, raw, sqlite_write, 0, &len);

	assert_answer(db, len, sql, csv);
	free(db);
	free(csv);
}

START_TEST(views_are_the_files)
{
	assert_same_csv(hostilerows_results(), REPORT_NUMBER_results,
			"SELECT line FROM results_csv", _i);
	assert_same_csv(hostilerows_results(), REPORT_NUMBER_overview,
			"SELECT line FROM overview_csv", _i);
	assert_same_csv(hostilerows_nothing(), REPORT_NUMBER_results,
			"SELECT line FROM results_csv", _i);
}
END_TEST

START_TEST(numbers_keep_their_types)
{
	size_t len;
	char *db = hostilerows_write(hostilerows_results(), REPORT_BIT(results), false,
				     sqlite_write, 0, &len);

	assert_answer(db, len, "PRAGMA integrity_check", "ok\n");
	assert_answer(db, len, "PRAGMA user_version", "1\n");
	/* beyond a sign: digits, which sums take for numbers */
	assert_answer(db, len,
		      "SELECT typeof(period) || ' ' || CAST(period AS TEXT) FROM results LIMIT 1",
		      "blob 18446744073709551615\n");
	assert_answer(db, len, "SELECT sum(period) > 7.3e19 FROM results", "1\n");
	assert_answer(db, len, "SELECT typeof(samples) || typeof(percent) FROM results LIMIT 1",
		      "integerreal\n");
	assert_answer(db, len, "SELECT ifnull(length(name), 'none') FROM function",
		      "255\n65536\n4\nnone\n");
	assert_answer(db, len, "SELECT count(*) FROM binary", "3\n");
	free(db);
}
END_TEST

START_TEST(the_same_rows_are_the_same_bytes)
{
	const unsigned tables = REPORT_BIT(results) | REPORT_BIT(overview);
	size_t len, again_len;
	char *db = hostilerows_write(hostilerows_results(), tables, false, sqlite_write, 0, &len);
	char *again = hostilerows_write(hostilerows_results(), tables, false, sqlite_write, 0,
					&again_len);

	ck_assert_uint_eq(len, again_len);
	ck_assert_int_eq(memcmp(db, again, len), 0);
	free(db);
	free(again);
}
END_TEST

/* The first error, not that there is nothing to be destroyed. */
START_TEST(no_room_for_a_temporary_file)
{
	struct error err = {0};

	setenv("TMPDIR", "/nonexistent", 1);
	ck_assert_ptr_null(database_create(&err));
	ck_assert_str_eq(err.text, "/nonexistent: cannot create a temporary file there: "
				   "No such file or directory");
	unsetenv("TMPDIR");
}
END_TEST

static void make_path(void)
{
	close(mkstemp(path));
}

static void remove_path(void)
{
	unlink(path);
}
#endif

int main(void)
{
	Suite *s = suite_create("sqlite");
	TCase *tc = tcase_create("sqlite");

#ifdef HAVE_SQLITE
	tcase_add_unchecked_fixture(tc, make_path, remove_path);
	tcase_add_loop_test(tc, views_are_the_files, 0, 2);
	tcase_add_test(tc, numbers_keep_their_types);
	tcase_add_test(tc, no_room_for_a_temporary_file);
	tcase_add_test(tc, the_same_rows_are_the_same_bytes);
#endif
	suite_add_tcase(s, tc);
	return suite_run(s);
}
