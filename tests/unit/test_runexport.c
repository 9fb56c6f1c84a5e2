/* Exports of a run: what files are called, and the lines of folded stacks. */
#include "report/export/runexport.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct event cycles = {.number = 0, .name = "cycles:u", .chains = true};
static const struct event faults = {.number = 1, .name = "faults"};

/* Functions with all that has a meaning in folded stacks, or none there. */
enum { MAIN, SIGNS, KERNEL, JIT, LIBRARY, MODULE, NOWHERE, BROKEN, FAULT, NR_FUNCTIONS };
static const struct function_stat functions[NR_FUNCTIONS] = {
	[MAIN] = {.event = &cycles, .function = "main", .binary = "/opt/app", .reason = ""},
	[SIGNS] = {.event = &cycles,
		   .function = "A<int, 'x'>::f(\";\n\") 12",
		   .binary = "/opt/app",
		   .reason = ""},
	[KERNEL] = {.event = &cycles,
		    .function = "do_syscall_64",
		    .binary = "[kernel.kallsyms]",
		    .reason = "",
		    .code = CODE_KERNEL},
	[JIT] = {.event = &cycles,
		 .function = "Lfoo;.bar",
		 .binary = "/tmp/perf-1.map",
		 .reason = "",
		 .code = CODE_JIT},
	[LIBRARY] = {.event = &cycles,
		     .function = "[unknown]",
		     .binary = "/lib/lib;c.so",
		     .reason = "no-symbols"},
	[MODULE] = {.event = &cycles,
		    .function = "[unknown]",
		    .binary = "[nf]",
		    .reason = "kernel-hidden",
		    .code = CODE_KERNEL},
	[NOWHERE] = {.event = &cycles, .function = "", .binary = "", .reason = ""},
	[BROKEN] = {.event = &cycles,
		    .function = "b\xffr\x1b[2J\xc2\x9b\x7f",
		    .binary = "/opt/app",
		    .reason = ""},
	[FAULT] = {.event = &faults, .function = "f", .binary = "/opt/app", .reason = ""},
};

#define NONE PATH_NO_PARENT

static const struct path_stat paths[] = {
	{&functions[MAIN], NONE, 0, {1, 10}, {9, 90}, "complete", false, false},
	{&functions[SIGNS], 0, 1, {0, 0}, {2, 20}, "complete", false, false},
	{&functions[SIGNS], 1, 2, {2, 0}, {2, 20}, "complete", false, true},
	{&functions[JIT], 0, 1, {3, 30}, {3, 30}, "complete", false, false},
	{&functions[LIBRARY], NONE, 0, {1, 7}, {2, 15}, "stack-cut", true, false},
	{&functions[KERNEL], 4, 1, {1, 8}, {1, 8}, "stack-cut", true, false},
	{&functions[MODULE], NONE, 0, {1, 1}, {1, 1}, "recorded", false, false},
	{&functions[NOWHERE], NONE, 0, {1, 2}, {1, 2}, "recorded", false, false},
	{&functions[BROKEN], NONE, 0, {1, 3}, {1, 3}, "missing", true, false},
	{&functions[FAULT], NONE, 0, {5, 18446744073709551615U}, {5, 5}, "missing", false, false},
};

static const struct event_stat events[] = {{.event = &cycles}, {.event = &faults}};
static const uint32_t sampled[] = {0, 1};
static const struct results results = {
	.events = events,
	.nr_events = 2,
	.sampled = sampled,
	.nr_sampled = 2,
	.answered = {{&pathstat_paths, {.first = paths, .nr = sizeof(paths) / sizeof(paths[0])}}},
};

static void check_folded(const struct event *event, bool periods, const char *expected)
{
	const struct runexport_settings settings = {.chosen = 1, .periods = periods};
	struct runexport_view view = {.results = &results, .event = event, .settings = &settings};
	FILE *file = tmpfile();
	struct error err = {0};
	char text[1000];
	size_t len;

	view.out = outfile_stream(fileno(file), "a test", &err);
	runexport_forms[0].write(&view);
	ck_assert_int_eq(outfile_finish(view.out, &err), 0);
	outfile_close(view.out);
	rewind(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	ck_assert_str_eq(text, expected);
}

START_TEST(folded_stacks_have_a_line_for_each_path)
{
	check_folded(&cycles, false,
		     "main 1\n"
		     "main;A<int, 'x'>::f(\": \") 12;A<int, 'x'>::f(\": \") 12_[i] 2\n"
		     "main;Lfoo:.bar_[j] 3\n"
		     "[stack-cut];[lib:c.so] 1\n"
		     "[stack-cut];[lib:c.so];do_syscall_64_[k] 1\n"
		     "[nf]_[k] 1\n"
		     "[unknown] 1\n"
		     "[missing];b\xEF\xBF\xBDr [2J   1\n");
	check_folded(&faults, false, "f 5\n");
}
END_TEST

/* Of nothing no line is made: some readers take a weight of 0 for an error. */
START_TEST(their_weight_may_be_the_period)
{
	check_folded(&cycles, true,
		     "main 10\n"
		     "main;Lfoo:.bar_[j] 30\n"
		     "[stack-cut];[lib:c.so] 7\n"
		     "[stack-cut];[lib:c.so];do_syscall_64_[k] 8\n"
		     "[nf]_[k] 1\n"
		     "[unknown] 2\n"
		     "[missing];b\xEF\xBF\xBDr [2J   3\n");
	check_folded(&faults, true, "f 18446744073709551615\n");
}
END_TEST

START_TEST(files_are_named_by_events)
{
	static const struct event hostile[] = {
		{.number = 0, .name = "cycles:u"},
		{.number = 1, .name = "cycles u"},
		{.number = 2, .name = "../../etc/passwd"},
		{.number = 3, .name = "cpu/mem-loads,ldlat=30/P\n\xff"},
		{.number = 4, .name = ""},
		{.number = 5, .name = "cycles:u"},
	};
	static const char *const names[] = {
		"stacks.cycles_u.folded",
		"stacks.cycles_u~2.folded",
		"stacks..._.._etc_passwd.folded",
		"stacks.cpu_mem-loads_ldlat_30_P__.folded",
		"stacks..folded",
		"stacks.cycles_u~6.folded",
	};
	enum { NR = sizeof(names) / sizeof(names[0]) };
	struct event_stat stats[NR];
	uint32_t numbers[NR];
	struct results several = {.events = stats, .sampled = numbers, .nr_sampled = NR};
	char name[RUNEXPORT_NAME_MAX];

	for (uint32_t i = 0; i < NR; i++) {
		stats[i] = (struct event_stat){.event = &hostile[i]};
		numbers[i] = i;
	}
	for (size_t i = 0; i < NR; i++) {
		runexport_name(name, &runexport_forms[0], &several, i);
		ck_assert_str_eq(name, names[i]);
	}
	several.nr_sampled = 1;
	runexport_name(name, &runexport_forms[0], &several, 0);
	ck_assert_str_eq(name, "stacks.folded");
}
END_TEST

/* An event of which nothing was decoded has no file, unless there is no other. */
START_TEST(an_empty_trace_has_no_file)
{
	const struct event pt = {.number = 2, .name = "intel_pt"};
	const struct event_stat counted[] = {{.event = &cycles, .total = {1, 10}}};
	const struct event_stat empty[] = {{.event = &cycles}};
	struct trace_profile traced = {.stat = {.event = &pt}};
	struct results both = {
		.events = counted, .sampled = sampled, .nr_sampled = 1, .traced = &traced};
	char name[RUNEXPORT_NAME_MAX];

	ck_assert_uint_eq(runexport_count(&runexport_forms[0], &both), 1);
	runexport_name(name, &runexport_forms[0], &both, 0);
	ck_assert_str_eq(name, "stacks.folded");
	ck_assert_ptr_eq(runexport_event(&runexport_forms[0], &both, 0), &cycles);
	traced.stat.total.samples = 1;
	ck_assert_uint_eq(runexport_count(&runexport_forms[0], &both), 2);
	runexport_name(name, &runexport_forms[0], &both, 1);
	ck_assert_str_eq(name, "stacks.intel_pt.folded");
	ck_assert_ptr_eq(runexport_event(&runexport_forms[0], &both, 0), &cycles);
	ck_assert_ptr_eq(runexport_event(&runexport_forms[0], &both, 1), &pt);
	for (traced.stat.total.samples = 0; traced.stat.total.samples < 2;
	     traced.stat.total.samples++) {
		both.events = empty;
		ck_assert_uint_eq(runexport_count(&runexport_forms[0], &both), 1);
		ck_assert_ptr_eq(runexport_event(&runexport_forms[0], &both, 0), &pt);
	}
}
END_TEST

START_TEST(a_long_name_of_an_event_is_cut)
{
	char text[1000] = {0}, name[RUNEXPORT_NAME_MAX];
	const struct event longest = {.name = text};
	const struct event_stat stats[] = {{.event = &longest}, {.event = &longest}};
	const struct results two = {.events = stats, .sampled = sampled, .nr_sampled = 2};

	memset(text, 'x', sizeof(text) - 1);
	runexport_name(name, &runexport_forms[0], &two, 1);
	ck_assert_uint_eq(strlen(name), strlen("stacks.") + 99 + strlen("~2.folded"));
}
END_TEST

START_TEST(an_unknown_form_is_named)
{
	unsigned chosen = 0;
	struct error err;

	ck_assert_int_eq(runexport_parse("folded", &chosen, &err), 0);
	ck_assert_uint_eq(chosen, 1);
	ck_assert_int_eq(runexport_parse("folded,fold", &chosen, &err), -1);
	ck_assert_str_eq(err.text, "option --export: 'fold' is not one of " RUNEXPORT_WORDS);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("runexport");
	TCase *tc = tcase_create("runexport");

	tcase_add_test(tc, folded_stacks_have_a_line_for_each_path);
	tcase_add_test(tc, their_weight_may_be_the_period);
	tcase_add_test(tc, files_are_named_by_events);
	tcase_add_test(tc, a_long_name_of_an_event_is_cut);
	tcase_add_test(tc, an_empty_trace_has_no_file);
	tcase_add_test(tc, an_unknown_form_is_named);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
