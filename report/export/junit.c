/*
 * diff.junit.xml: a suite for each event, with a test case for each function and one for the total.
 * A test case fails if the gate does; VERDICT_UNSURE is skipped. The text is repeated in the
 * element's body, because GitLab shows nothing else. Each suite has all notes, because viewers show
 * a suite alone. There is no time stamp, so that the same comparison gives the same bytes.
 */
#include "report/export/export.h"
#include "report/export/forms.h"
#include "report/export/pick.h"
#include "report/export/sourcepath.h"
#include "report/export/words.h"
#include "report/measure.h"
#include "util/textfile.h"
#include "util/xml.h"

#include <stdio.h>
#include <stdlib.h>

enum { FUNCTIONS_MAX = 500 };

struct counts {
	size_t tests, failures, skipped;
};

/** A test case. */
struct testcase {
	const char *classname;
	char *name, *words; /* owned */
	double seconds;	    /* duration; less than 0: unknown */
	bool fails;
	enum verdict verdict;
	const char *verdict_name;
};

static void put_number(struct outfile *out, const char *name, size_t value)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%zu", value);
	xml_attribute(out, name, digits);
}

static void put_seconds(struct outfile *out, double seconds)
{
	char digits[64];

	if (seconds < 0)
		return;
	snprintf(digits, sizeof(digits), "%.9f", seconds);
	xml_attribute(out, "time", digits);
}

static void put_element(struct outfile *out, const char *name, const struct testcase *test,
			bool with_type)
{
	outfile_string(out, "      <");
	outfile_string(out, name);
	if (with_type)
		xml_attribute(out, "type", test->verdict_name);
	if (with_type)
		xml_attribute(out, "message", test->words);
	outfile_string(out, ">");
	xml_text(out, test->words);
	outfile_string(out, "</");
	outfile_string(out, name);
	outfile_string(out, ">\n");
}

/* Writes @test and frees its texts, which may be NULL if memory was out. */
static void put_testcase(const struct export_view *view, struct testcase *test)
{
	struct outfile *out = view->out;

	if (test->name && test->words) {
		outfile_string(out, "    <testcase");
		xml_attribute(out, "classname", test->classname);
		xml_attribute(out, "name", test->name);
		put_seconds(out, test->seconds);
		outfile_string(out, ">\n");
		if (test->fails)
			put_element(out, "failure", test, true);
		else if (test->verdict == VERDICT_UNSURE)
			put_element(out, "skipped", test, true);
		else
			put_element(out, "system-out", test, false);
		outfile_string(out, "    </testcase>\n");
	} else {
		pick_nomem(view);
	}
	free(test->name);
	free(test->words);
}

static double seconds_of(enum measure measure, bool is_time, double value)
{
	return measure == MEASURE_PERIOD && is_time ? value / 1e9 : -1;
}

static void put_total(const struct export_view *view, const struct diff_event *event)
{
	const struct total_change *change = &event->change;
	const enum measure measure = change->per_second ? MEASURE_RATE : MEASURE_PERIOD;
	const enum verdict verdict = pick_total_verdict(view, event);
	char words[VALUETEXT_TOTAL_MAX];

	valuetext_total(words, view->diff, event);
	struct testcase test = {
		.classname = "total",
		.name = strdup(change->per_second ? "total per second" : "total per run"),
		.words = strdup(words),
		.seconds = seconds_of(measure, event->is_time, change->new_value),
		.fails = pick_total_fails(view, event),
		.verdict = verdict,
		.verdict_name = verdict_name(verdict, measure),
	};

	put_testcase(view, &test);
}

/* The name of the function, made unique: GitLab shows only the first of equal ones. */
static char *name_of(const struct export_view *view, const struct picked *picked)
{
	const struct diff_row *row = picked->row;
	struct textfile text;

	if (textfile_open(&text)) {
		fputs(*row->function ? row->function : "-", text.out);
		if (picked->shares_name && *row->filename)
			fprintf(text.out, " (%s)", sourcepath_strip(view->settings, row->filename));
	}
	return textfile_close(&text);
}

/* The text on the function, followed by a line with its place. */
static char *words_of(const struct export_view *view, const struct diff_row *row)
{
	struct textfile text;

	if (textfile_open(&text)) {
		words_row(text.out, row);
		if (*row->filename)
			fprintf(text.out, "\n%s", sourcepath_strip(view->settings, row->filename));
		if (*row->filename && row->line)
			fprintf(text.out, ":%u", (unsigned)row->line);
	}
	return textfile_close(&text);
}

static void put_function(const struct export_view *view, const struct picked *picked)
{
	const struct diff_row *row = picked->row;
	struct testcase test = {
		.classname = *row->binary ? row->binary : "-",
		.name = name_of(view, picked),
		.words = words_of(view, row),
		.seconds = seconds_of(row->measure, row->is_time, row->new_value),
		.fails = picked->fails,
		.verdict = row->verdict,
		.verdict_name = verdict_name(row->verdict, row->measure),
	};

	put_testcase(view, &test);
}

static void count(struct counts *counts, bool fails, enum verdict verdict)
{
	counts->tests++;
	counts->failures += fails;
	counts->skipped += !fails && verdict == VERDICT_UNSURE;
}

static void put_property(struct outfile *out, const char *name, const char *value)
{
	outfile_string(out, "      <property");
	xml_attribute(out, "name", name);
	xml_attribute(out, "value", value);
	outfile_string(out, "/>\n");
}

static void put_properties(const struct export_view *view, const struct diff_event *event,
			   size_t nr_told)
{
	char digits[32];

	outfile_string(view->out, "    <properties>\n");
	put_property(view->out, "readperf", READPERF_VERSION);
	put_property(view->out, "by", measure_word(view->diff->measure));
	put_property(view->out, "old", view->settings->sides[0]);
	put_property(view->out, "new", view->settings->sides[1]);
	snprintf(digits, sizeof(digits), "%zu", event->nr_rows - nr_told);
	put_property(view->out, "functions left out", digits);
	outfile_string(view->out, "    </properties>\n");
}

/* Writes the notes on the comparison as what the tests printed, which viewers show beside them. */
static void put_remarks(struct outfile *out, const struct remarks *remarks)
{
	if (remarks->nr == 0)
		return;
	outfile_string(out, "    <system-out>");
	for (size_t i = 0; i < remarks->nr; i++) {
		xml_text(out, remarks->lines[i]);
		outfile_string(out, "\n");
	}
	outfile_string(out, "</system-out>\n");
}

static void put_suite(const struct export_view *view, const struct diff_event *event,
		      const struct picks *picks)
{
	struct outfile *out = view->out;
	struct counts counts = {0};

	count(&counts, pick_total_fails(view, event), pick_total_verdict(view, event));
	for (size_t i = 0; i < picks->nr; i++)
		count(&counts, picks->rows[i].fails, picks->rows[i].row->verdict);
	outfile_string(out, "  <testsuite");
	xml_attribute(out, "name", event->name);
	put_number(out, "tests", counts.tests);
	put_number(out, "failures", counts.failures);
	xml_attribute(out, "errors", "0");
	put_number(out, "skipped", counts.skipped);
	outfile_string(out, ">\n");
	put_properties(view, event, picks->nr);
	put_total(view, event);
	for (size_t i = 0; i < picks->nr; i++)
		put_function(view, &picks->rows[i]);
	put_remarks(out, &view->diff->remarks);
	outfile_string(out, "  </testsuite>\n");
}

void junit_write(const struct export_view *view)
{
	struct picks picks;

	outfile_string(view->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
				  "<testsuites name=\"readperf diff\">\n");
	for (size_t i = 0; i < view->diff->nr_events; i++) {
		const struct diff_event *event = &view->diff->events[i];

		if (pick_rows(&picks, view, event, PICK_LARGER, FUNCTIONS_MAX))
			put_suite(view, event, &picks);
		pick_free(&picks);
	}
	outfile_string(view->out, "</testsuites>\n");
}
