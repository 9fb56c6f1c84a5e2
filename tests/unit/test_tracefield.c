/* Fields of tracepoints: their layout by the format, their values, the words for these. */
#include "perffile/tracefield.h"
#include "perffile/tracewords.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char format[] =
	"name: everything\nID: 9\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:long state;\toffset:24;\tsize:8;\tsigned:1;\n"
	"\tfield:u8 small;\toffset:32;\tsize:1;\tsigned:0;\n"
	"\tfield:s8 minus;\toffset:33;\tsize:1;\tsigned:1;\n"
	"\tfield:__u16 words[2];\toffset:34;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc char[] filename;\toffset:38;\tsize:4;\tsigned:1;\n"
	"\tfield:__rel_loc char[] tail;\toffset:42;\tsize:4;\tsigned:1;\n"
	"\tfield:const void * where;\toffset:46;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc unsigned long[] mask;\toffset:54;\tsize:4;\tsigned:0;\n"
	"\tfield:struct odd odd;\toffset:58;\tsize:3;\tsigned:0;\n"
	"\tfield:char old[TASK_COMM_LEN];\toffset:8;\tsize:16;\n"
	"\tfield:unsigned int nosign;\toffset:4;\tsize:4;\n"
	"\tfield:int minus4;\toffset:4;\tsize:4;\n"
	"\tfield:int;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:int nooffset;\tsize:4;\tsigned:1;\n"
	"\tfield:long beyond;\toffset:4000000;\tsize:8;\tsigned:1;\n"
	"\nprint fmt: \"field:int no; offset:0; size:4;\"\n"
	"\tfield:int after;\toffset:4;\tsize:4;\tsigned:1;\n";

/* The raw data that @format is about. */
struct data {
	uint8_t bytes[96];
};

static void put(struct data *data, size_t at, unsigned width, uint64_t value, bool big)
{
	for (unsigned i = 0; i < width; i++)
		data->bytes[at + i] = (uint8_t)(value >> 8 * (big ? width - 1 - i : i));
}

static struct data data_of(bool big)
{
	struct data d = {{0}};

	put(&d, 0, 2, 9, big);
	put(&d, 4, 4, (uint32_t)-7, big);
	memcpy(d.bytes + 8, "swapper/0", 9);
	put(&d, 24, 8, 1u << 8 | 2, big);
	put(&d, 32, 1, 200, big);
	put(&d, 33, 1, 200, big);
	put(&d, 34, 2, 513, big);
	put(&d, 36, 2, 65535, big);
	put(&d, 38, 4, 64 | 6u << 16, big);
	put(&d, 42, 4, 24 | 3u << 16, big);
	put(&d, 46, 8, 0xffff888012345678u, big);
	put(&d, 54, 4, 76 | 16u << 16, big);
	memcpy(d.bytes + 58, "\1\2\3", 3);
	memcpy(d.bytes + 64, "/bin/", 6);
	memcpy(d.bytes + 70, "abc", 3);
	put(&d, 76, 8, 5, big);
	put(&d, 84, 8, UINT64_MAX, big);
	return d;
}

static struct tracepoint point_of(const char *text, bool big)
{
	const bool host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	return (struct tracepoint){
		.format = span_make(text, strlen(text), big != host_is_big),
		.long_size = 8,
	};
}

static struct tracefield field_of(const struct tracepoint *point, const char *name)
{
	struct tracefield field;

	ck_assert_msg(tracefield_find(point, name, strlen(name), &field), "%s", name);
	return field;
}

static void expect_number(const struct tracefield *field, struct span raw, int64_t expected)
{
	uint64_t value = 0;

	ck_assert_int_eq(field->kind, TRACEFIELD_NUMBER);
	ck_assert(tracefield_number(field, raw, &value));
	ck_assert_int_eq((int64_t)value, expected);
}

static void expect_text(const struct tracefield *field, struct span raw, const char *expected)
{
	struct span text;

	ck_assert_int_eq(field->kind, TRACEFIELD_TEXT);
	ck_assert(tracefield_bytes(field, raw, &text));
	ck_assert_uint_eq(span_left(&text), strlen(expected));
	ck_assert_mem_eq(text.pos, expected, strlen(expected));
}

static const struct {
	const char *name;
	int64_t value;
} numbers[] = {
	{"common_type", 9}, {"common_pid", -7},		 {"state", 258}, {"small", 200},
	{"minus", -56},	    {"where", -131391334099336}, {"minus4", -7}, {"nosign", 4294967289},
};

START_TEST(numbers_of_any_size_and_sign)
{
	const struct tracepoint point = point_of(format, _i);
	const struct data d = data_of(_i);
	const struct span raw = span_make(d.bytes, sizeof(d.bytes), false);
	struct tracefield field;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		field = field_of(&point, numbers[i].name);
		expect_number(&field, raw, numbers[i].value);
		ck_assert(field.is_pointer == (strcmp(numbers[i].name, "where") == 0));
	}
}
END_TEST

START_TEST(texts)
{
	const struct tracepoint point = point_of(format, _i);
	const struct data d = data_of(_i);
	const struct span raw = span_make(d.bytes, sizeof(d.bytes), false);
	struct tracefield field = field_of(&point, "prev_comm");

	expect_text(&field, raw, "swapper/0");
	field = field_of(&point, "old");
	expect_text(&field, raw, "swapper/0");
	field = field_of(&point, "filename");
	expect_text(&field, raw, "/bin/");
	field = field_of(&point, "tail");
	expect_text(&field, raw, "abc");
}
END_TEST

static void expect_array(const struct tracepoint *point, struct span raw, const char *name,
			 const char *expected)
{
	const struct tracefield field = field_of(point, name);
	char text[128] = "";
	struct span bytes;
	uint64_t value;

	ck_assert_int_eq(field.kind, TRACEFIELD_ARRAY);
	ck_assert(tracefield_bytes(&field, raw, &bytes));
	while (tracefield_take(&field, &bytes, &value))
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%llu ",
			 (unsigned long long)value);
	ck_assert_str_eq(text, expected);
}

START_TEST(arrays)
{
	const struct tracepoint point = point_of(format, _i);
	const struct data d = data_of(_i);
	const struct span raw = span_make(d.bytes, sizeof(d.bytes), false);
	struct tracefield field;

	expect_array(&point, raw, "words", "513 65535 ");
	expect_array(&point, raw, "mask", "5 18446744073709551615 ");
	expect_array(&point, raw, "odd", "1 2 3 ");
	field = field_of(&point, "words");
	ck_assert(tracefield_element(&field, 1));
	expect_number(&field, raw, 65535);
	ck_assert(!tracefield_element(&field, 0)); /* a number has no elements */
	field = field_of(&point, "words");
	ck_assert(!tracefield_element(&field, 2));
	ck_assert(!tracefield_element(&field, UINT32_MAX));
	field = field_of(&point, "mask");
	ck_assert(!tracefield_element(&field, 0)); /* its place is known with the data only */
}
END_TEST

/* What is no field, or comes after the fields. */
static const char *const no_fields[] = {"nooffset", "no", "after", "", "common", "int", "prev_com"};

START_TEST(fields_that_are_none)
{
	const struct tracepoint point = point_of(format, false);
	struct tracefield field;

	ck_assert(!tracefield_find(&point, no_fields[_i], strlen(no_fields[_i]), &field));
}
END_TEST

/* However short the data: whole values, or none. */
START_TEST(data_that_is_cut)
{
	const struct tracepoint point = point_of(format, false);
	const struct data d = data_of(false);

	for (size_t len = 0; len <= sizeof(d.bytes); len++) {
		uint8_t *copy = malloc(len + 1);
		const struct span raw = span_make(copy, len, false);
		struct span text = point.format, bytes;
		struct tracefield field;
		uint64_t value;
		size_t nr = 0;

		memcpy(copy, d.bytes, len);
		while (tracefield_next(&point, &text, &field)) {
			bool whole = field.kind == TRACEFIELD_NUMBER
					     ? tracefield_number(&field, raw, &value)
					     : tracefield_bytes(&field, raw, &bytes);

			if (field.place == TRACEFIELD_HERE)
				ck_assert(whole == (len >= field.offset + field.size));
			nr++;
		}
		ck_assert_uint_eq(nr, 16);
		free(copy);
	}
}
END_TEST

static const char worded[] =
	"name: w\nID: 9\nformat:\n"
	"\tfield:long state;\toffset:0;\tsize:8;\tsigned:1;\n"
	"\tfield:int kind;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:int flags;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:int shifted;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:int flag;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:long prev;\toffset:0;\tsize:8;\tsigned:1;\n"
	"\tfield:long two;\toffset:0;\tsize:8;\tsigned:1;\n"
	"\nprint fmt: \"%s %s\", (REC->state & ((((0x0 | 0x1 | 0x0e) + 1) << 1) - 1)) ? "
	"__print_flags(REC->state & ((((0x0 | 0x1 | 0x0e) + 1) << 1) - 1), \"|\", "
	"{ 0x00000001, \"S\" }, { 0x00000002, \"D\" }, { 010, \"t\" }) : \"R\", "
	"__print_symbolic((unsigned int)(REC->kind), { 0, \"none\" }, { -1, \"all\" }, "
	"{ NR_UNKNOWN, \"lost }\" }, { (( unsigned long)(1UL << (3))) | ~(~0x1), \"ni\\\"ne\" }), "
	"__print_symbolic(REC->shifted >> 3, { 1, \"no\" }), "
	"__print_flags(REC->flags, \" \", { 0, \"NOTHING\" }, { 3, \"BOTH\" }, { 1, \"ONE\" }, "
	"{ 2, \"TWO\" }, { 4 , \"FOUR\" }), "
	"(REC->prev & 0xf) ? __print_flags(REC->prev & 0xf, \"|\", { 1, \"S\" }, { 2, \"D\" }) : "
	"\"R\", REC->prev & (((0xe | 0x1) + 1) << 1) ? \"+\" : \"\", "
	"REC->two & 1 ? __print_flags(REC->two & 1, \"|\", { 1, \"S\" }) : \"R\", REC->two & 6 ? "
	"\"+\" : \"\"\n";

static const struct {
	const char *field;
	int64_t value;
	const char *words; /* NULL: none */
} words_of[] = {
	{"state", 0, "R"},	     {"state", 1, "S"},
	{"state", 3, "S|D"},	     {"state", 8, "t"},
	{"state", 0x102, "D|0x100"}, {"state", 0x100, "R|0x100"},
	{"state", 5, "S|0x4"},	     {"state", 4, NULL},
	{"kind", 0, "none"},	     {"kind", -1, "all"},
	{"kind", 9, "ni\\\"ne"},     {"kind", 1, NULL},
	{"shifted", 8, NULL},	     {"shifted", 1, NULL},
	{"flags", 0, "NOTHING"},     {"flags", 3, "BOTH"},
	{"flags", 7, "BOTH FOUR"},   {"flags", 2, "TWO"},
	{"flag", 1, NULL},	     {"prev", 0, "R"},
	{"prev", 0x20, "R+"},	     {"prev", 2, "D"},
	{"prev", 0x23, "S|D+"},	     {"prev", 0x31, "S|0x10+"},
	{"prev", 0x10, "R|0x10"},    {"prev", 0x24, NULL},
	{"two", 2, "R|0x2"}, /* of more than one bit a sign would not tell which */
};

START_TEST(words_of_values)
{
	const struct tracepoint point = point_of(worded, false);
	const struct tracefield field = field_of(&point, words_of[_i].field);
	const uint64_t value = (uint64_t)words_of[_i].value;
	const char *expected = words_of[_i].words;
	struct tracewords words;
	char text[32] = "";
	uint64_t back;

	ck_assert(tracewords_read(&words, &point, &field));
	ck_assert(tracewords_write(&words, value, text, sizeof(text)) == (expected != NULL));
	ck_assert_str_eq(text, expected ? expected : "");
	if (expected) {
		ck_assert(tracewords_value(&words, text, strlen(text), &back));
		ck_assert_uint_eq(back, value);
	}
	ck_assert(!tracewords_value(&words, "nobody", 6, &back));
	ck_assert(!tracewords_value(&words, "+", 1, &back));
	ck_assert(!tracewords_value(&words, "0x20", 4, &back));
	ck_assert(!tracewords_value(&words, "S|0x2g", 6, &back));
	tracewords_free(&words);
}
END_TEST

START_TEST(words_are_cut)
{
	const struct tracepoint point = point_of(worded, false);
	const struct tracefield field = field_of(&point, "flags");
	struct tracewords words;
	char text[8];

	ck_assert(tracewords_read(&words, &point, &field));
	ck_assert(tracewords_write(&words, 15, text, sizeof(text)));
	ck_assert_str_eq(text, "BOTH FO");
	ck_assert(tracewords_write(&words, 15, text, 1));
	ck_assert_str_eq(text, "");
	tracewords_free(&words);
}
END_TEST

/* Expressions that nest, or never end: no words, and no harm. */
START_TEST(words_that_nest)
{
	static const char head[] = "\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\nprint fmt: ";
	static const char *const calls[] = {"__print_flags(", "__print_symbolic(REC->a, {",
					    "__print_symbolic(REC->a, { ~"};
	static const char *const nested[] = {"(", "(((int)", "~", "-", "{", "\"", "1 +", "(1+"};
	enum { NR = 100000 };
	char *text = malloc(sizeof(head) + 64 + NR * 8);
	struct tracewords words;
	struct tracepoint point;
	struct tracefield field;
	char *at;

	at = stpcpy(stpcpy(text, head), calls[_i % 3]);
	for (size_t i = 0; i < NR; i++)
		at = stpcpy(at, nested[_i / 3]);
	point = point_of(text, false);
	field = field_of(&point, "a");
	ck_assert(tracewords_read(&words, &point, &field));
	ck_assert_uint_eq(words.nr, 0);
	tracewords_free(&words);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tracefield");
	TCase *fields = tcase_create("fields"), *named = tcase_create("words");

	tcase_add_loop_test(fields, numbers_of_any_size_and_sign, 0, 2);
	tcase_add_loop_test(fields, texts, 0, 2);
	tcase_add_loop_test(fields, arrays, 0, 2);
	tcase_add_loop_test(fields, fields_that_are_none, 0, sizeof(no_fields) / sizeof(char *));
	tcase_add_test(fields, data_that_is_cut);
	tcase_add_loop_test(named, words_of_values, 0, sizeof(words_of) / sizeof(words_of[0]));
	tcase_add_test(named, words_are_cut);
	tcase_add_loop_test(named, words_that_nest, 0, 24);
	suite_add_tcase(suite, fields);
	suite_add_tcase(suite, named);
	return suite_run(suite);
}
