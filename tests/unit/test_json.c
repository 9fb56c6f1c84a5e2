/* JSON: commas, lines, what is escaped, and numbers that JSON does not have. */
#include "util/json.h"

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/** A file in a scratch directory. */
struct fixture {
	struct scratch_path dir;
	int fd;
	struct outfile *out;
};

static struct fixture start(struct json *json, unsigned lines)
{
	struct fixture f = {.dir = scratch_make()};
	struct error err = {0};

	f.fd = outfile_open_dir(f.dir.text, &err);
	f.out = outfile_create(f.fd, f.dir.text, "t.json", &err);
	ck_assert_msg(f.out, "%s", err.text);
	json_start(json, f.out, lines);
	return f;
}

static void finish(struct fixture *f, const char *expected)
{
	struct error err = {0};
	char *text;

	ck_assert_msg(outfile_finish(f->out, &err) == 0, "%s", err.text);
	ck_assert_msg(outfile_publish(f->out, &err) == 0, "%s", err.text);
	outfile_close(f->out);
	close(f->fd);
	text = scratch_read(f->dir.text, "t.json");
	ck_assert_str_eq(text, expected);
	free(text);
	scratch_remove(f->dir.text);
}

static void put_all(struct json *json)
{
	json_open(json, NULL, '{');
	json_text(json, "a", "b");
	json_open(json, "list", '[');
	json_u64(json, NULL, UINT64_MAX);
	json_open(json, NULL, '{');
	json_bool(json, "yes", true);
	json_bool(json, "no", false);
	json_close(json);
	json_open(json, NULL, '[');
	json_close(json);
	json_close(json);
	json_open(json, "empty", '{');
	json_close(json);
	json_null(json, "null");
	json_close(json);
	json_end(json);
}

START_TEST(lines)
{
	static const char *const expected[] = {
		"{\"a\": \"b\", \"list\": [18446744073709551615, {\"yes\": true, \"no\": false}, "
		"[]], "
		"\"empty\": {}, \"null\": null}\n",
		"{\n  \"a\": \"b\",\n  \"list\": [18446744073709551615, {\"yes\": true, \"no\": "
		"false}, "
		"[]],\n  \"empty\": {},\n  \"null\": null\n}\n",
		"{\n  \"a\": \"b\",\n  \"list\": [\n    18446744073709551615,\n    {\"yes\": true, "
		"\"no\": false},\n    []\n  ],\n  \"empty\": {},\n  \"null\": null\n}\n",
	};
	struct json json;
	struct fixture f = start(&json, (unsigned)_i);

	put_all(&json);
	finish(&f, expected[_i]);
}
END_TEST

START_TEST(text)
{
	struct json json;
	struct fixture f = start(&json, 0);

	json_open(&json, NULL, '[');
	json_text(&json, NULL, "");
	json_text(&json, NULL, "\"\\/<>&'");
	json_text(&json, NULL, "\b\f\n\r\t\x01\x1f\x7f");
	json_text(&json, NULL, "\xc3\xa4\xf0\x9f\x98\x80"); /* two characters of UTF-8 */
	json_text(&json, NULL,
		  "a\xff"
		  "b\xed\xa0\x80\xc3");
	json_close(&json);
	finish(&f, "[\"\", \"\\\"\\\\/<>&'\", \"\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\", "
		   "\"\xc3\xa4\xf0\x9f\x98\x80\", "
		   "\"a\xef\xbf\xbd"
		   "b\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"]");
}
END_TEST

static const struct {
	double value;
	unsigned decimals;
	const char *text;
} numbers[] = {
	{0, 4, "0"},
	{-0.0, 4, "0"},
	{-0.00001, 4, "0"},
	{1.5, 4, "1.5"},
	{-1.23456, 4, "-1.2346"},
	{100, 0, "100"},
	{100, 4, "100"},
	{93333240, 4, "93333240"},
	{0.000001, 6, "0.000001"},
	{1e25, 1, "10000000000000000905969664"},
	{(double)INFINITY, 4, "null"},
	{-(double)INFINITY, 4, "null"},
	{(double)NAN, 4, "null"},
};

START_TEST(number)
{
	struct json json;
	struct fixture f = start(&json, 0);

	json_number(&json, NULL, numbers[_i].value, numbers[_i].decimals);
	finish(&f, numbers[_i].text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("json");
	TCase *tcase = tcase_create("json");

	tcase_add_loop_test(tcase, lines, 0, 3);
	tcase_add_test(tcase, text);
	tcase_add_loop_test(tcase, number, 0, (int)(sizeof(numbers) / sizeof(numbers[0])));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
