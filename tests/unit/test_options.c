/* The option table: parsing, and what is printed from it. */
#include "util/completion.h"
#include "util/options.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_CSV = OPTION_LONG_ONLY, KEY_CSS };

static const struct option_spec specs[] = {
	{.help = "Output"},
	{'o', "output", "DIR", "Write there."},
	{KEY_CSV, "csv", "raw|safe", "How -1 and '=x' look."},
	{KEY_CSS, "css", NULL, "A neighbour."},
	{.help = "Other"},
	{'q', "quiet", NULL, "Say nothing."},
	{'k', "a-long-name-indeed", "DIR|FILE", "Read \\ it."},
	{'n', "number", "N", "One."},
	{0}, /* what follows is in no list */
	{'z', "unlisted", "FILE", NULL},
};

enum { NR_SPECS = sizeof(specs) / sizeof(specs[0]), ARGS_MAX = 8 };

/** What was applied: "o=x q " and so on. */
struct applied {
	char text[256];
};

static int apply(void *settings, int key, const char *arg, struct error *err)
{
	struct applied *applied = settings;
	size_t len = strlen(applied->text);

	if (key == 'n' && strcmp(arg, "bad") == 0)
		return error_set(err, ERROR_USAGE, "bad number");
	if (key == OPTION_UNKNOWN && strcmp(arg, "--answered=3") == 0)
		return error_set(err, ERROR_USAGE, "an answer");
	if (key >= OPTION_LONG_ONLY)
		snprintf(applied->text + len, sizeof(applied->text) - len, "%d",
			 key - OPTION_LONG_ONLY);
	else
		snprintf(applied->text + len, sizeof(applied->text) - len, "%c", key);
	len = strlen(applied->text);
	snprintf(applied->text + len, sizeof(applied->text) - len, "%s%s ", arg ? "=" : "",
		 arg ? arg : "");
	return 0;
}

struct line {
	const char *args[ARGS_MAX];
	const char *applied;
	int operands;	  /* -1: refused */
	const char *rest; /* the first operand, or the message */
};

static const struct line lines[] = {
	{{NULL}, "", 0, NULL},
	{{"file"}, "", 1, "file"},
	{{"-o", "x", "-q", "file"}, "o=x q ", 1, "file"},
	{{"-ox", "-qq"}, "o=x q q ", 0, NULL},
	{{"-qox"}, "q o=x ", 0, NULL},
	{{"--output=x"}, "o=x ", 0, NULL},
	{{"--output", "x"}, "o=x ", 0, NULL},
	{{"--output="}, "o= ", 0, NULL},
	{{"--out=x"}, "o=x ", 0, NULL},
	{{"--csv=raw", "--css"}, "0=raw 1 ", 0, NULL},
	{{"file", "-q"}, "q ", 1, "file"},
	{{"-q", "--", "-q"}, "q ", 1, "-q"},
	{{"-"}, "", 1, "-"},
	{{"-n", "-5"}, "n=-5 ", 0, NULL},
	{{"-zx", "--unlisted=y"}, "z=x z=y ", 0, NULL},
	{{"-x"}, "?=-x ", -1, "unknown option -x"},
	{{"-qx"}, "q ?=-x ", -1, "unknown option -x"},
	{{"--nothing"}, "?=--nothing ", -1, "unknown option --nothing"},
	{{"file", "--nothing=3"}, "?=--nothing=3 ", -1, "unknown option --nothing=3"},
	{{"--outptu=3"}, "?=--outptu=3 ", -1, "unknown option --outptu=3: did you mean --output?"},
	{{"--outputs"}, "?=--outputs ", -1, "unknown option --outputs: did you mean --output?"},
	{{"--utput"}, "?=--utput ", -1, "unknown option --utput: did you mean --output?"},
	{{"--quitely"}, "?=--quitely ", -1, "unknown option --quitely"},
	{{"--csx"}, "?=--csx ", -1, "unknown option --csx: did you mean --csv?"},
	{{"--unlistet"}, "?=--unlistet ", -1, "unknown option --unlistet"},
	{{"--abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq"},
	 "?=--abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq ",
	 -1,
	 "unknown option --abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq"},
	{{"--cs"}, "", -1, "option --cs is ambiguous: --csv, --css"},
	{{"--quiet=yes"}, "", -1, "option --quiet takes no argument"},
	{{"-o"}, "", -1, "option --output needs an argument: DIR"},
	{{"-q", "--csv"}, "q ", -1, "option --csv needs an argument: raw|safe"},
	{{"-q", "-n", "bad", "-q"}, "q ", -1, "bad number"},
	{{"-q", "--answered=3", "-q"}, "q ", -1, "an answer"},
};

START_TEST(parsing)
{
	const struct line *line = &lines[_i];
	char *argv[ARGS_MAX + 2] = {strdup("program")};
	char *all[ARGS_MAX + 1];
	struct applied applied = {""};
	struct error err = {0};
	int argc = 1, first;

	for (int i = 0; line->args[i]; i++)
		argv[argc++] = strdup(line->args[i]);
	memcpy(all, argv, sizeof(all));
	first = options_parse(specs, NR_SPECS, argc, argv, apply, &applied, &err);
	ck_assert_str_eq(applied.text, line->applied);
	if (line->operands < 0) {
		ck_assert_int_eq(first, -1);
		ck_assert_str_eq(err.text, line->rest);
		ck_assert_int_eq(err.kind, ERROR_USAGE);
	} else {
		ck_assert_int_eq(argc - first, line->operands);
		if (line->rest)
			ck_assert_str_eq(argv[first], line->rest);
	}
	for (int i = 0; i < argc; i++)
		free(all[i]);
}
END_TEST

static char *text;
static size_t text_len;

static FILE *open_text(void)
{
	return open_memstream(&text, &text_len);
}

static void check_text(FILE *out, const char *expected)
{
	fclose(out);
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(help)
{
	FILE *out = open_text();

	options_print_help(out, specs, NR_SPECS, 42);
	check_text(out, "Output:\n"
			"  -o, --output=DIR          Write there.\n"
			"      --csv=raw|safe        How -1 and\n"
			"                            '=x' look.\n"
			"      --css                 A neighbour.\n"
			"\n"
			"Other:\n"
			"  -q, --quiet               Say nothing.\n"
			"  -k, --a-long-name-indeed=DIR|FILE\n"
			"                            Read \\ it.\n"
			"  -n, --number=N            One.\n");
}
END_TEST

START_TEST(roff)
{
	FILE *out = open_text();

	options_print_roff(out, specs, 3);
	check_text(out, ".SS Output\n"
			".TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR=\\fIDIR\\fR\nWrite there.\n"
			".TP\n\\fB\\-\\-csv\\fR=\\fIraw|safe\\fR\nHow \\-1 and '=x' look.\n");
}
END_TEST

START_TEST(completion)
{
	const struct option_command command = {NULL, specs, NR_SPECS};
	FILE *out = open_text();

	completion_print(out, COMPLETION_BASH, "program", &command, 1);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(text, "--output | -o) mapfile -t COMPREPLY < <(compgen -d"));
	ck_assert_ptr_nonnull(
		strstr(text, "--csv) mapfile -t COMPREPLY < <(compgen -W \"raw safe\""));
	ck_assert_ptr_nonnull(strstr(text, "--a-long-name-indeed | -k) mapfile -t COMPREPLY < "
					   "<(compgen -f"));
	ck_assert_ptr_nonnull(strstr(text, "--number | -n) COMPREPLY=() ;;"));
	ck_assert_ptr_nonnull(strstr(text, "\"--output= --csv= --css --quiet "
					   "--a-long-name-indeed= --number= \""));
	ck_assert_ptr_nonnull(strstr(text, "complete -o filenames -F _program program\n"));
	free(text);
}
END_TEST

START_TEST(completion_of_commands)
{
	static const struct option_spec of_diff[] = {{'b', "by", "a|b", ""}};
	const struct option_command commands[] = {{NULL, specs, NR_SPECS}, {"diff", of_diff, 1}};
	FILE *out = open_text();

	completion_print(out, COMPLETION_BASH, "program", commands, 2);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(text, "\n_program()\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n_program_diff()\n"));
	ck_assert_ptr_nonnull(strstr(text, "\t*,diff) _program_diff ;;\n\t*) _program ;;\n"));
	ck_assert_ptr_nonnull(strstr(text, "compgen -W \"diff \" -- "));
	ck_assert_ptr_nonnull(strstr(text, "complete -o filenames -F _program_command program\n"));
	free(text);
}
END_TEST

/* A list is shown by that name, and each of its words is completed. */
START_TEST(list_of_words)
{
	static const struct option_spec list[] = {{'l', "list", "LIST:a|b", "Some."}};
	const struct option_command command = {NULL, list, 1};
	char word[] = "-l", *argv[] = {word, word, NULL};
	struct error err = {0};
	FILE *out = open_text();

	options_print_help(out, list, 1, 80);
	options_print_roff(out, list, 1);
	check_text(out, "  -l, --list=LIST           Some.\n"
			".TP\n\\fB\\-l\\fR, \\fB\\-\\-list\\fR=\\fILIST\\fR\nSome.\n");
	out = open_text();
	completion_print(out, COMPLETION_BASH, "program", &command, 1);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(text, "--list | -l) mapfile -t COMPREPLY < <(compgen -P "
					   "\"${cur%\"${cur##*,}\"}\" -W \"a b\" -- "
					   "\"${cur##*,}\") ;;\n"));
	free(text);
	ck_assert_int_eq(options_parse(list, 1, 2, argv, apply, NULL, &err), -1);
	ck_assert_str_eq(err.text, "option --list needs an argument: LIST");
}
END_TEST

/* Each command has the options under its own headings, and under those of all. */
START_TEST(selection)
{
	static const struct option_spec all[] = {
		{.help = "All"},	   {'a', "a", NULL, ""},
		{.key = 1, .help = "One"}, {'b', "b", NULL, ""},
		{'c', "c", NULL, ""},	   {.key = 2, .help = "Two"},
		{'d', "d", NULL, ""},	   {.key = 3, .help = "Both"},
		{'e', "e", NULL, ""},	   {.key = 1, .help = "Four"},
		{'f', "f", NULL, ""},
	};
	struct option_spec to[sizeof(all) / sizeof(all[0])];

	ck_assert_uint_eq(options_select(all, sizeof(all) / sizeof(all[0]), 2, to), 6);
	ck_assert_str_eq(to[0].help, "All");
	ck_assert_int_eq(to[1].key, 'a');
	ck_assert_str_eq(to[2].help, "Two");
	ck_assert_int_eq(to[3].key, 'd');
	ck_assert_str_eq(to[4].help, "Both");
	ck_assert_int_eq(to[5].key, 'e');
}
END_TEST

struct number {
	const char *arg;
	int rc;
	uint64_t value;
};

static const struct number numbers[] = {
	{"1", 0, 1},
	{"0042", 0, 42},
	{"1000", 0, 1000},
	{"0", -1, 0},
	{"1001", -1, 0},
	{"", -1, 0},
	{"-1", -1, 0},
	{"+1", -1, 0},
	{" 1", -1, 0},
	{"1 ", -1, 0},
	{"1k", -1, 0},
	{"0x1", -1, 0},
	{"1.0", -1, 0},
	{"18446744073709551617", -1, 0},
	{"184467440737095516150", -1, 0},
};

START_TEST(number)
{
	const struct number *n = &numbers[_i];
	char expected[128];
	uint64_t value = 0;
	struct error err;

	ck_assert_int_eq(option_number("top", n->arg, 1, 1000, &value, &err), n->rc);
	ck_assert_uint_eq(value, n->value);
	if (n->rc == 0)
		return;
	snprintf(expected, sizeof(expected), "option --top: '%s' is not a number from 1 to 1000",
		 n->arg);
	ck_assert_str_eq(err.text, expected);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
}
END_TEST

START_TEST(largest_number)
{
	uint64_t value;

	ck_assert_int_eq(option_number("n", "18446744073709551615", 0, UINT64_MAX, &value, NULL),
			 0);
	ck_assert_uint_eq(value, UINT64_MAX);
}
END_TEST

static const struct number times[] = {
	{"1", 0, 1000000000},
	{"0.1", 0, 100000000},
	{"2.5", 0, 2500000000},
	{"00.250", 0, 250000000},
	{"0.1000000019", 0, 100000001},
	{"1000000000", 0, 1000000000000000000},
	{"1000000000.0", 0, 1000000000000000000},
	{"0", -1, 0},
	{"0.0999999999", -1, 0},
	{"1000000000.1", -1, 0},
	{"18446744073709551617", -1, 0},
	{"", -1, 0},
	{".", -1, 0},
	{".5", -1, 0},
	{"5.", -1, 0},
	{"1.2.3", -1, 0},
	{"1,5", -1, 0},
	{"-1", -1, 0},
	{"+1", -1, 0},
	{" 1", -1, 0},
	{"1s", -1, 0},
	{"1e3", -1, 0},
};

START_TEST(seconds)
{
	const struct number *n = &times[_i];
	char expected[128];
	uint64_t value = 0;
	struct error err;

	ck_assert_int_eq(option_seconds("every", n->arg, 100000000, &value, &err), n->rc);
	ck_assert_uint_eq(value, n->value);
	if (n->rc == 0)
		return;
	snprintf(expected, sizeof(expected),
		 "option --every: '%s' is not a number of seconds, 0.1 or more", n->arg);
	ck_assert_str_eq(err.text, expected);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
}
END_TEST

static const struct number sizes[] = {
	{"100", 0, 100},
	{"64K", 0, 64 << 10},
	{"8M", 0, 8 << 20},
	{"3G", 0, 3ull << 30},
	{"99", -1, 0},
	{"5G", -1, 0},
	{"18014398509481984K", -1, 0},
	{"18446744073709551616", -1, 0},
	{"", -1, 0},
	{"K", -1, 0},
	{"8MB", -1, 0},
	{"8k", -1, 0},
	{"1.5M", -1, 0},
	{"-1", -1, 0},
};

START_TEST(bytes)
{
	const struct number *n = &sizes[_i];
	char expected[160];
	uint64_t value = 0;
	struct error err;

	ck_assert_int_eq(option_bytes("size", n->arg, 100, 4ull << 30, &value, &err), n->rc);
	ck_assert_uint_eq(value, n->value);
	if (n->rc == 0)
		return;
	snprintf(expected, sizeof(expected),
		 "option --size: '%s' is not a number of bytes from 100 to 4294967296, such as "
		 "500K or 8M",
		 n->arg);
	ck_assert_str_eq(err.text, expected);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
}
END_TEST

START_TEST(choice)
{
	struct error err;

	ck_assert_int_eq(option_choice("d", "full", "full|short|none", &err), 0);
	ck_assert_int_eq(option_choice("d", "none", "full|short|none", &err), 2);
	ck_assert_int_eq(option_choice("d", "", "full|short|none", &err), -1);
	ck_assert_int_eq(option_choice("d", "sho", "full|short|none", &err), -1);
	ck_assert_int_eq(option_choice("d", "full|short", "full|short|none", &err), -1);
	ck_assert_str_eq(err.text, "option --d: 'full|short' is not one of full|short|none");
}
END_TEST

START_TEST(words)
{
	const char *list = "a,,bcd", *word;
	size_t len;

	word = option_list_next(&list, &len);
	ck_assert_mem_eq(word, "a", 1);
	ck_assert_uint_eq(len, 1);
	ck_assert_ptr_nonnull(option_list_next(&list, &len));
	ck_assert_uint_eq(len, 0);
	word = option_list_next(&list, &len);
	ck_assert_str_eq(word, "bcd");
	ck_assert_uint_eq(len, 3);
	ck_assert_ptr_null(option_list_next(&list, &len));
}
END_TEST

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

int main(void)
{
	Suite *suite = suite_create("options");
	TCase *tcase = tcase_create("options");

	tcase_add_loop_test(tcase, parsing, 0, NR(lines));
	tcase_add_test(tcase, help);
	tcase_add_test(tcase, roff);
	tcase_add_test(tcase, completion);
	tcase_add_test(tcase, completion_of_commands);
	tcase_add_test(tcase, list_of_words);
	tcase_add_test(tcase, selection);
	tcase_add_loop_test(tcase, number, 0, NR(numbers));
	tcase_add_test(tcase, largest_number);
	tcase_add_loop_test(tcase, seconds, 0, NR(times));
	tcase_add_loop_test(tcase, bytes, 0, NR(sizes));
	tcase_add_test(tcase, choice);
	tcase_add_test(tcase, words);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
