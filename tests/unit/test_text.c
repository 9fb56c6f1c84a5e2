/* Broken UTF-8, columns of a terminal, escapes and wrapping. */
#include "util/text.h"

#include "tests/support/suite.h"
#include "util/charwidth.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct decoding {
	const char *bytes;
	size_t taken;
	uint32_t code;
};

/* The limits of Unicode's table 3-7, and its examples of ill-formed sequences. */
static const struct decoding decodings[] = {
	{"a", 1, 'a'},
	{"\x7f", 1, 0x7f},
	{"\x80", 1, TEXT_INVALID},
	{"\xbf", 1, TEXT_INVALID},
	{"\xc0\x80", 1, TEXT_INVALID},
	{"\xc1\xbf", 1, TEXT_INVALID},
	{"\xc2\x80", 2, 0x80},
	{"\xdf\xbf", 2, 0x7ff},
	{"\xc2", 1, TEXT_INVALID},
	{"\xc2\x41", 1, TEXT_INVALID},
	{"\xe0\x9f\xbf", 1, TEXT_INVALID},
	{"\xe0\xa0\x80", 3, 0x800},
	{"\xe1\x80\x41", 2, TEXT_INVALID},
	{"\xe1\x80\xe2", 2, TEXT_INVALID},
	{"\xed\x9f\xbf", 3, 0xd7ff},
	{"\xed\xa0\x80", 1, TEXT_INVALID},
	{"\xee\x80\x80", 3, 0xe000},
	{"\xef\xbf\xbd", 3, 0xfffd},
	{"\xf0\x8f\xbf\xbf", 1, TEXT_INVALID},
	{"\xf0\x90\x80\x80", 4, 0x10000},
	{"\xf0\x9f\x98", 3, TEXT_INVALID},
	{"\xf1\x80\x80\xe1", 3, TEXT_INVALID},
	{"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
	{"\xf4\x90\x80\x80", 1, TEXT_INVALID},
	{"\xf5\x80\x80\x80", 1, TEXT_INVALID},
	{"\xff", 1, TEXT_INVALID},
};

START_TEST(decoding)
{
	const struct decoding *d = &decodings[_i];
	uint32_t code;

	ck_assert_uint_eq(text_decode(d->bytes, strlen(d->bytes), &code), d->taken);
	ck_assert_uint_eq(code, d->code);
}
END_TEST

static size_t encode(char *to, uint32_t code)
{
	if (code < 0x80) {
		to[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		to[0] = (char)(0xc0 | code >> 6);
		to[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		to[0] = (char)(0xe0 | code >> 12);
		to[1] = (char)(0x80 | (code >> 6 & 0x3f));
		to[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | code >> 18);
	to[1] = (char)(0x80 | (code >> 12 & 0x3f));
	to[2] = (char)(0x80 | (code >> 6 & 0x3f));
	to[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

START_TEST(every_character_survives)
{
	for (uint32_t code = 0; code <= 0x10ffff; code++) {
		bool surrogate = code >= 0xd800 && code < 0xe000;
		char bytes[4];
		uint32_t decoded;
		size_t len = encode(bytes, code), taken = text_decode(bytes, len, &decoded);

		if (decoded != (surrogate ? TEXT_INVALID : code) || taken != (surrogate ? 1 : len))
			ck_abort_msg("U+%04X", code);
	}
}
END_TEST

struct width {
	uint32_t code;
	int columns;
};

static const struct width widths[] = {
	{0, -1},       {0x1b, -1},    {0x1f, -1},   {' ', 1},	  {'~', 1},	 {0x7f, -1},
	{0x80, -1},    {0x9b, -1},    {0x9f, -1},   {0xa0, 1},	  {0xe9, 1},	 {0x300, 0},
	{0x36f, 0},    {0x370, 1},    {0x5d0, 1},   {0x1100, 2},  {0x1160, -1},	 {0x200b, -1},
	{0x200d, -1},  {0x200e, -1},  {0x2028, -1}, {0x202e, -1}, {0x202f, 1},	 {0x2066, -1},
	{0x2069, -1},  {0x20ac, 1},   {0x231a, 2},  {0x3042, 2},  {0x4e2d, 2},	 {0xac00, 2},
	{0xe000, 1},   {0xfe0f, -1},  {0xfeff, -1}, {0xff01, 2},  {0xff61, 1},	 {0xfffd, 1},
	{0x10000, 1},  {0x1f600, 2},  {0x1f1e6, 1}, {0x20000, 2}, {0x30000, 2},	 {0xe0001, -1},
	{0xe01ef, -1}, {0x34f, -1},   {0x61c, -1},  {0x115f, -1}, {0x1161, 0},	 {0x180e, -1},
	{0x200c, -1},  {0x3164, -1},  {0xfe00, -1}, {0xffa0, -1}, {0xe0020, -1}, {0xe007f, -1},
	{0xe0100, -1}, {0x10ffff, 1},
};

START_TEST(width)
{
	ck_assert_int_eq(charwidth(widths[_i].code), widths[_i].columns);
}
END_TEST

struct shown {
	const char *text;
	size_t columns;
	const char *shown;
	size_t used;
};

static const struct shown shown[] = {
	{"main", 80, "main", 4},
	{"main", 4, "main", 4},
	{"main", 3, "mai", 3},
	{"main", 0, "", 0},
	{"", 5, "", 0},
	{"a\x1b[2Jb", 80, "a\\x1b[2Jb", 9},
	{"a\x1b[2Jb", 4, "a", 1},
	{"\tx\n", 80, "\\x09x\\x0a", 9},
	{"\xc2\x9b", 80, "\\xc2\\x9b", 8},
	{"\xc2\x9b", 7, "", 0},
	{"\xe2\x80\xae"
	 "evil",
	 80,
	 "\\xe2\\x80\\xae"
	 "evil",
	 16},
	{"\xff\xfe", 80, "\\xff\\xfe", 8},
	{"\xf0\x9f\x98", 80, "\\xf0\\x9f\\x98", 12},
	{"\xe4\xb8\xad\xe6\x96\x87", 3, "\xe4\xb8\xad", 2},
	{"\xe4\xb8\xad\xe6\x96\x87", 4, "\xe4\xb8\xad\xe6\x96\x87", 4},
	{"e\xcc\x81x", 1, "e\xcc\x81", 1},
	{"\x7f", 80, "\\x7f", 4},
};

START_TEST(showing)
{
	const struct shown *s = &shown[_i];
	char *text = NULL;
	size_t len, used;
	FILE *out = open_memstream(&text, &len);

	used = text_show(out, s->text, s->columns);
	fclose(out);
	ck_assert_str_eq(text, s->shown);
	ck_assert_uint_eq(used, s->used);
	ck_assert_uint_eq(text_show(NULL, s->text, s->columns), s->used);
	free(text);
}
END_TEST

static const struct shown ends[] = {
	{"ns::function(int)", 17, "ns::function(int)", 17},
	{"ns::function(int)", 16, "ns::fun...n(int)", 16},
	{"ns::function(int)", 9, "ns:...nt)", 9},
	{"ns::function(int)", 8, "ns::func", 8},
	{"ns::function(int)", 0, "", 0},
	/* what is two columns wide, or escaped, is not cut through */
	{"\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 9,
	 "\xe4\xb8\xad...\xe4\xb8\xad", 7},
	{"ab\x1b[2J____\x1b]d", 12, "ab...]d", 7},
	{"ab\x1b[2J____\x1b]d", 15, "ab\\x1b...\\x1b]d", 15},
	/* a mark does not lose what it belongs to */
	{"abcdefghe\xcc\x81xy", 9, "abc...e\xcc\x81xy", 9},
	{"abcdefghe\xcc\x81xyz", 9, "abc...xyz", 9},
};

START_TEST(showing_both_ends)
{
	const struct shown *s = &ends[_i];
	char *text = NULL;
	size_t len, used;
	FILE *out = open_memstream(&text, &len);

	used = text_show_ends(out, s->text, s->columns);
	fclose(out);
	ck_assert_str_eq(text, s->shown);
	ck_assert_uint_eq(used, s->used);
	ck_assert_uint_eq(text_show_ends(NULL, s->text, s->columns), s->used);
	free(text);
}
END_TEST

START_TEST(columns)
{
	ck_assert_uint_eq(text_columns("a\x1b\xe4\xb8\xad"), 7);
}
END_TEST

struct wrapped {
	const char *text;
	size_t at, indent, columns;
	const char *wrapped;
};

static const struct wrapped wraps[] = {
	{"one two three", 0, 2, 80, "one two three\n"},
	{"one two three", 0, 2, 7, "one two\n  three\n"},
	{"one two three", 0, 2, 6, "one\n  two\n  three\n"},
	{"one two three", 4, 2, 7, "one\n  two\n  three\n"},
	{"unbreakable words", 0, 1, 5, "unbreakable\n words\n"},
	{"", 0, 2, 80, "\n"},
};

START_TEST(wrapping)
{
	const struct wrapped *w = &wraps[_i];
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	text_wrap(out, w->text, w->at, w->indent, w->columns);
	fclose(out);
	ck_assert_str_eq(text, w->wrapped);
	free(text);
}
END_TEST

static const char *const roffs[][2] = {
	{"plain words", "plain words"},
	{"--top and -1", "\\-\\-top and \\-1"},
	{".csv first", "\\&.csv first"},
	{"'quoted'", "\\&'quoted'"},
	{"a\\b", "a\\eb"},
	{"One. -2. 'x'", "One.\n\\-2.\n\\&'x'"},
	{"", ""},
};

START_TEST(roff)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	text_print_roff(out, roffs[_i][0]);
	fclose(out);
	ck_assert_str_eq(text, roffs[_i][1]);
	free(text);
}
END_TEST

START_TEST(no_terminal_has_no_columns)
{
	FILE *out = tmpfile();

	ck_assert_uint_eq(text_terminal_columns(out), 0);
	fclose(out);
}
END_TEST

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

int main(void)
{
	Suite *suite = suite_create("text");
	TCase *tcase = tcase_create("text");

	tcase_add_loop_test(tcase, decoding, 0, NR(decodings));
	tcase_add_test(tcase, every_character_survives);
	tcase_add_loop_test(tcase, width, 0, NR(widths));
	tcase_add_loop_test(tcase, showing, 0, NR(shown));
	tcase_add_loop_test(tcase, showing_both_ends, 0, NR(ends));
	tcase_add_test(tcase, columns);
	tcase_add_loop_test(tcase, wrapping, 0, NR(wraps));
	tcase_add_loop_test(tcase, roff, 0, NR(roffs));
	tcase_add_test(tcase, no_terminal_has_no_columns);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
