/* Functions added up by binary, and the note on samples without a name. */
#include "decode/answer/binarystat.h"

#include "tests/support/suite.h"
#include "tests/support/toolchain.h"

#include <check.h>
#include <stdlib.h>

static const struct event cycles = {.number = 0, .name = "cycles"};
static const struct event faults = {.number = 1, .name = "faults"};
static const char *const no_id = "", *const some_id = "0102";
static const char *const prog = "/bin/prog", *const lib = "/lib/lib.so";
/* Code of JIT compilers, by a map, by a dump, and by a dump that is still being written. */
static const char *const map = "/tmp/perf-1.map", *const dump = "/tmp/jit-2.dump";
static const char *const written = "/tmp/perf-2.map";
static const char *const vdso = "[vdso]";

static struct dso_table dsos;
static struct symbolizer *symbolizer;
static struct binarystat made;

static void setup(void)
{
	static const struct symbol_settings settings;
	struct dso *rest;

	symbolizer = symbolizer_create(&settings);
	ck_assert_ptr_nonnull(dso_table_get(&dsos, DSO_USER, prog, NULL, 0));
	ck_assert_ptr_nonnull(dso_table_get(&dsos, DSO_USER, lib, NULL, 0));
	ck_assert_ptr_nonnull(dso_table_get_instance(&dsos, DSO_JIT, map, 1));
	ck_assert_ptr_nonnull(dso_table_get(&dsos, DSO_JITDUMP, dump, NULL, 0));
	rest = dso_table_get_instance(&dsos, DSO_JIT, written, 2);
	ck_assert_ptr_nonnull(rest);
	rest->dump = dsos.dsos[3];
	ck_assert_ptr_nonnull(dso_table_get(&dsos, DSO_VDSO, vdso, NULL, 0));
}

static void teardown(void)
{
	binarystat_free(&made);
	symbolizer_destroy(symbolizer);
	dso_table_free(&dsos);
}

/* The number of its dso. */
static uint32_t dso_of(const char *binary)
{
	const char *const binaries[] = {prog, lib, map, dump, written, vdso};
	uint32_t number = 0;

	while (binaries[number] != binary)
		number++;
	return number;
}

static struct function_stat row(const struct event *event, const char *binary, const char *id,
				const char *reason, uint64_t samples)
{
	return (struct function_stat){
		.event = event,
		.binary = binary,
		.function = reason[0] ? "[unknown]" : "f",
		.filename = "",
		.build_id = id,
		.reason = reason,
		.self = {samples, samples * 10},
		.dso = dso_of(binary),
	};
}

static void check_row(size_t number, const struct event *event, const char *binary, const char *id,
		      uint64_t samples, uint64_t unnamed, const char *reason)
{
	const struct binary_stat *got = &made.rows[number];

	ck_assert_uint_lt(number, made.nr_rows);
	ck_assert_ptr_eq(got->event, event);
	ck_assert_str_eq(got->binary, binary);
	ck_assert_str_eq(got->build_id, id);
	ck_assert_uint_eq(got->total.samples, samples);
	ck_assert_uint_eq(got->total.period, samples * 10);
	ck_assert_uint_eq(got->unnamed, unnamed);
	ck_assert_str_eq(got->reason, reason);
	ck_assert_str_eq(got->file, "");
	ck_assert_str_eq(got->refused, "");
}

#define MAKE(...)                                                                             \
	do {                                                                                  \
		const struct function_stat rows[] = {__VA_ARGS__};                            \
                                                                                              \
		ck_assert(binarystat_make(&made, rows, sizeof(rows) / sizeof(rows[0]), &dsos, \
					  symbolizer));                                       \
	} while (0)

START_TEST(rows_are_by_event_and_build)
{
	MAKE(row(&cycles, prog, no_id, "", 50), row(&cycles, lib, no_id, "", 30),
	     row(&cycles, prog, no_id, "no-symbols", 2), row(&cycles, lib, some_id, "", 40),
	     row(&cycles, lib, no_id, "", 10), row(&faults, prog, no_id, "", 7),
	     row(&faults, lib, no_id, "", 7));
	ck_assert_uint_eq(made.nr_rows, 5);
	check_row(0, &cycles, prog, no_id, 52, 2, "no-symbols");
	check_row(1, &cycles, lib, no_id, 40, 0, "");
	check_row(2, &cycles, lib, some_id, 40, 0, "");
	check_row(3, &faults, prog, no_id, 7, 0, "");
	check_row(4, &faults, lib, no_id, 7, 0, "");
	ck_assert(made.nr_unnamed == 0);
}
END_TEST

START_TEST(the_reason_of_most_samples_stands)
{
	struct function_stat caller = row(&cycles, lib, no_id, "no-file", 0);

	caller.children = (struct tally){1, 10};
	MAKE(row(&cycles, prog, no_id, "no-symbols", 2),
	     row(&cycles, prog, no_id, "outside-symbols", 5),
	     row(&cycles, prog, no_id, "file-missing", 5), caller);
	check_row(0, &cycles, prog, no_id, 12, 12, "file-missing");
	check_row(1, &cycles, lib, no_id, 0, 0, "no-file");
}
END_TEST

/* What was neither sampled nor called something that was is in no row. */
START_TEST(what_counted_nothing_has_no_row)
{
	MAKE(row(&cycles, lib, no_id, "no-file", 0), row(&cycles, prog, no_id, "", 1),
	     row(&cycles, prog, no_id, "no-mapping", 0), row(&faults, prog, no_id, "", 0));
	ck_assert_uint_eq(made.nr_rows, 1);
	check_row(0, &cycles, prog, no_id, 1, 0, "");
}
END_TEST

START_TEST(one_in_twenty_may_lack_a_name)
{
	MAKE(row(&cycles, prog, no_id, "", 95), row(&cycles, prog, no_id, "no-symbols", 5));
	ck_assert(made.nr_unnamed == 0);
	binarystat_free(&made);
	MAKE(row(&cycles, prog, no_id, "", 94), row(&cycles, prog, no_id, "no-symbols", 6));
	ck_assert(made.nr_unnamed == 1);
	ck_assert_uint_eq(made.unnamed[0].samples, 6);
	ck_assert_uint_eq(made.unnamed[0].total, 100);
	ck_assert_ptr_eq(made.unnamed[0].binary, &made.rows[0]);
	ck_assert_str_eq(made.unnamed[0].advice, reason_advice(REASON_NO_SYMBOLS));
}
END_TEST

START_TEST(the_event_with_most_of_them_and_its_binary)
{
	MAKE(row(&cycles, prog, no_id, "", 900), row(&cycles, prog, no_id, "no-mapping", 40),
	     row(&cycles, lib, no_id, "no-file", 41), row(&cycles, lib, some_id, "", 1),
	     row(&faults, prog, no_id, "file-missing", 80));
	ck_assert(made.nr_unnamed == 2);
	ck_assert_uint_eq(made.unnamed[0].samples, 81);
	ck_assert_uint_eq(made.unnamed[0].total, 982);
	ck_assert_ptr_eq(made.unnamed[0].binary->event, &cycles);
	ck_assert_str_eq(made.unnamed[0].binary->binary, lib);
	ck_assert_str_eq(made.unnamed[0].binary->reason, "no-file");
	ck_assert_str_eq(made.unnamed[0].advice, "");
	ck_assert_uint_eq(made.unnamed[1].samples, 80);
	ck_assert_ptr_eq(made.unnamed[1].binary->event, &faults);
}
END_TEST

/* Each cause is told of once, by the event with the most samples; the three worst. */
START_TEST(the_worst_causes)
{
	static struct event more[4];
	static const uint64_t samples[] = {7, 9, 8, 7};

	for (unsigned i = 0; i < 4; i++)
		more[i].number = 10 + i;
	MAKE(row(&cycles, prog, no_id, "file-missing", 6),
	     row(&faults, prog, no_id, "file-missing", 8),
	     row(&more[0], prog, no_id, "no-symbols", samples[0]),
	     row(&more[1], lib, no_id, "file-missing", samples[1]),
	     row(&more[2], lib, no_id, "no-symbols", samples[2]),
	     row(&more[3], lib, no_id, "no-symbols", samples[3]));
	ck_assert_uint_eq(made.nr_unnamed, 3);
	ck_assert_ptr_eq(made.unnamed[0].binary->event, &more[1]);
	ck_assert_ptr_eq(made.unnamed[1].binary->event, &faults);
	ck_assert_ptr_eq(made.unnamed[2].binary->event, &more[2]);
	binarystat_free(&made);
	MAKE(row(&cycles, prog, no_id, "file-missing", 6),
	     row(&faults, lib, no_id, "no-symbols", 5),
	     row(&more[0], prog, no_id, "file-missing", 4),
	     row(&more[1], lib, no_id, "no-symbols", 7));
	ck_assert_uint_eq(made.nr_unnamed, 2);
	ck_assert_ptr_eq(made.unnamed[0].binary->event, &more[1]);
	ck_assert_ptr_eq(made.unnamed[1].binary->event, &cycles);
}
END_TEST

/* A program with symbols and nothing else, as dso 0, of which an address was looked up. */
static void look_up_without_debug_info(const char *dir)
{
	struct place place = {.address = 0};
	struct place_list list = {.places = &place, .nr_places = 1};
	struct error err;

	toolchain_build(dir, "x.c", "int main(void)\n{\n	return 0;\n}\n",
			"gcc -o x x.c && strip -g x");
	dso_table_free(&dsos);
	list.dso = dso_table_get(&dsos, DSO_USER, scratch_join(dir, "x").text, NULL, 0);
	ck_assert_ptr_nonnull(dso_table_get(&dsos, DSO_USER, lib, NULL, 0));
	ck_assert_int_eq(symbolizer_resolve(symbolizer, &list, 1, NULL, NULL, &err), 0);
}

START_TEST(one_in_twenty_may_lack_debug_info)
{
	struct scratch_path dir = scratch_make();

	look_up_without_debug_info(dir.text);
	MAKE(row(&cycles, lib, no_id, "", 95), row(&cycles, prog, no_id, "", 5));
	ck_assert(!made.has_unlined);
	/* Those without a name are another matter. */
	MAKE(row(&cycles, lib, no_id, "", 92), row(&cycles, prog, no_id, "", 5),
	     row(&cycles, prog, no_id, "outside-symbols", 3));
	ck_assert(!made.has_unlined);
	MAKE(row(&cycles, lib, no_id, "", 94), row(&cycles, prog, no_id, "", 6),
	     row(&faults, prog, no_id, "", 5));
	ck_assert(made.has_unlined && made.nr_unnamed == 0);
	ck_assert_uint_eq(made.unlined.samples, 6);
	ck_assert_uint_eq(made.unlined.total, 100);
	ck_assert_str_eq(made.unlined.binary->binary, prog);
	ck_assert_ptr_eq(made.unlined.binary->event, &cycles);
	ck_assert_str_eq(made.unlined.advice, "install its debug symbols, or use --debuginfod");
	scratch_remove(dir.text);
}
END_TEST

/* However few they are; those without a name cannot be wrong. */
START_TEST(names_that_may_be_wrong)
{
	struct scratch_path dir = scratch_make();

	symbolizer_set_end(symbolizer, 0);
	look_up_without_debug_info(dir.text);
	MAKE(row(&cycles, lib, no_id, "", 95), row(&cycles, prog, no_id, "outside-symbols", 5));
	ck_assert(!made.has_doubted);
	MAKE(row(&cycles, lib, no_id, "", 995), row(&cycles, prog, no_id, "", 1),
	     row(&cycles, prog, no_id, "outside-symbols", 4), row(&faults, lib, no_id, "", 1));
	ck_assert(made.has_doubted);
	ck_assert_uint_eq(made.doubted.samples, 1);
	ck_assert_uint_eq(made.doubted.total, 1000);
	ck_assert_str_eq(made.doubted.binary->binary, prog);
	ck_assert_str_eq(made.doubted.binary->doubt, "newer");
	ck_assert_str_eq(made.doubted.advice, "its file was written after the recording");
	scratch_remove(dir.text);
}
END_TEST

/* A file that may not be the recorded one is the likely cause, and no debug symbols help. */
START_TEST(names_that_another_file_lacks)
{
	struct scratch_path dir = scratch_make();

	symbolizer_set_end(symbolizer, 0);
	look_up_without_debug_info(dir.text);
	MAKE(row(&cycles, prog, no_id, "outside-symbols", 5));
	ck_assert(made.nr_unnamed == 1);
	ck_assert_str_eq(made.unnamed[0].advice, "its file was written after the recording");
	binarystat_free(&made);
	MAKE(row(&cycles, prog, no_id, "file-changed", 5));
	ck_assert_str_eq(made.unnamed[0].advice, reason_advice(REASON_FILE_CHANGED));
	scratch_remove(dir.text);
}
END_TEST

/* Nobody has debug symbols of such code: what it is called, its compiler alone can tell. */
START_TEST(advice_on_code_of_jit_compilers)
{
	static const char of_map[] =
		"its perf map does not cover that code; a jitdump may: see JIT CODE in readperf(1)";
	static const char of_rest[] = "its dump was still being written: record to a file, and run "
				      "readperf after the program has ended";
	const struct {
		const char *binary, *reason, *advice;
	} cases[] = {
		{map, "outside-symbols", of_map},
		{map, "no-symbols", of_map},
		{map, "jit-map-missing", reason_advice(REASON_JIT_MAP_MISSING)},
		{written, "outside-symbols", of_rest},
		{written, "no-symbols", of_rest},
		{dump, "outside-symbols", ""},
		{dump, "no-symbols", ""},
		{dump, "jit-map-refused", reason_advice(REASON_JIT_MAP_REFUSED)},
		{prog, "outside-symbols", "install its debug symbols, or use --debuginfod"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		MAKE(row(&cycles, cases[i].binary, no_id, cases[i].reason, 6));
		ck_assert(made.nr_unnamed == 1);
		ck_assert_str_eq(made.unnamed[0].binary->reason, cases[i].reason);
		ck_assert_str_eq(made.unnamed[0].advice, cases[i].advice);
	}
}
END_TEST

/* It is a part of the kernel: nobody has rebuilt it, and no file of it lies at a path. */
START_TEST(advice_on_the_vdso_of_another_kernel)
{
	MAKE(row(&cycles, vdso, some_id, "build-id-mismatch", 6));
	ck_assert_str_eq(made.unnamed[0].advice,
			 "it belongs to another kernel: run readperf under the recorded one, or "
			 "point --buildid-dir at the cache that perf record filled (~/.debug)");
	MAKE(row(&cycles, prog, some_id, "build-id-mismatch", 6));
	ck_assert_str_eq(made.unnamed[0].advice, reason_advice(REASON_BUILD_ID_MISMATCH));
}
END_TEST

START_TEST(nothing_at_all)
{
	ck_assert(binarystat_make(&made, NULL, 0, &dsos, symbolizer));
	ck_assert_uint_eq(made.nr_rows, 0);
	ck_assert(made.nr_unnamed == 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("binarystat");
	TCase *tcase = tcase_create("rows");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, rows_are_by_event_and_build);
	tcase_add_test(tcase, the_reason_of_most_samples_stands);
	tcase_add_test(tcase, what_counted_nothing_has_no_row);
	tcase_add_test(tcase, one_in_twenty_may_lack_a_name);
	tcase_add_test(tcase, the_event_with_most_of_them_and_its_binary);
	tcase_add_test(tcase, the_worst_causes);
	tcase_add_test(tcase, one_in_twenty_may_lack_debug_info);
	tcase_add_test(tcase, names_that_may_be_wrong);
	tcase_add_test(tcase, names_that_another_file_lacks);
	tcase_add_test(tcase, advice_on_code_of_jit_compilers);
	tcase_add_test(tcase, advice_on_the_vdso_of_another_kernel);
	tcase_add_test(tcase, nothing_at_all);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
