#include "main/diffjob.h"

#include "decode/compare/diff.h"
#include "main/interrupt.h"
#include "main/load.h"
#include "main/say.h"
#include "main/screen.h"
#include "main/status.h"
#include "main/written.h"
#include "report/diffreport.h"
#include "util/error.h"
#include "util/text.h"
#include "util/textfile.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static struct diffreport *open_report(const struct settings *settings,
				      const struct export_settings *exports, struct error *err)
{
	struct report_settings report = settings->report;

	report.exports = exports;
	return diffreport_open(&report, err);
}

static struct export_settings exports_of(const struct settings *settings)
{
	struct export_settings exports = diffsettings_exports(&settings->diff);

	exports.raw = settings->report.raw;
	exports.html_bytes = settings->report.run_exports.html_bytes;
	return exports;
}

/* Checks before the work whether the tables can be written; leaves no files, whatever comes. */
static int try_tables(const struct settings *settings, struct error *err)
{
	const struct export_settings exports = exports_of(settings);
	struct diffreport *report;
	sigset_t before;

	interrupt_shield(&before);
	report = open_report(settings, &exports, err);
	diffreport_close(report);
	interrupt_unshield(&before);
	return report ? 0 : -1;
}

/* Signals are held back while tables are being put in place. */
static int write_tables(const struct settings *settings, const struct diff *diff, struct error *err)
{
	const struct export_settings exports = exports_of(settings);
	struct diffreport *report;
	sigset_t before;
	int rc = -1;

	interrupt_shield(&before);
	report = open_report(settings, &exports, err);
	if (report)
		rc = diffreport_finish(report, diff, err);
	diffreport_close(report);
	interrupt_unshield(&before);
	return rc;
}

/* Prints all of @remark: options that it offers may be longer than what say() prints. */
static void print_remark(const char *remark)
{
	struct textfile line;
	char *text;

	if (textfile_open(&line))
		text_show(line.out, remark, SIZE_MAX);
	text = textfile_close(&line);
	if (text)
		fprintf(stderr, "readperf: note: %s\n", text);
	else
		say(NULL, "note: %s", remark);
	free(text);
}

static void print_remarks(const struct diff *diff)
{
	for (size_t i = 0; i < diff->remarks.nr; i++)
		print_remark(diff->remarks.lines[i]);
}

static int print_changes(const struct settings *settings, const struct diff *diff,
			 struct error *err)
{
	const char *const sides[2] = {diffsettings_side(&settings->diff, 0),
				      diffsettings_side(&settings->diff, 1)};
	const struct console_settings console = screen_console(&settings->screen);

	return diffconsole_print(stdout, diff, sides, &console, err);
}

/* Prints the function that stops a gate, with the compared values. */
static void say_stopped_row(const struct diff_row *row)
{
	const struct valuetext_kind kind = {row->measure, row->is_time};
	char old_value[VALUETEXT_MAX], new_value[VALUETEXT_MAX], change[VALUETEXT_MAX];

	valuetext_value(old_value, kind, row->old_value);
	valuetext_value(new_value, kind, row->new_value);
	valuetext_change(change, row->old_value, row->new_value);
	say(NULL, "%s: %s: %s in %s: %s -> %s (%s), %+.2f %% of the whole, ratio %.2f, q %.2g",
	    row->event, verdict_name(row->verdict, row->measure), row->function, row->binary,
	    old_value, new_value, change, row->delta_percent, row->ratio, row->q_value);
}

static void say_stopped_total(const struct diff *diff, const struct diff_event *event)
{
	char total[VALUETEXT_TOTAL_MAX];

	valuetext_total(total, diff, event);
	say(NULL, "%s: %s", event->name, total);
}

/* Prints all that the gates stop; returns whether there is anything. */
static bool check_gates(const struct diff_settings *settings, const struct diff *diff)
{
	bool fired = false;

	for (size_t i = 0; settings->has_total_gate && i < diff->nr_events; i++) {
		if (!diff_total_fails(&diff->events[i], settings->total_gate))
			continue;
		say_stopped_total(diff, &diff->events[i]);
		fired = true;
	}
	for (size_t i = 0; settings->has_gate && i < diff->nr_rows; i++) {
		if (!diff_row_fails(&diff->rows[i], &settings->gate))
			continue;
		say_stopped_row(&diff->rows[i]);
		fired = true;
	}
	return fired;
}

/* Checks that the gate is for the measure that is compared; without --by the runs determine it. */
static int check_measure(const struct diff_settings *settings, const struct diff *diff,
			 struct error *err)
{
	static const char *const compared[] = {
		[MEASURE_PERIOD] = "periods", [MEASURE_RATE] = "rates", [MEASURE_SHARE] = "shares"};
	static const char *const options[] = {
		[MEASURE_PERIOD] = "period", [MEASURE_RATE] = "rate", [MEASURE_SHARE] = "share"};
	const enum measure wanted = settings->gate_measure;

	if (settings->has_gate && wanted != diff->measure)
		return error_set(
			err, ERROR_USAGE,
			"option --fail-on=%s: %s are compared: use --fail-on=%s, or add --by=%s",
			verdict_name(VERDICT_MORE, wanted), compared[diff->measure],
			verdict_name(VERDICT_MORE, diff->measure), options[wanted]);
	if (settings->has_total_gate && diff->measure == MEASURE_SHARE)
		return error_set(err, ERROR_USAGE,
				 "option --fail-on=total: shares are compared, which always add up "
				 "to 100 %%: add --by=period if the runs did the same work");
	return 0;
}

static bool are_recorded(const struct profile *profiles, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!profiles[i].recorded)
			return false;
	return true;
}

/*
 * Loads the runs and compares them. @paths gets their call paths if an export shows them, and all
 * runs are recordings. Returns NULL with @err filled if that fails.
 */
static struct diff *load_and_compare(const struct settings *settings, struct profile *profiles,
				     struct pathsums *paths, bool *missing, struct error *err)
{
	const bool wanted = export_needs_paths(settings->diff.exports) && !settings->diff.calls;
	struct diff_input input = {
		.match = {.runs = profiles,
			  .nr_runs = settings->diff.nr_runs,
			  .nr_old = settings->diff.nr_old,
			  .renames = &settings->diff.renames,
			  .children = settings->diff.children},
		.measure_is_open = !settings->diff.has_measure,
		.measure = settings->diff.measure,
		.same_seconds =
			settings->filter.has_time && settings->filter.time.unit != TIME_PERCENT,
		.run_deviation = settings->diff.has_run_deviation ? settings->diff.run_deviation
								  : DEFAULT_RUN_DEVIATION,
		.gated = settings->diff.has_gate || settings->diff.has_total_gate,
		.calls = settings->diff.calls,
	};

	if (load_runs(settings, profiles, wanted ? paths : NULL, missing, err) < 0)
		return NULL;
	if (wanted && are_recorded(profiles, settings->diff.nr_runs)) {
		input.paths = paths;
		input.match.by_key = true;
	}
	return diff_make(&input, err);
}

/*
 * If tables cannot be written, for the reason in @err, prints that and goes on without them.
 * Returns -1 if neither changes nor a gate would be printed, or for other errors.
 */
static int lose_tables(const struct settings *settings, struct error *err)
{
	const bool gated = settings->diff.has_gate || settings->diff.has_total_gate;

	if (err->kind != ERROR_IO || settings->report.to_stdout || (settings->quiet && !gated))
		return -1;
	fprintf(stderr, "readperf: %s\n", err->text);
	*err = (struct error){0};
	return 0;
}

/* What is wrong with the output of a comparison. */
struct flaws {
	bool missing;	  /* a part of an input */
	bool tables_lost; /* the tables cannot be written */
};

static int put_tables(const struct settings *settings, const struct diff *diff, struct flaws *flaws,
		      struct error *err)
{
	if (flaws->tables_lost || write_tables(settings, diff, err) == 0)
		return 0;
	flaws->tables_lost = true;
	return lose_tables(settings, err);
}

/* Writes the output of a comparison. Returns the exit status, or -1 with @err filled. */
static int put_out(const struct settings *settings, const struct diff *diff, struct flaws *flaws,
		   struct error *err)
{
	bool fired;

	if (!settings->quiet)
		print_remarks(diff);
	if (check_measure(&settings->diff, diff, err) < 0 ||
	    put_tables(settings, diff, flaws, err) < 0)
		return -1;
	if (!settings->quiet && !settings->report.to_stdout &&
	    print_changes(settings, diff, err) < 0)
		return -1;
	fired = check_gates(&settings->diff, diff);
	if (flaws->tables_lost)
		return EXIT_UNUSABLE;
	written_say(settings, NULL);
	/* Of what is damaged, a gate says nothing for sure. */
	if (flaws->missing)
		return EXIT_INCOMPLETE;
	return fired ? EXIT_GATE : EXIT_OK;
}

/* Compares the profiles and writes the output. Returns the exit status, or -1 with @err filled. */
static int compare(const struct settings *settings, struct profile *profiles, struct error *err)
{
	struct pathsums paths = {0};
	struct flaws flaws = {.tables_lost = try_tables(settings, err) < 0};
	struct diff *diff = NULL;
	int status = -1;

	if (!flaws.tables_lost || lose_tables(settings, err) == 0)
		diff = load_and_compare(settings, profiles, &paths, &flaws.missing, err);
	if (diff)
		status = put_out(settings, diff, &flaws, err);
	diff_free(diff);
	pathsums_free(&paths);
	return status;
}

int diffjob_run(const struct settings *settings)
{
	struct profile *profiles = calloc(settings->diff.nr_runs, sizeof(*profiles));
	struct error err = {0};
	int status = -1;

	if (profiles)
		status = compare(settings, profiles, &err);
	else
		error_nomem(&err, "comparing runs");
	if (status < 0)
		fprintf(stderr, "readperf: %s\n", err.text);
	for (size_t i = 0; profiles && i < settings->diff.nr_runs; i++)
		profile_free(&profiles[i]);
	free(profiles);
	if (status >= 0)
		return status;
	return err.kind == ERROR_USAGE ? EXIT_USAGE : EXIT_UNUSABLE;
}
