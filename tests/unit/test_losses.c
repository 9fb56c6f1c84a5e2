/* What is said on standard error of recordings made for the purpose. */
#include "main/losses.h"
#include "main/notes.h"

#include "decode/replay.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	SAMPLE_TYPE = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		      PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
};

static const uint64_t ids[3] = {10, 20, 30};
static struct mkperf *m;
static const struct unnamed_stat *results_doubted; /* to be told of */
static bool window_untimed;
static const struct event_stat *cut_events; /* of cut chains, in place of those recorded */
static struct rows shown_paths;		    /* of a table of paths */

static void setup(void)
{
	m = mkperf_new(NULL);
	results_doubted = NULL;
	window_untimed = false;
	cut_events = NULL;
	shown_paths = (struct rows){0};
}

static void add_event(unsigned number, uint64_t config)
{
	mkperf_event(m, &(struct mkperf_event){
				.type = PERF_TYPE_SOFTWARE,
				.config = config,
				.sample_type = SAMPLE_TYPE,
				.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				.ids = &ids[number],
				.nr_ids = 1,
			});
}

/* cpu-clock, page-faults and, as perf record -a adds it, dummy. */
static void add_events(void)
{
	add_event(0, PERF_COUNT_SW_CPU_CLOCK);
	add_event(1, PERF_COUNT_SW_PAGE_FAULTS);
	add_event(2, PERF_COUNT_SW_DUMMY);
}

static void sample(unsigned event, size_t times)
{
	while (times-- > 0)
		mkperf_sample(m, &(struct mkperf_sample){.event = event,
							 .misc = PERF_RECORD_MISC_USER,
							 .pid = 7,
							 .tid = 7,
							 .ip = 0x1000,
							 .time = 5});
}

/* As perf record reads it off the counter of @event when it ends. */
static void lost_at_end(unsigned event, uint64_t nr)
{
	mkperf_lost_samples(m, &(struct mkperf_id){.event = event}, 0, nr);
}

/* As the kernel tells it when there is room again: on behalf of the event that finds it. */
static void lost(unsigned event, uint64_t nr)
{
	mkperf_lost(m, &(struct mkperf_id){.event = event, .time = 6}, ids[event], nr);
}

static const struct results *replay_all(struct perffile *file, struct replay *replay)
{
	const struct record *rec;
	const struct results *results;
	struct error err = {0};

	while ((rec = recording_next(file)))
		ck_assert_int_ge(replay_apply(replay, rec, &err), 0);
	results = replay_finish(replay, &err);
	ck_assert_msg(results, "%s", err.text);
	return results;
}

/* Reads the recording and compares what is said of it, but for samples without a name. */
static void check_said(const char *expected)
{
	const struct filter filter = {0};
	struct replay_settings settings = {
		.filter = &filter,
		.symbols = {.build_id_cache = "/nonexistent", .debug_dir = "/nonexistent"},
	};
	struct scratch_path dir = scratch_make();
	struct perffile *file = recording_open(m);
	struct replay *replay;
	struct results results;
	const int terminal = dup(STDERR_FILENO);
	struct notes_said seen = {0};
	char *said;

	notes_add_needs(&settings.needs);
	replay = replay_create(&settings, file, NULL);
	results = *replay_all(file, replay);
	results.nr_unnamed = 0;
	results.doubted = results_doubted;
	results.window_untimed = window_untimed;
	if (cut_events)
		results.events = cut_events;
	results.answered[2] = (struct answered){&pathstat_paths, shown_paths};
	ck_assert_ptr_nonnull(freopen(scratch_join(dir.text, "said").text, "w", stderr));
	losses_print("x.data", perffile_counts(file), &results, false);
	notes_print("x.data", file, &results, &(struct notes_shown){0}, &seen);
	ck_assert(!seen.unnamed && seen.doubted == (results_doubted != NULL));
	ck_assert(seen.cut == (cut_events != NULL || shown_paths.nr > 0));
	fflush(stderr);
	ck_assert_int_eq(dup2(terminal, STDERR_FILENO), STDERR_FILENO);
	said = scratch_read(dir.text, "said");
	ck_assert_str_eq(said, expected);
	free(said);
	close(terminal);
	replay_destroy(replay);
	perffile_close(file);
	scratch_remove(dir.text);
}

START_TEST(nothing_lost)
{
	add_events();
	sample(0, 3);
	check_said("");
}
END_TEST

START_TEST(a_window_without_times)
{
	add_events();
	sample(0, 3);
	window_untimed = true;
	check_said("readperf: x.data: note: no sample has a time (perf record --timestamp records "
		   "it): the overview covers everything, not only the last seconds\n");
}
END_TEST

START_TEST(more_than_one_percent_is_a_warning)
{
	add_events();
	sample(0, 989);
	lost_at_end(0, 11);
	check_said("readperf: x.data: warning: cpu-clock: the kernel dropped 11 of 1000 samples "
		   "(1.1 %): give perf record a larger buffer (-m) or a lower rate (-F)\n");
}
END_TEST

/* Of all events that lost so few, in one line. */
START_TEST(fewer_are_a_note)
{
	add_events();
	sample(0, 498);
	sample(1, 499);
	lost_at_end(0, 2);
	lost_at_end(1, 1);
	check_said("readperf: x.data: note: the kernel dropped 3 of 1000 samples (0.3 %) during "
		   "the recording\n");
}
END_TEST

START_TEST(the_note_stands_beside_a_warning)
{
	add_events();
	sample(0, 50);
	sample(1, 996);
	lost_at_end(0, 50);
	lost_at_end(1, 4);
	check_said("readperf: x.data: warning: cpu-clock: the kernel dropped 50 of 100 samples "
		   "(50.0 %): give perf record a larger buffer (-m) or a lower rate (-F)\n"
		   "readperf: x.data: note: the kernel dropped 4 of 1000 samples (0.4 %) of other "
		   "events during the recording\n");
}
END_TEST

/* It takes no samples: what it lost are other records. */
START_TEST(a_dummy_event_loses_no_samples)
{
	add_events();
	sample(0, 996);
	lost_at_end(0, 4);
	lost_at_end(2, 1);
	check_said("readperf: x.data: note: the kernel dropped 4 of 1000 samples (0.4 %) during "
		   "the recording\nreadperf: x.data: note: the kernel dropped 1 record, possibly "
		   "of mappings or processes: names may be wrong or missing\n");
}
END_TEST

START_TEST(losses_that_the_kernel_tells_of_on_the_way)
{
	add_events();
	sample(0, 997);
	lost(0, 3);
	lost(2, 2);
	check_said("readperf: x.data: note: the kernel dropped 3 of 1000 samples (0.3 %) during "
		   "the recording\nreadperf: x.data: note: the kernel dropped 2 records, possibly "
		   "of mappings or processes: names may be wrong or missing\n");
}
END_TEST

/* ---- no samples ------------------------------------------------------------------------------ */

static void check_without_samples(const char *why)
{
	char expected[200];

	snprintf(expected, sizeof(expected), "readperf: x.data: contains no samples%s\n", why);
	check_said(expected);
}

START_TEST(no_samples)
{
	add_events();
	mkperf_round(m);
	check_without_samples("");
}
END_TEST

/* As a pipe that was closed behind the header. */
START_TEST(no_events)
{
	mkperf_free(m);
	m = mkperf_new(&(struct mkperf_options){.pipe = true});
	check_said("readperf: x.data: describes no event: what should follow its header is "
		   "missing\n");
}
END_TEST

/* What is not decoded is called by its name. */
static const struct {
	uint64_t type;
	const char *said;
} traces[] = {
	{2, "a hardware trace (AUXTRACE, Intel BTS), which readperf does not decode"},
	{3, "a CoreSight trace, which --tables=trace decodes"},
	{4, "an Arm SPE trace, which --tables=spe,memory,cachelines decodes"},
	{5, "a hardware trace (AUXTRACE, s390 CPU-MF), which readperf does not decode"},
	{6, "a hardware trace (AUXTRACE, HiSilicon PTT), which readperf does not decode"},
	{7, "a hardware trace (AUXTRACE, PowerPC VPA DTL), which readperf does not decode"},
	{8, "a hardware trace (AUXTRACE, of an unknown type), which readperf does not decode"},
};

START_TEST(no_samples_but_a_trace)
{
	const uint64_t info[2] = {traces[_i].type}, trace[5] = {8};
	char expected[150];

	add_events();
	mkperf_record(m, RECORD_AUXTRACE_INFO, 0, info, sizeof(info));
	mkperf_record(m, RECORD_AUXTRACE, 0, trace, sizeof(trace));
	mkperf_payload(m, "datadata", 8);
	snprintf(expected, sizeof(expected), ", only %s", traces[_i].said);
	check_without_samples(expected);
}
END_TEST

/* Of a trace alone that it was to be made, or that it was made. */
START_TEST(no_samples_and_no_trace)
{
	static const uint64_t body[3] = {3};
	static const uint32_t types[] = {RECORD_AUXTRACE_INFO, RECORD_AUX, RECORD_ITRACE_START};

	add_events();
	mkperf_begin(m, types[_i], 0);
	mkperf_bytes(m, body, types[_i] == RECORD_ITRACE_START ? 8 : sizeof(body));
	if (types[_i] < RECORD_USER_FIRST)
		mkperf_trailer(m, &(struct mkperf_id){.time = 5});
	mkperf_end(m);
	check_without_samples(": it should contain a hardware trace, but the trace data (AUXTRACE) "
			      "were never written or have been removed");
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------- */

START_TEST(names_that_may_be_wrong)
{
	static const struct event event = {.name = "cycles:u"};
	static const struct binary_stat binary = {
		.event = &event, .binary = "/bin/x", .doubt = "newer"};
	static const struct unnamed_stat doubted = {&binary, 1, 8, "its file is too young"};

	add_events();
	sample(0, 3);
	results_doubted = &doubted;
	check_said("readperf: x.data: note: the names of 12.5 % of the samples of cycles:u may be "
		   "wrong, most of them in /bin/x (newer): its file is too young, and it "
		   "was mapped without a build id (perf record --buildid-mmap records one)\n");
}
END_TEST

/* More than a twentieth of the period; each event has reasons of its own. */
START_TEST(cut_chains)
{
	static const struct event cycles = {.name = "cycles", .chains = true},
				  faults = {.name = "faults", .chains = true},
				  waits = {.name = "waits", .chains = true};
	static const struct event_stat events[] = {
		{.event = &cycles,
		 .total = {3, 2000},
		 .cut = {2, 101},
		 .cut_reason = "stack-cut",
		 .cut_advice = "record more"},
		{.event = &faults, .total = {3, 2000}, .cut = {2, 100}, .cut_reason = "no-cfi"},
		{.event = &waits,
		 .total = {1, 10},
		 .cut = {1, 10},
		 .cut_reason = "bad-frame",
		 .cut_advice = ""},
	};

	add_events();
	sample(0, 3);
	cut_events = events;
	shown_paths.nr = 1;
	check_said("readperf: x.data: note: 5.0 % of the period of cycles has call chains without "
		   "their outermost callers, most of it stack-cut: record more\n"
		   "readperf: x.data: note: 100.0 % of the period of waits has call chains without "
		   "their outermost callers, most of it bad-frame\n");
}
END_TEST

/* Whoever asks for calls should know why there are none. */
START_TEST(no_chains)
{
	add_events();
	sample(0, 3);
	shown_paths.nr = 1;
	check_said(
		"readperf: x.data: note: the samples have no call chains (perf record -g records "
		"them): no function has a caller\n");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("losses");
	TCase *tcase = tcase_create("dropped");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, cut_chains);
	tcase_add_test(tcase, no_chains);
	tcase_add_test(tcase, nothing_lost);
	tcase_add_test(tcase, a_window_without_times);
	tcase_add_test(tcase, more_than_one_percent_is_a_warning);
	tcase_add_test(tcase, fewer_are_a_note);
	tcase_add_test(tcase, the_note_stands_beside_a_warning);
	tcase_add_test(tcase, a_dummy_event_loses_no_samples);
	tcase_add_test(tcase, losses_that_the_kernel_tells_of_on_the_way);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("names");
	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, names_that_may_be_wrong);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("no samples");
	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, no_samples);
	tcase_add_test(tcase, no_events);
	tcase_add_loop_test(tcase, no_samples_but_a_trace, 0, sizeof(traces) / sizeof(traces[0]));
	tcase_add_loop_test(tcase, no_samples_and_no_trace, 0, 3);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
