/* Exports for other programs: hostile names, the largest numbers, and nothing at all. */
#include "report/export/runexport.h"
#include "report/export/runforms.h"
#include "report/export/tablerows.h"
#include "report/runtags.h"

#include "tests/support/suite.h"
#include "util/codec/unpack.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20, LONG_NAME = 64 * 1024 };

static const struct event cycles = {.number = 0, .name = "cycles:u", .chains = true};
static const struct event clock_event = {.number = 1, .name = "9\n", .is_time = true};

static char every_byte[256], long_name[LONG_NAME + 1];

enum { BYTES, LONG, CLOCK, NR_FUNCTIONS };
static const struct function_stat functions[NR_FUNCTIONS] = {
	[BYTES] = {.event = &cycles,
		   .function = every_byte,
		   .binary = "/opt/a\nb",
		   .filename = "",
		   .build_id = "00112233445566778899aabbccddeeff00112233",
		   .reason = "",
		   .self = {1, UINT64_MAX},
		   .children = {1, UINT64_MAX}},
	[LONG] = {.event = &cycles,
		  .function = long_name,
		  .binary = "/opt/a\nb",
		  .filename = "x\xff.c",
		  .build_id = "00112233445566778899aabbccddeeff00112233",
		  .reason = "",
		  .line = 7,
		  .self = {2, 0},
		  .children = {3, UINT64_MAX}},
	[CLOCK] = {.event = &clock_event,
		   .function = "[unknown]",
		   .binary = "/lib/c.so",
		   .filename = "",
		   .build_id = "",
		   .reason = "no-symbols",
		   .dso = 1,
		   .self = {1, 1500000},
		   .children = {1, 1500000}},
};

static const struct path_stat paths[] = {
	{&functions[LONG], PATH_NO_PARENT, 0, {2, 0}, {3, UINT64_MAX}, "stack-cut", true, false},
	{&functions[BYTES], 0, 1, {1, UINT64_MAX}, {1, UINT64_MAX}, "stack-cut", true, false},
	{&functions[CLOCK], PATH_NO_PARENT, 0, {1, 1500000}, {1, 1500000}, "missing", false, false},
};

static const struct call_stat calls[] = {
	{.callee = &functions[LONG], .end = "stack-cut", .cut = true, .total = {3, UINT64_MAX}},
	{.caller = &functions[LONG], .callee = &functions[BYTES], .total = {1, UINT64_MAX}},
	{.callee = &functions[CLOCK], .end = "missing", .total = {1, 1500000}},
};

static const struct address_stat addresses[] = {
	{.event = &cycles, .filename = "", .self = {1, UINT64_MAX}, .owner = &functions[BYTES]},
	{.event = &cycles, .filename = "y", .line = 2, .self = {1, 0}, .owner = &functions[LONG]},
	{.event = &cycles,
	 .filename = "x\xff.c",
	 .line = 8,
	 .self = {1, 0},
	 .owner = &functions[LONG]},
	{.event = &clock_event, .filename = "", .self = {1, 1500000}, .owner = &functions[CLOCK]},
};

static const uint32_t rows[NR_FUNCTIONS] = {BYTES, LONG, CLOCK};
static const struct place_stat places[] = {
	{&rows[LONG], 1, 8, "x\xff.c", 0x1000},
	{&rows[BYTES], 1, 0, "", UINT64_MAX},
	{&rows[CLOCK], 1, 0, "", 0x20},
};
static const struct chain_stat chains[] = {
	{PATH_NO_PARENT, 0, 0, {2, 0}, "stack-cut", true, false},
	{0, 1, 0, {1, UINT64_MAX}, NULL, false, false},
	{PATH_NO_PARENT, 0, 2, {0, 0}, "missing", true, true},
	{PATH_NO_PARENT, 1, 2, {0, 0}, "missing", true, true},
	{PATH_NO_PARENT, 2, 2, {1, 1500000}, "missing", false, true},
};
static const struct sample_stat samples[] = {
	{5000000, UINT64_MAX, 1, 1}, {5000001, 0, 1, 0}, {7, 1500000, 2, 4}, {3, 0, 3, 0}};
static const struct thread_stat lives[] = {
	{.life = 1, .pid = 12, .tid = 13, .comm = "a\"\xff", .process_comm = "p"},
	{.life = 2, .pid = 14, .tid = 14, .comm = "c", .process_comm = "c"},
	{.life = 3, .pid = -1, .tid = -1, .comm = "", .process_comm = ""},
};

/* ---- rows that are read one by one ----------------------------------------------------------- */

struct list {
	const void *rows;
	size_t size, nr, at;
};

static int start_list(void *arg, struct error *err)
{
	struct list *list = arg;

	(void)err;
	list->at = 0;
	return 0;
}

static int next_of_list(void *arg, void *row, struct error *err)
{
	struct list *list = arg;

	(void)err;
	if (list->at == list->nr)
		return 0;
	memcpy(row, (const char *)list->rows + list->at++ * list->size, list->size);
	return 1;
}

#define LIST(array)                                                              \
	{                                                                        \
		array, sizeof((array)[0]), sizeof(array) / sizeof((array)[0]), 0 \
	}
#define SOURCE(list)                                         \
	{                                                    \
		.source = { list, start_list, next_of_list } \
	}
#define ROWS(array)                                                      \
	{                                                                \
		.first = array, .nr = sizeof(array) / sizeof((array)[0]) \
	}

static struct list chain_list = LIST(chains), sample_list = LIST(samples), life_list = LIST(lives);

static const struct event_stat events[] = {
	{.event = &cycles, .total = {3, UINT64_MAX}},
	{.event = &clock_event, .total = {1, 1500000}},
};
static const uint32_t sampled[] = {0, 1};
static const struct results results = {
	.events = events,
	.nr_events = 2,
	.sampled = sampled,
	.nr_sampled = 2,
	.functions = functions,
	.nr_functions = NR_FUNCTIONS,
	.answered =
		{
			{&pathstat_paths, ROWS(paths)},
			{&pathstat_calls, ROWS(calls)},
			{&linestat_addresses, ROWS(addresses)},
			{&chainstat_places, ROWS(places)},
			{&chainstat_chains, SOURCE(&chain_list)},
			{&chainstat_samples, SOURCE(&sample_list)},
			{&processstat_thread_lives, SOURCE(&life_list)},
		},
};

/* ---- what is written ------------------------------------------------------------------------- */

static char *text;
static size_t text_len;

static void setup(void)
{
	for (int i = 1; i < 256; i++)
		every_byte[i - 1] = (char)i;
	memset(long_name, 'n', LONG_NAME);
	text = calloc(ROOM, 1);
}

static void teardown(void)
{
	free(text);
}

static void write_form(void (*write)(const struct runexport_view *view), const struct results *of,
		       const struct event *event, bool periods)
{
	const struct runexport_settings settings = {.periods = periods};
	const struct runtags tags = {0};
	const struct tablerows tables = {.results = of, .tags = &tags};
	struct runexport_view view = {
		.results = of, .event = event, .settings = &settings, .tables = &tables};
	FILE *file = tmpfile();
	struct error err = {0};

	view.out = outfile_stream(fileno(file), "a test", &err);
	write(&view);
	ck_assert_int_eq(outfile_finish(view.out, &err), 0);
	outfile_close(view.out);
	rewind(file);
	text_len = fread(text, 1, ROOM - 1, file);
	text[text_len] = '\0';
	fclose(file);
}

static size_t count_of(const char *part)
{
	size_t nr = 0;

	for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
		nr++;
	return nr;
}

/* What every byte becomes where lines end names, and in strings of JSON. */
#define LATIN "\xef\xbf\xbd"
static void check_every_byte(const char *before, bool json)
{
	char expected[2048], *to = stpcpy(expected, before);

	for (int i = 1; i < 256; i++) {
		if (i >= 0x80)
			to = stpcpy(to, LATIN);
		else if (!json)
			*to++ = (char)(i < ' ' || i == 0x7f ? ' ' : i);
		else if (i == '\b' || i == '\f' || i == '\n' || i == '\r' || i == '\t')
			to += sprintf(to, "\\%c", "btn?fr"[i - 8]);
		else if (i < ' ')
			to += sprintf(to, "\\u%04x", (unsigned)i);
		else if (i == '"' || i == '\\')
			to += sprintf(to, "\\%c", i);
		else
			*to++ = (char)i;
	}
	*to = '\0';
	ck_assert_ptr_nonnull(strstr(text, expected));
}

START_TEST(json_has_a_line_for_each_row)
{
	write_form(resultsjson_write, &results, NULL, false);
	ck_assert_uint_eq(count_of("\n"), NR_FUNCTIONS);
	check_every_byte("{\"period\": 18446744073709551615, \"samples\": 1, \"filename\": \"\", "
			 "\"function\": \"",
			 true);
	ck_assert_ptr_nonnull(strstr(
		text, "\n{\"period\": 1500000, \"samples\": 1, \"filename\": \"\", \"function\": "
		      "\"[unknown]\", \"event\": \"9\\n\", \"binary\": \"/lib/c.so\", \"percent\": "
		      "100.0000, \"line\": null, \"children_period\": 1500000, "
		      "\"children_samples\": 1, \"children_percent\": 100.0000, \"build_id\": "
		      "\"\", \"reason\": \"no-symbols\", \"inlined_period\": null, "
		      "\"inlined_samples\": null, \"size\": null}\n"));
}
END_TEST

START_TEST(speedscope_has_a_profile_for_each_event)
{
	write_form(speedscope_write, &results, NULL, true);
	check_every_byte("\"frames\": [\n      {\"name\": \"", true);
	ck_assert_ptr_nonnull(strstr(text,
				     "      {\"name\": \"[c.so]\", \"file\": \"/lib/c.so\"},\n"
				     "      {\"name\": \"[stack-cut]\"}\n"
				     "    ]\n"
				     "  },\n"
				     "  \"profiles\": [\n"
				     "    {\n"
				     "      \"type\": \"sampled\",\n"
				     "      \"name\": \"cycles:u\",\n"
				     "      \"unit\": \"none\",\n"
				     "      \"startValue\": 0,\n"
				     "      \"endValue\": 18446744073709551615,\n"
				     "      \"samples\": [[3, 1, 0]],\n"
				     "      \"weights\": [18446744073709551615]\n"
				     "    },\n"
				     "    {\n"
				     "      \"type\": \"sampled\",\n"
				     "      \"name\": \"9\\n\",\n"
				     "      \"unit\": \"nanoseconds\",\n"
				     "      \"startValue\": 0,\n"
				     "      \"endValue\": 1500000,\n"
				     "      \"samples\": [[2]],\n"
				     "      \"weights\": [1500000]\n"
				     "    }\n"
				     "  ]\n"
				     "}\n"));
	write_form(speedscope_write, &results, NULL, false);
	ck_assert_ptr_nonnull(strstr(text, "\"samples\": [[3, 1], [3, 1, 0]],\n      \"weights\": "
					   "[2, 1]\n"));
}
END_TEST

START_TEST(callgrind_has_columns_for_each_event)
{
	write_form(callgrind_write, &results, NULL, false);
	ck_assert_ptr_nonnull(strstr(
		text, "event: e2_9__period : period of 9 \n"
		      "event: e2_9__samples : samples of 9 \n"
		      "events: e1_cycles_u_period e1_cycles_u_samples e2_9__period e2_9__samples\n"
		      "summary: 18446744073709551615 3 1500000 1\n"
		      "\n"
		      "ob=(1) /opt/a b\n"
		      "fl=(1) ???\n"));
	check_every_byte("fn=(1) ", false);
	ck_assert_ptr_nonnull(strstr(text, "\nob=(1)\nfl=(2) x" LATIN ".c\nfn=(2) nnn"));
	ck_assert_ptr_nonnull(strstr(text, "n\n8 0 1\n"
					   "fi=(3) y\n"
					   "2 0 1\n"
					   "fe=(2)\n"
					   "cob=(1)\n"
					   "cfi=(1)\n"
					   "cfn=(1)\n"
					   "calls=1 0\n"
					   "7 18446744073709551615 1\n"
					   "\n"
					   "ob=(2) /lib/c.so\n"
					   "fl=(1)\n"
					   "fn=(3) [c.so]\n"
					   "0 0 0 1500000 1\n"
					   "fe=(1)\n"
					   "\n"
					   "ob=(3) ???\n"
					   "fl=(1)\n"
					   "fn=(4) [stack-cut]\n"
					   "cob=(1)\n"
					   "cfi=(2)\n"
					   "cfn=(2)\n"
					   "calls=3 7\n"
					   "0 18446744073709551615 3\n"
					   "\n"
					   "ob=(3)\n"
					   "fl=(1)\n"
					   "fn=(5) [root]\n"
					   "cob=(2)\n"
					   "cfi=(1)\n"
					   "cfn=(3)\n"
					   "calls=1 0\n"
					   "0 0 0 1500000 1\n"
					   "\n"
					   "totals: 18446744073709551615 3 1500000 1\n"));
}
END_TEST

static void check_part(const uint8_t *bytes, size_t size, const char *part, size_t len)
{
	ck_assert_ptr_nonnull(memmem(bytes, size, part, len));
}

/* Numbers have a sign there: 2^63 - 1 is the largest. */
START_TEST(pprof_has_the_largest_numbers_it_can_have)
{
	bool nomem = false;
	uint8_t *bytes;
	size_t size = 0;

	write_form(pprof_write, &results, &cycles, false);
	bytes = unpack(span_make(text, text_len, false), ROOM, &size, &nomem);
	ck_assert_ptr_nonnull(bytes);
	/* locations 2, 1, and 4 for what is cut; values */
	check_part(bytes, size,
		   "\x12\x11\x0a\x03\x02\x01\x04\x12\x0a\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
		   19);
	/* location 2 of mapping 1, at the highest address, in function 1 */
	check_part(bytes, size,
		   "\x22\x13\x08\x02\x10\x01\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x22\x02"
		   "\x08\x01",
		   21);
	/* a string of 64 KB; invalid UTF-8 */
	check_part(bytes, size, "\x32\x80\x80\x04nnnn", 8);
	check_part(bytes, size, "\x32\x06x" LATIN ".c", 8);
	ck_assert_ptr_null(memmem(bytes, size, "\xff.c", 3));
	free(bytes);
}
END_TEST

/* The results of a run whose start is told by @start_by. */
static struct results run_results(struct run_stat *run, const char *start_by)
{
	struct results timed = results;

	*run = (struct run_stat){.timed = true,
				 .first = 3,
				 .duration = 150,
				 .start = 1700000000000000005,
				 .start_by = start_by};
	for (size_t i = 0; i < ANSWERS_MAX; i++) {
		if (timed.answered[i].answer)
			continue;
		timed.answered[i] = (struct answered){&runstat_run, {.first = run, .nr = 1}};
		break;
	}
	return timed;
}

/* The default type is a string with a number below 128; time_nanos and duration_nanos follow. */
#define TIME	 "\x48\x85\x80\xa8\xb1\xe3\x9f\xe7\xcb\x17"
#define DURATION "\x50\x96\x01"

/* The time of a file is that of a copy: only a clock tells the start. */
START_TEST(pprof_has_the_time_of_the_run)
{
	struct run_stat run;
	const struct results timed = run_results(&run, _i ? "file" : "clock");
	bool nomem = false;
	uint8_t *bytes;
	size_t size = 0;

	write_form(pprof_write, &timed, &cycles, false);
	bytes = unpack(span_make(text, text_len, false), ROOM, &size, &nomem);
	ck_assert_ptr_nonnull(bytes);
	if (_i == 0)
		check_part(bytes, size, "\x70\x03" TIME DURATION, 15);
	else
		check_part(bytes, size, "\x70\x03" DURATION, 5);
	free(bytes);
}
END_TEST

/* Of each event it is the time of its first sample, which the others are told from. */
START_TEST(firefox_has_the_time_of_the_first_sample)
{
	struct run_stat run;
	struct results timed = run_results(&run, "clock");

	write_form(firefox_write, &timed, &cycles, false);
	ck_assert_ptr_nonnull(strstr(text, "    \"startTime\": 1700000000000.000005,\n"));
	write_form(firefox_write, &timed, &clock_event, false);
	ck_assert_ptr_nonnull(strstr(text, "    \"startTime\": 1700000000000.000009,\n"));
	timed = run_results(&run, "file");
	write_form(firefox_write, &timed, &cycles, false);
	ck_assert_ptr_nonnull(strstr(text, "    \"startTime\": 0,\n"));
}
END_TEST

START_TEST(firefox_has_each_sample)
{
	write_form(firefox_write, &results, &cycles, false);
	check_every_byte("\"", true);
	ck_assert_ptr_nonnull(
		strstr(text, "\"breakpadId\": \"33221100554477668899AABBCCDDEEFF0\""));
	ck_assert_ptr_nonnull(strstr(text, "\"name\": \"a\\\"" LATIN "\""));
	ck_assert_ptr_nonnull(strstr(text, "\"pid\": \"12\",\n      \"tid\": 13,"));
	/* sorted by thread, in ms since the first one */
	ck_assert_ptr_nonnull(strstr(text, "\"samples\": {\"length\": 2, \"weightType\": "
					   "\"samples\", \"stack\": [2, 1], \"time\": "
					   "[4.999997,4.999998], \"weight\": null}"));
	ck_assert_ptr_nonnull(
		strstr(text, "\"name\": \"[unknown]\",\n      \"isMainThread\": true"));
	ck_assert_ptr_nonnull(strstr(text, "\"stack\": [1], \"time\": [0.000000]"));
	ck_assert_ptr_nonnull(strstr(text, "\"stackTable\": {\n"
					   "      \"frame\": [0, 1, 2],\n"
					   "      \"prefixOffset\": [0, 1, 1],\n"
					   "      \"length\": 3\n"
					   "    },\n"
					   "    \"frameTable\": {\n"
					   "      \"address\": [-1, 4096, -1],\n"
					   "      \"inlineDepth\": [0, 0, 0],\n"
					   "      \"category\": [0, 1, 1],\n"
					   "      \"subcategory\": [0, 0, 0],\n"
					   "      \"func\": [2, 1, 0],\n"));
	write_form(firefox_write, &results, &clock_event, false);
	ck_assert_ptr_nonnull(strstr(text,
				     "\"weightType\": \"tracing-ms\", \"stack\": [0], \"time\": "
				     "[0.000000], \"weight\": [1.500000]}"));
}
END_TEST

/* Of no events at all, forms of all events have a file. */
START_TEST(nothing_is_a_whole_file)
{
	const struct results nothing = {0};

	write_form(resultsjson_write, &nothing, NULL, false);
	ck_assert_uint_eq(text_len, 0);
	write_form(callgrind_write, &nothing, NULL, false);
	ck_assert_ptr_nonnull(strstr(text, "events: samples\nsummary: 0\n\ntotals: 0\n"));
	write_form(speedscope_write, &nothing, NULL, false);
	ck_assert_ptr_nonnull(strstr(text, "\"frames\": []\n  },\n  \"profiles\": []\n}\n"));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("runforms");
	TCase *tc = tcase_create("runforms");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, json_has_a_line_for_each_row);
	tcase_add_test(tc, speedscope_has_a_profile_for_each_event);
	tcase_add_test(tc, callgrind_has_columns_for_each_event);
	tcase_add_test(tc, pprof_has_the_largest_numbers_it_can_have);
	tcase_add_loop_test(tc, pprof_has_the_time_of_the_run, 0, 2);
	tcase_add_test(tc, firefox_has_the_time_of_the_first_sample);
	tcase_add_test(tc, firefox_has_each_sample);
	tcase_add_test(tc, nothing_is_a_whole_file);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
