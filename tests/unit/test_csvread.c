/* Reading of CSV: what RFC 4180 allows, what others write, and what is none. */
#include "util/csvread.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* All rows of the table @text, as "LINE:[CELL][CELL]" and the error's text at its end. */
static void render(const char *text, size_t len, char *to, size_t size)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "t.csv");
	FILE *file = fopen(path.text, "w"), *out = fmemopen(to, size, "w");
	struct csvread *reader;
	struct error err = {0};
	int rc;

	ck_assert(file && out && fwrite(text, 1, len, file) == len);
	to[0] = '\0'; /* fmemopen() leaves it as it is if nothing is printed */
	fclose(file);
	reader = csvread_open(open(path.text, O_RDONLY), path.text, &err);
	ck_assert_ptr_nonnull(reader);
	while ((rc = csvread_row(reader, &err)) > 0) {
		fprintf(out, "%d:", (int)csvread_line(reader));
		for (size_t i = 0; i < csvread_nr_cells(reader); i++)
			fprintf(out, "[%s]", csvread_cell(reader, i));
	}
	if (rc < 0)
		fprintf(out, "%s", strstr(err.text, "t.csv: ") + strlen("t.csv: "));
	fclose(out);
	csvread_close(reader);
	scratch_remove(dir.text);
}

static const struct {
	const char *text, *rows;
} tables[] = {
	{"", ""},
	{"a", "1:[a]"},
	{"a\n", "1:[a]"},
	{"a,b\n1,2\n", "1:[a][b]2:[1][2]"},
	{"a,b\r\n1,2\r\n", "1:[a][b]2:[1][2]"},
	{"\xef\xbb\xbf"
	 "a,b\n",
	 "1:[a][b]"},
	{"\xef\xbb", "1:[\xef\xbb]"},
	{",\n,,", "1:[][]2:[][][]"},
	{"\n\r\na\n\n\nb\n\n", "3:[a]6:[b]"},
	{"\"\"\n", "1:[]"},
	{"\"a,b\",\"say \"\"x\"\"\"\n", "1:[a,b][say \"x\"]"},
	{"\"a\nb\r\nc\",d\ne\n", "1:[a\nb\r\nc][d]4:[e]"},
	{"'=x, y ,\t\n", "1:['=x][ y ][\t]"},
	{"a\n\"b", "1:[a]line 2: a quote is never closed"},
	{"a\n\"b\n\n\n", "1:[a]line 2: a quote is never closed"},
	{"\"a\"b\n", "line 1: a comma is missing after a quote"},
	{"x\na\"b\n", "1:[x]line 2: a quote inside an unquoted cell"},
	{"a\rb\n", "line 1: a carriage return without a line feed"},
};

START_TEST(reading)
{
	char got[512];

	render(tables[_i].text, strlen(tables[_i].text), got, sizeof(got));
	ck_assert_str_eq(got, tables[_i].rows);
}
END_TEST

START_TEST(zero_bytes)
{
	char got[512];

	render("a,b\n1\0,2\n", 9, got, sizeof(got));
	ck_assert_str_eq(got, "1:[a][b]line 2: contains a zero byte, so it is not text");
	render("\"\0", 2, got, sizeof(got));
	ck_assert_str_eq(got, "line 1: contains a zero byte, so it is not text");
}
END_TEST

/* A row is the same wherever the file is cut into pieces to be read. */
START_TEST(pieces)
{
	enum { PIECE = 64 << 10 };
	static const char row[] = "\n\n\"a\"\"b\r\n\"\"c\",\"\",d\r\n\"e\"";
	char *text = malloc(PIECE + sizeof(row)), *got = malloc(2 * PIECE);
	size_t len = PIECE - (size_t)_i;

	ck_assert(text && got);
	memset(text, 'x', len);
	memcpy(text + len, row, sizeof(row));
	render(text, len + sizeof(row) - 1, got, 2 * PIECE);
	ck_assert_uint_eq(strspn(got + strlen("1:["), "x"), len);
	ck_assert_str_eq(got + strlen("1:[") + len, "]3:[a\"b\r\n\"c][][d]5:[e]");
	free(text);
	free(got);
}
END_TEST

/* Neither many cells nor a long one take more than the bounds. */
START_TEST(bounds)
{
	const size_t len = CSVREAD_ROW_MAX + 2;
	char *text = malloc(len), got[512];

	ck_assert_ptr_nonnull(text);
	memset(text, 'x', len);
	render(text, len, got, sizeof(got));
	ck_assert_str_eq(got, "line 1: is longer than 16 MiB");
	memset(text, ',', len);
	render(text, len, got, sizeof(got));
	ck_assert_str_eq(got, "line 1: has more than 4096 cells");
	render(text, CSVREAD_CELLS_MAX - 1, got, sizeof(got));
	ck_assert_int_eq(strncmp(got, "1:[][][]", 8), 0);
	free(text);
}
END_TEST

START_TEST(not_to_be_read)
{
	struct error err = {0};

	ck_assert_ptr_null(csvread_open(open("/", O_RDONLY), "dir", &err));
	ck_assert_int_eq(err.kind, ERROR_IO);
	ck_assert_str_eq(err.text, "dir: cannot be read: Is a directory");
	csvread_close(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("csvread");
	TCase *tcase = tcase_create("csvread");

	tcase_add_loop_test(tcase, reading, 0, NR(tables));
	tcase_add_test(tcase, zero_bytes);
	tcase_add_loop_test(tcase, pieces, 0, 32);
	tcase_add_test(tcase, bounds);
	tcase_add_test(tcase, not_to_be_read);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
