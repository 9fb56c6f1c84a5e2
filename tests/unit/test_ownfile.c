/* Whose files are exports: what readperf has written is told from what others have. */
#include "report/export/ownfile.h"

#include "report/export/export.h"
#include "report/export/runexport.h"
#include "tests/support/suite.h"

#include <check.h>
#include <string.h>

#define GZIP "\x1f\x8b\x08\0\0\0\0\0"
/* The packed start of a profile: a stored block of 10 bytes. */
#define PROFILE "\x01\x0a\0\xf5\xff\x0a\4\x08\1\x10\2...."
#define BLANKS	"                                                            " /* 60 of them */

static const struct ownfile_mark *run_mark(const char *form)
{
	for (int i = 0; i < NR_RUNEXPORTS; i++)
		if (strcmp(runexport_forms[i].name, form) == 0)
			return &runexport_forms[i].mark;
	ck_abort_msg("no form %s", form);
}

static const struct ownfile_mark *diff_mark(const char *form)
{
	for (int i = 0; i < NR_EXPORTS; i++)
		if (strcmp(export_forms[i].name, form) == 0)
			return &export_forms[i].mark;
	ck_abort_msg("no form %s", form);
}

/* Takes the ends of the @len bytes of a file. */
static struct ownfile file_of(const char *bytes, size_t len)
{
	struct ownfile file = {.head_len = len < OWNFILE_HEAD ? len : OWNFILE_HEAD,
			       .tail_len = len < OWNFILE_TAIL ? len : OWNFILE_TAIL};

	memcpy(file.head, bytes, file.head_len);
	memcpy(file.tail, bytes + len - file.tail_len, file.tail_len);
	return file;
}

#define TEXT(text) text, sizeof(text) - 1

static const struct {
	const char *form, *bytes;
	size_t len;
	bool own;
} of_runs[] = {
	{"folded", TEXT("main;f 1\nmain;g h 20\n"), true},
	{"folded", TEXT("main;f 1\nmain;g 20"), false},
	{"folded", TEXT("main;f 1\nmain;g\n"), false},
	{"folded", TEXT("my own notes\nof 3\n"), false},
	{"folded", TEXT("12\n"), false},
	{"folded", TEXT("\n"), false},
	{"html", TEXT("<!DOCTYPE html>\n<head>\n<title>readperf</title>\n"), true},
	{"html", TEXT("<!DOCTYPE html>\n<head>\n<title>readperf diff</title>\n"), false},
	{"html", TEXT("<title>readperf</title>\n"), false},
	{"bolt", TEXT("B 4007f0 X:0 3 1\nF 4007f0 400800 2\n"), true},
	{"bolt", TEXT("B 4007f0 X:0 3 1\nnotes\n"), false},
	{"bolt", TEXT("Both are here\n"), false},
	{"bolt", TEXT("B 4007f0 X:0 3 1"), false},
	{"json", TEXT("{\"period\": 1, \"samples\": 1, \"filename\": \"\"}\n"), true},
	{"json", TEXT("{\"period\": 1}\n"), false},
	{"callgrind", TEXT("# callgrind format\nversion: 1\ncreator: readperf 0.1.0\n"), true},
	{"callgrind", TEXT("# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\n"), false},
	{"speedscope", TEXT("{\n  \"$schema\": \"x\",\n  \"exporter\": \"readperf@0.1.0\",\n"),
	 true},
	{"speedscope", TEXT("{\n  \"$schema\": \"x\",\n  \"exporter\": \"py-spy@0.1.0\",\n"),
	 false},
	{"pprof", TEXT(GZIP "\0\3" PROFILE), true},
	{"pprof", TEXT(GZIP "\2\3" PROFILE), true},
	{"pprof", TEXT(GZIP "\0\3rest"), false},
	{"pprof", TEXT(GZIP "\0\xff" PROFILE), false},
	{"pprof", TEXT("\x1f\x8b\x08\0\x12\x34\x56\x67\0\3" PROFILE), false},
	{"pprof", TEXT(GZIP), false},
	{"firefox",
	 TEXT("{\n  \"meta\": {\n    \"interval\": 1,\n    \"startTime\": 0,\n    "
	      "\"processType\": 0,\n    \"product\": \"cycles\""),
	 true},
	{"firefox",
	 TEXT("{\n  \"meta\": {\n    \"interval\": 1,\n    \"startTime\": "
	      "1700000000000.000005,\n    \"processType\": 0,\n    \"product\": \"cycles\""),
	 true},
	{"firefox", TEXT("{\"meta\":{\"interval\":1,\"startTime\":0}}"), false},
	{"sqlite", TEXT("SQLite format 3\0" BLANKS), false},
	{"sqlite", TEXT("SQLite format 3"), false},
	{"parquet", TEXT("PAR1..readperf version 0.1.0 nnnnPAR1"), true},
	{"parquet", TEXT("PAR1..parquet-cpp-arrow version 9.0.0 nnnnPAR1"), false},
	{"parquet", TEXT("PAR1 readperf version " BLANKS BLANKS), false},
};

START_TEST(a_file_of_a_run)
{
	const struct ownfile file = file_of(of_runs[_i].bytes, of_runs[_i].len);

	ck_assert_int_eq(ownfile_has_mark(&file, run_mark(of_runs[_i].form)), of_runs[_i].own);
}
END_TEST

static const struct {
	const char *form, *text;
	bool own;
} of_diffs[] = {
	{"markdown", "### Performance: 1 function changed\n", true},
	{"markdown", "# Notes\n### Performance: good\n", false},
	{"junit", "<?xml version=\"1.0\"?>\n<testsuites name=\"readperf diff\">\n", true},
	{"junit", "<?xml version=\"1.0\"?>\n<testsuites name=\"pytest\">\n", false},
	{"json", "{\n  \"format\": 1,\n  \"readperf\": \"0.1.0\",\n", true},
	{"json", "{\n  \"format\": 1,\n  \"writer\": \"other\",\n", false},
	{"sarif", "{\n  \"$schema\": \"x\",\n {\"driver\": {\"name\": \"readperf\", ", true},
	{"sarif", "{\n  \"$schema\": \"x\",\n {\"driver\": {\"name\": \"CodeQL\", ", false},
	{"codequality", "[\n  {\"description\": \"f takes more\", ", true},
	{"codequality", "[]\n", true},
	{"codequality", "[{\"description\": \"unused variable\"}]\n", false},
	{"benchmark", "[\n  {\"name\": \"cycles: f\", ", true},
	{"benchmark", "[]\n", true},
	{"benchmark", "[{\"name\": \"cycles: f\"}]\n", false},
	{"github", "::error title=f::more\n", true},
	{"github", "::warning file=a.c::more\n", true},
	{"github", "::notice::more\n", false},
	{"html", "<!DOCTYPE html>\n<head>\n<title>readperf diff</title>\n", true},
	{"html", "<!DOCTYPE html>\n<head>\n<title>readperf</title>\n", false},
};

START_TEST(a_file_of_a_comparison)
{
	const struct ownfile file = file_of(of_diffs[_i].text, strlen(of_diffs[_i].text));

	ck_assert_int_eq(ownfile_has_mark(&file, diff_mark(of_diffs[_i].form)), of_diffs[_i].own);
}
END_TEST

START_TEST(an_empty_file_is_of_any_form)
{
	const struct ownfile file = file_of("", 0);

	for (int i = 0; i < NR_RUNEXPORTS; i++)
		ck_assert(ownfile_has_mark(&file, &runexport_forms[i].mark));
	for (int i = 0; i < NR_EXPORTS; i++)
		ck_assert(ownfile_has_mark(&file, &export_forms[i].mark));
}
END_TEST

/* The version that a database says it has stands in its header. */
START_TEST(a_database_of_a_run)
{
	char bytes[100] = "SQLite format 3";
	struct ownfile file;

	file = file_of(bytes, sizeof(bytes));
	ck_assert(!ownfile_has_mark(&file, run_mark("sqlite")));
	bytes[63] = 1;
	file = file_of(bytes, sizeof(bytes));
	ck_assert(ownfile_has_mark(&file, run_mark("sqlite")));
	file = file_of(bytes, 63);
	ck_assert(!ownfile_has_mark(&file, run_mark("sqlite")));
}
END_TEST

/* Names may be so long that a line is longer than what is read. */
START_TEST(a_first_line_that_is_long)
{
	char bytes[3 * OWNFILE_HEAD];
	struct ownfile file;

	memset(bytes, 'x', sizeof(bytes));
	memcpy(bytes + sizeof(bytes) - 3, " 1\n", 3);
	file = file_of(bytes, sizeof(bytes));
	ck_assert(ownfile_has_mark(&file, run_mark("folded")));
	ck_assert(!ownfile_has_mark(&file, run_mark("bolt")));
	bytes[sizeof(bytes) - 2] = 'x';
	file = file_of(bytes, sizeof(bytes));
	ck_assert(!ownfile_has_mark(&file, run_mark("folded")));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("ownfile");
	TCase *tc = tcase_create("ownfile");

	tcase_add_loop_test(tc, a_file_of_a_run, 0, sizeof(of_runs) / sizeof(of_runs[0]));
	tcase_add_loop_test(tc, a_file_of_a_comparison, 0, sizeof(of_diffs) / sizeof(of_diffs[0]));
	tcase_add_test(tc, an_empty_file_is_of_any_form);
	tcase_add_test(tc, a_database_of_a_run);
	tcase_add_test(tc, a_first_line_that_is_long);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
