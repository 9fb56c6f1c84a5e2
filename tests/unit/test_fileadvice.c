/* What is advised about files that were not found: nothing that cannot help. */
#include "decode/symbol/find/fileadvice.h"

#include "tests/support/suite.h"

#include <check.h>
#include <unistd.h>

static struct intern strings;
static struct candidates tried;

static void setup(void)
{
	tried = (struct candidates){.strings = &strings};
}

static void teardown(void)
{
	candidates_free(&tried);
	intern_free(&strings);
}

static void check_advice(const char *advice, const char *expected)
{
	if (expected)
		ck_assert_str_eq(advice, expected);
	else
		ck_assert_ptr_null(advice);
}

static void try_one(const char *rule, enum fate fate)
{
	candidates_free(&tried);
	ck_assert_int_eq(candidates_add(&tried, rule, NULL, "/x", fate), 0);
}

START_TEST(a_binary_that_is_missing)
{
	static const struct {
		bool has_build_id, asks_servers;
		enum fate at_servers;
		const char *on_binary, *on_symbols;
	} cases[] = {
		{true, false, FATE_NR, NULL, NULL},
		{true, true, FATE_NR, NULL, "install its debug symbols"},
		{false, false, FATE_NR,
		 "put the file that ran below --symfs=DIR, or record build ids (perf record "
		 "--buildid-mmap)",
		 "install its debug symbols"},
		{false, true, FATE_NR,
		 "put the file that ran below --symfs=DIR, or record build ids (perf record "
		 "--buildid-mmap)",
		 "install its debug symbols"},
		{true, true, FATE_NO_ANSWER,
		 "point --symfs or --buildid-dir at it: no debuginfod server answered",
		 "install its debug symbols: no debuginfod server answered"},
		{true, true, FATE_MISSING,
		 "point --symfs or --buildid-dir at it: no debuginfod server has it",
		 "install its debug symbols: no debuginfod server has them"},
		{true, true, FATE_NO_LIBRARY,
		 "point --symfs or --buildid-dir at it, or install libdebuginfod",
		 "install its debug symbols, or libdebuginfod"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct file_search search = {.tried = &tried,
						   .has_build_id = cases[i].has_build_id,
						   .asks_servers = cases[i].asks_servers};

		try_one("recorded-path", FATE_MISSING);
		if (cases[i].at_servers != FATE_NR)
			ck_assert_int_eq(candidates_add(&tried, "debuginfod", NULL, "urls",
							cases[i].at_servers),
					 0);
		check_advice(fileadvice_on_binary(&search, REASON_FILE_MISSING),
			     cases[i].on_binary);
		check_advice(fileadvice_on_symbols(&search), cases[i].on_symbols);
	}
}
END_TEST

START_TEST(a_file_that_cannot_be_used)
{
	static const struct {
		enum fate fate;
		const char *advice;
	} cases[] = {
		{FATE_EMPTY, "it is empty: put the file that ran there, or below --symfs=DIR"},
		{FATE_NOT_ELF,
		 "it is not an ELF file: put the file that ran there, or below --symfs=DIR"},
		{FATE_DIRECTORY,
		 "it is a directory: put the file that ran there, or below --symfs=DIR"},
		{FATE_SPARSE, "it is sparse in the archive: unpack that, and point --buildid-dir "
			      "at the directory"},
		{FATE_NO_DESCRIPTOR, "too many files were open: see 'ulimit -n'"},
		{FATE_NO_MEMORY, "there was not enough memory to open it"},
		{FATE_DEFECTIVE, "reading it failed with an input/output error"},
		{FATE_MISSING, NULL},
	};
	const struct file_search search = {.tried = &tried};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		try_one("recorded-path", cases[i].fate);
		check_advice(fileadvice_on_binary(&search, REASON_FILE_UNREADABLE),
			     cases[i].advice);
	}
	/* Root can read whatever is a file. */
	try_one("recorded-path", FATE_UNREADABLE);
	check_advice(fileadvice_on_binary(&search, REASON_FILE_UNREADABLE),
		     geteuid() == 0 ? "it is not a regular file, or nobody may read it" : NULL);
	check_advice(fileadvice_on_binary(&search, REASON_FILE_TRUNCATED), NULL);
}
END_TEST

/* perf reads build ids at the paths of files. */
START_TEST(a_binary_that_was_deleted)
{
	struct file_search search = {.tried = &tried, .is_deleted = true};

	try_one("recorded-path", FATE_MISSING);
	check_advice(fileadvice_on_binary(&search, REASON_FILE_MISSING),
		     "put the file that ran below --symfs=DIR: it was deleted before perf record "
		     "looked at it");
	search.has_build_id = true;
	check_advice(fileadvice_on_binary(&search, REASON_FILE_MISSING), NULL);
	search.is_barred = true;
	ck_assert_str_eq(fileadvice_on_binary(&search, REASON_FILE_MISSING),
			 "run readperf as root while the process that has it runs");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fileadvice");
	TCase *tcase = tcase_create("fileadvice");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_binary_that_is_missing);
	tcase_add_test(tcase, a_binary_that_was_deleted);
	tcase_add_test(tcase, a_file_that_cannot_be_used);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
