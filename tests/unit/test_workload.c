/* What perf record was told to run. */
#include "decode/compare/profile/workload.h"

#include "tests/support/suite.h"

#include <check.h>
#include <string.h>

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const struct {
	const char *command, *workload;
} commands[] = {
	{"perf record ./prog -e x", "./prog -e x"},
	{"/usr/bin/perf record -a -g -- sleep 5", "sleep 5"},
	{"/usr/lib/linux-tools/perf_6.1 record prog", "prog"},
	{"'/opt/my tools/perf' record prog", "prog"},
	/* an argument is the rest of its word, or the next one */
	{"perf record -e cycles -F99 -c 1000 -o out.data prog a", "prog a"},
	{"perf record -agF 99 prog", "prog"},
	{"perf record -agF99 prog", "prog"},
	{"perf record -j any,u -C 0-3 -k mono -m 64 -r 5 -D 10 -u 0 prog", "prog"},
	{"perf record --event cycles --freq=99 --call-graph dwarf,8192 prog", "prog"},
	{"perf record --no-buffering --output=x --switch-output-event y prog", "prog"},
	/* that of some options must be in their word */
	{"perf record -z prog", "prog"},
	{"perf record -z3 -S prog", "prog"},
	{"perf record -I prog", "prog"},
	{"perf record -Iax,bx --aio --threads --off-cpu prog", "prog"},
	{"perf record -vz -e c prog", "prog"},
	/* quotes */
	{"perf record -e '{cycles,instructions}:S' 'my prog' 'it'\\''s'", "'my prog' 'it'\\''s'"},
	{"perf record '--filter=a b' -e 'x y' prog ''", "prog ''"},
	{"perf record -- -prog", "-prog"},
	{"perf record - x", "- x"},
	/* no program */
	{"perf record -p 42", ""},
	{"perf record -a", ""},
	{"perf record -a --", ""},
	{"perf record -e", ""},
	{"perf record", ""},
	/* other commands */
	{"perf mem record prog", NULL},
	{"perf", NULL},
	{"simpleperf record -f 99 prog", NULL},
	{"/data/simpleperf record prog", NULL},
	{"", NULL},
};

START_TEST(of_perf_record)
{
	const char *workload = workload_of(commands[_i].command);

	if (!commands[_i].workload)
		ck_assert_ptr_null(workload);
	else
		ck_assert_str_eq(workload, commands[_i].workload);
}
END_TEST

/** A word, what it means, and what follows it. */
static const struct {
	const char *words;
	size_t len;
	const char *word, *rest;
} words[] = {
	{"a b", 1, "a", "b"},
	{"'a b' c", 5, "a b", "c"},
	{"'it'\\''s' x", 9, "it's", "x"},
	{"'' x", 2, "", "x"},
	{"a", 1, "a", ""},
	{"", 0, "", ""},
	{"'open x", 7, "open x", ""},
	{"back\\", 5, "back", ""},
	{"0123456789abcdefg x", 17, "0123456789abcde", "x"},
};

START_TEST(by_words)
{
	char word[16];

	ck_assert_uint_eq(workload_word(words[_i].words), words[_i].len);
	ck_assert_str_eq(workload_rest(words[_i].words), words[_i].rest);
	workload_unquote(word, sizeof(word), words[_i].words);
	ck_assert_str_eq(word, words[_i].word);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("workload");
	TCase *tcase = tcase_create("workload");

	tcase_add_loop_test(tcase, of_perf_record, 0, NR(commands));
	tcase_add_loop_test(tcase, by_words, 0, NR(words));
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
