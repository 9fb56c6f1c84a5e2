/* CSV cells: numbers, quoting, repair and the guard against formulas. */
#include "util/csv.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "util/digits.h"
#include "util/text.h"

#include <check.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/** A table in a scratch directory. */
struct fixture {
	struct scratch_path dir;
	int fd;
	struct csv csv;
};

static struct fixture start(bool raw)
{
	struct fixture f = {.dir = scratch_make()};
	struct error err = {0};

	f.fd = outfile_open_dir(f.dir.text, &err);
	f.csv.out = outfile_create(f.fd, f.dir.text, "t.csv", &err);
	ck_assert_msg(f.csv.out, "%s", err.text);
	f.csv.raw = raw;
	return f;
}

/* The file's whole text, to be freed. */
static char *finish(struct fixture *f)
{
	struct error err = {0};
	char *text;

	ck_assert_msg(outfile_finish(f->csv.out, &err) == 0, "%s", err.text);
	ck_assert_msg(outfile_publish(f->csv.out, &err) == 0, "%s", err.text);
	outfile_close(f->csv.out);
	close(f->fd);
	text = scratch_read(f->dir.text, "t.csv");
	scratch_remove(f->dir.text);
	return text;
}

static void check_and_free(char *text, const char *expected)
{
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(rows)
{
	struct fixture f = start(false);

	csv_u64(&f.csv, 0);
	csv_i64(&f.csv, -1);
	csv_i64(&f.csv, INT64_MIN);
	csv_i64(&f.csv, 7);
	csv_hex(&f.csv, 0);
	csv_hex(&f.csv, UINT64_MAX);
	csv_hex(&f.csv, 0x7f00abc);
	csv_empty(&f.csv);
	csv_string(&f.csv, "main");
	csv_ready(&f.csv, "\"a,b\"", 5);
	csv_percent(&f.csv, 1, 3);
	csv_end_row(&f.csv);
	csv_string(&f.csv, "");
	csv_end_row(&f.csv);
	check_and_free(finish(&f),
		       "0,-1,-9223372036854775808,7,0x0,0xffffffffffffffff,0x7f00abc,,main,"
		       "\"a,b\",33.3333\n\n");
}
END_TEST

START_TEST(decimals)
{
	struct fixture f = start(false);
	static const char start[] =
		"0.0000,0.0000,-0.0001,12.3457,0.000000,1000000000000000,,,"
		"-2.0,0.00000000000123457\n-17976931348623157081452742373170435679807056752584";
	char *got;

	csv_decimal(&f.csv, 0, 4);
	csv_decimal(&f.csv, -0.00004, 4);
	csv_decimal(&f.csv, -0.00006, 4);
	csv_decimal(&f.csv, 12.34567, 4);
	csv_decimal(&f.csv, 1e-7, 6);
	csv_decimal(&f.csv, 1e15, 0);
	csv_decimal(&f.csv, INFINITY, 4);
	csv_decimal(&f.csv, NAN, 4);
	csv_decimal(&f.csv, -2, 1);
	csv_decimal(&f.csv, 1.2345678e-12, 17);
	csv_end_row(&f.csv);
	csv_decimal(&f.csv, -DBL_MAX, CSV_DECIMALS_MAX); /* has room */
	csv_end_row(&f.csv);
	got = finish(&f);
	ck_assert_int_eq(strncmp(got, start, strlen(start)), 0);
	ck_assert_ptr_nonnull(strstr(got, "858368.000000000000000000000000000000\n"));
	free(got);
}
END_TEST

/* The text that printf() makes of @value, without the sign of a zero. */
static const char *printed(char to[512], double value, int nr_decimals)
{
	snprintf(to, 512, "%.*f,", nr_decimals, value);
	return to[0] == '-' && to[strspn(to, "-0.")] == ',' ? to + 1 : to;
}

/* As printf() has them, which rounds exactly: halves, their neighbours, and all magnitudes. */
START_TEST(decimals_as_printed)
{
	struct fixture f = start(false);
	char *text = NULL, cell[512];
	size_t size;
	FILE *expected = open_memstream(&text, &size);

	for (int exponent = -100; exponent < 100; exponent++) {
		for (int k = 0; k < 40; k++) {
			double half = ldexp(2 * k + 1, exponent), value = half;

			if (k % 4 == 1)
				value = nextafter(half, 0);
			if (k % 4 == 2)
				value = half / 3;
			if (k % 8 >= 4)
				value = -value;
			csv_decimal(&f.csv, value, (unsigned)_i);
			fputs(printed(cell, value, _i), expected);
		}
	}
	csv_end_row(&f.csv);
	fclose(expected);
	text[size - 1] = '\n';
	check_and_free(finish(&f), text);
	free(text);
}
END_TEST

/* Every length of number, at both of its ends. */
START_TEST(numbers)
{
	struct fixture f = start(false);
	char expected[2048], *at = expected;
	uint64_t power = 1;

	for (int i = 0; i < 20; i++, power *= 10) {
		csv_u64(&f.csv, power - 1);
		csv_u64(&f.csv, power);
		csv_hex(&f.csv, 1ull << (i * 3));
		at += sprintf(at, "%" PRIu64 ",%" PRIu64 ",0x%" PRIx64 ",", power - 1, power,
			      (uint64_t)1 << (i * 3));
	}
	csv_u64(&f.csv, UINT64_MAX);
	sprintf(at, "%" PRIu64 "\n", UINT64_MAX);
	csv_end_row(&f.csv);
	check_and_free(finish(&f), expected);
}
END_TEST

struct percentage {
	uint64_t part, total;
	unsigned decimals;
	const char *text;
};

static const struct percentage percentages[] = {
	{0, 0, 4, "0.0000"},
	{5, 0, 4, "0.0000"},
	{0, 5, 4, "0.0000"},
	{5, 5, 4, "100.0000"},
	{1, 3, 4, "33.3333"},
	{2, 3, 4, "66.6667"},
	{1, 2000000, 4, "0.0001"}, /* exactly half */
	{1, 2000001, 4, "0.0000"}, /* a little less */
	{3, 2000000, 4, "0.0002"},
	{999999, 1000000, 4, "99.9999"},
	{1999999, 2000000, 4, "100.0000"},
	{UINT64_MAX, UINT64_MAX, 4, "100.0000"},
	{UINT64_MAX - 1, UINT64_MAX, 4, "100.0000"},
	{UINT64_MAX / 2, UINT64_MAX, 9, "50.000000000"},
	{UINT64_MAX / 8, UINT64_MAX, 4, "12.5000"},
	{1, UINT64_MAX, 4, "0.0000"},
	{1, 8, 2, "12.50"},
	{1, 800, 2, "0.13"},
	{6, 5, 1, "120.0"},
};

START_TEST(percent)
{
	const struct percentage *p = &percentages[_i];
	char text[DIGITS_PERCENT_MAX];

	ck_assert_uint_eq(digits_percent(text, p->part, p->total, p->decimals), strlen(p->text));
	ck_assert_str_eq(text, p->text);
}
END_TEST

struct cell {
	const char *text, *safe, *raw;
};

#define FFFD TEXT_REPLACEMENT

static const struct cell cells[] = {
	{"", "", ""},
	{"plain", "plain", "plain"},
	{"two words", "two words", "two words"},
	{"f(int, char)", "\"f(int, char)\"", "\"f(int, char)\""},
	{"say \"hi\"", "\"say \"\"hi\"\"\"", "\"say \"\"hi\"\"\""},
	{"\"", "\"\"\"\"", "\"\"\"\""},
	{"a\nb", "\"a\nb\"", "\"a\nb\""},
	{"a\rb", "\"a\rb\"", "\"a\rb\""},
	{"=1+2", "'=1+2", "=1+2"},
	{"+1", "'+1", "+1"},
	{"-1", "'-1", "-1"},
	{"@SUM(A1)", "'@SUM(A1)", "@SUM(A1)"},
	{"\tx", "'\tx", "\tx"},
	{"\rx", "\"'\rx\"", "\"\rx\""},
	{"=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\"", "\"=HYPERLINK(\"\"x\"\",1)\""},
	{"a=b", "a=b", "a=b"},
	{"'quoted", "'quoted", "'quoted"},
	{"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
	{"a\xff"
	 "b",
	 "a" FFFD "b", "a" FFFD "b"},
	{"\x80\x80", FFFD FFFD, FFFD FFFD},
	{"\xf0\x9f\x98", FFFD, FFFD},
	{"\xed\xa0\x80", FFFD FFFD FFFD, FFFD FFFD FFFD},
	{"\xc3,", "\"" FFFD ",\"", "\"" FFFD ",\""},
	{"=\xff\"", "\"'=" FFFD "\"\"\"", "\"=" FFFD "\"\"\""},
};

START_TEST(text_cells)
{
	const struct cell *cell = &cells[_i];

	for (int raw = 0; raw < 2; raw++) {
		const char *expected = raw ? cell->raw : cell->safe;
		struct fixture f = start(raw);
		char encoded[128], line[128];
		size_t len = csv_encode(encoded, cell->text, strlen(cell->text), raw);

		ck_assert_uint_le(len, CSV_ENCODED_MAX(strlen(cell->text)));
		ck_assert_uint_eq(len, strlen(expected));
		ck_assert_int_eq(memcmp(encoded, expected, len), 0);
		csv_string(&f.csv, cell->text);
		csv_end_row(&f.csv);
		snprintf(line, sizeof(line), "%s\n", expected);
		check_and_free(finish(&f), line);
	}
}
END_TEST

enum { LONGEST = 50 };

/* Appends the cell of a text of @len bytes, all 'x' but @c at @at. */
static char *append_cell(char *to, size_t len, size_t at, char c)
{
	const char *quote = strchr(",\"\n\r", c) ? "\"" : "";
	const char *guard = at == 0 && strchr("+-=@\t\r", c) ? "'" : "";
	const char text[] = {c, c == '"' ? c : '\0', '\0'};

	to = stpcpy(stpcpy(to, quote), guard);
	to = (char *)memset(to, 'x', at) + at;
	to = stpcpy(to, (uint8_t)c >= 0x80 ? "\xef\xbf\xbd" : text);
	to = (char *)memset(to, 'x', len - at - 1) + len - at - 1;
	return stpcpy(stpcpy(to, quote), ",");
}

/* In texts that are looked at in one go, and in longer ones. */
START_TEST(special_bytes_at_each_place)
{
	static const char special[] = ",\"\n\r\x80\xff+-=@\t;!~\x7f\x01";
	const char c = special[_i];
	char expected[(2 * LONGEST + 8) * LONGEST * LONGEST], *end = expected;
	struct fixture f = start(false);

	for (size_t len = 1; len <= LONGEST; len++) {
		for (size_t at = 0; at < len; at++) {
			char text[LONGEST];

			memset(text, 'x', len);
			text[at] = c;
			csv_text(&f.csv, text, len);
			end = append_cell(end, len, at, c);
		}
	}
	csv_end_row(&f.csv);
	end[-1] = '\n';
	*end = '\0';
	check_and_free(finish(&f), expected);
}
END_TEST

/* Cells longer than the buffer are encoded in parts, which must not show. */
START_TEST(long_cells)
{
	static const char *const units[] = {"a",  "\xc3\xa9", "\xe4\xb8\xad", "\xf0\x9f\x98\x80",
					    "\"", "\x80"};
	struct fixture f = start(false);
	const char *unit = units[_i % 6];
	size_t len = strlen(unit), nr = 300000 / len, at = 0, encoded;
	char *text = malloc(300000 + 4), *expected = malloc(CSV_ENCODED_MAX(300000 + 4) + 2), *got;

	/* the characters stand at every place relative to the parts */
	for (int i = 0; i < _i / 6; i++)
		text[at++] = 'x';
	for (size_t i = 0; i < nr; i++, at += len)
		memcpy(text + at, unit, len);
	encoded = csv_encode(expected, text, at, false);
	memcpy(expected + encoded, "\n", 2);
	csv_text(&f.csv, text, at);
	csv_end_row(&f.csv);
	got = finish(&f);
	ck_assert_int_eq(strcmp(got, expected), 0);
	free(got);
	free(expected);
	free(text);
}
END_TEST

/* Rows end right at and around the end of the buffer. */
START_TEST(rows_across_the_buffer)
{
	struct fixture f = start(false);
	size_t first = OUTFILE_BUFFER - 8 + (size_t)_i;
	char *filler = malloc(first), *got;

	memset(filler, 'x', first);
	csv_ready(&f.csv, filler, first);
	csv_empty(&f.csv);
	csv_string(&f.csv, "");
	csv_end_row(&f.csv);
	csv_u64(&f.csv, 12);
	csv_string(&f.csv, "a,b");
	csv_end_row(&f.csv);
	got = finish(&f);
	ck_assert_int_eq(memcmp(got, filler, first), 0);
	ck_assert_str_eq(got + first, ",,\n12,\"a,b\"\n");
	free(got);
	free(filler);
}
END_TEST

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

int main(void)
{
	Suite *suite = suite_create("csv");
	TCase *tcase = tcase_create("csv");

	tcase_add_test(tcase, rows);
	tcase_add_test(tcase, decimals);
	tcase_add_loop_test(tcase, decimals_as_printed, 0, 10);
	tcase_add_test(tcase, numbers);
	tcase_add_loop_test(tcase, percent, 0, NR(percentages));
	tcase_add_loop_test(tcase, text_cells, 0, NR(cells));
	tcase_add_loop_test(tcase, special_bytes_at_each_place, 0, 16);
	tcase_add_loop_test(tcase, long_cells, 0, 4 * 6);
	tcase_add_loop_test(tcase, rows_across_the_buffer, 0, 12);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
