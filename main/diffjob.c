#include "main/diffjob.h"

#include "decode/compare/diff.h"
#include "main/interrupt.h"
#include "main/load.h"
#include "main/status.h"
#include "report/diff.h"
#include "util/error.h"
#include "util/progress.h"
#include "util/text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints @text as a line on standard error; fit for a terminal whatever names are in it. */
static void say(const char *text)
{
	struct error line = {0};

	error_set(&line, ERROR_FORMAT, "%s", text);
	fprintf(stderr, "readperf: %s\n", line.text);
}

/* Before the work, whether the tables can be written; nothing of them stays. */
static int try_tables(const struct settings *settings, struct error *err)
{
	struct diffreport *report = diffreport_open(&settings->report, err);

	diffreport_close(report);
	return report ? 0 : -1;
}

/* Signals wait while a table may be half in place. */
static int write_tables(const struct settings *settings, const struct diff *diff, struct error *err)
{
	struct diffreport *report;
	sigset_t before;
	int rc = -1;

	interrupt_shield(&before);
	report = diffreport_open(&settings->report, err);
	if (report)
		rc = diffreport_finish(report, diff, err);
	diffreport_close(report);
	interrupt_unshield(&before);
	return rc;
}

static int load_runs(const struct settings *settings, struct profile *profiles, bool *missing,
		     struct error *err)
{
	struct progress progress;
	int rc = 0;

	progress_start(&progress, settings->quiet ? NULL : stderr);
	for (size_t i = 0; rc == 0 && i < settings->diff.nr_runs; i++) {
		profiles[i].label = diffsettings_run(&settings->diff, i);
		rc = load_profile(&profiles[i], settings->diff.runs[i], settings, &progress,
				  missing, err);
	}
	progress_erase(&progress);
	return rc;
}

static void print_remarks(const struct diff *diff)
{
	for (size_t i = 0; i < diff->remarks.nr; i++) {
		struct error line = {0};

		error_set(&line, ERROR_FORMAT, "note: %s", diff->remarks.lines[i]);
		say(line.text);
	}
}

static int print_changes(const struct settings *settings, const struct diff *diff,
			 struct error *err)
{
	const char *const sides[2] = {diffsettings_side(&settings->diff, 0),
				      diffsettings_side(&settings->diff, 1)};

	return diffreport_console(stdout, diff, sides, (size_t)settings->top,
				  text_terminal_columns(stdout), err);
}

/* Names a function that the gate stops, with the values that are compared. */
static void say_stopped(const struct diff_row *row, enum measure measure)
{
	const struct diffreport_words *words = &diffreport_words[measure];
	char old_value[DIFFREPORT_VALUE_MAX], new_value[DIFFREPORT_VALUE_MAX];
	struct error line = {0};

	diffreport_value(old_value, measure, row->old_value);
	diffreport_value(new_value, measure, row->new_value);
	error_set(&line, ERROR_FORMAT, "%s: slower: %s in %s: %s%s%s to %s, %+.2f %s, ratio %.2f",
		  row->event, row->function, row->binary, words->value, *words->value ? " " : "",
		  old_value, new_value, row->delta_percent, words->points, row->ratio);
	fprintf(stderr, "readperf: %s\n", line.text);
}

/* Names each function that the gate stops; returns whether there is one. */
static bool check_gate(const struct diff_settings *settings, const struct diff *diff)
{
	bool fired = false;

	for (size_t i = 0; settings->has_gate && i < diff->nr_rows; i++) {
		const struct diff_row *row = &diff->rows[i];

		if (!diff_row_fails(row, &settings->gate))
			continue;
		say_stopped(row, diff->measure);
		fired = true;
	}
	return fired;
}

/* Returns the exit status, or -1 with @err filled. */
static int compare(const struct settings *settings, struct profile *profiles, struct error *err)
{
	const struct diff_input input = {
		.match = {.runs = profiles,
			  .nr_runs = settings->diff.nr_runs,
			  .nr_old = settings->diff.nr_old,
			  .renames = &settings->diff.renames,
			  .children = settings->diff.children},
		.measure_is_open = !settings->diff.has_measure,
		.measure = settings->diff.measure,
		.run_deviation = settings->diff.has_run_deviation ? settings->diff.run_deviation
								  : DEFAULT_RUN_DEVIATION,
	};
	struct diff *diff = NULL;
	bool missing = false;
	int status = -1;

	if (try_tables(settings, err) == 0 && load_runs(settings, profiles, &missing, err) == 0)
		diff = diff_make(&input, err);
	if (!diff)
		return -1;
	if (!settings->quiet)
		print_remarks(diff);
	if (write_tables(settings, diff, err) == 0 &&
	    (settings->quiet || print_changes(settings, diff, err) == 0))
		status = missing ? EXIT_INCOMPLETE : EXIT_OK;
	if (status >= 0 && check_gate(&settings->diff, diff))
		status = EXIT_GATE;
	diff_free(diff);
	return status;
}

int diffjob_run(const struct settings *settings)
{
	struct profile *profiles = calloc(settings->diff.nr_runs, sizeof(*profiles));
	struct error err = {0};
	int status = -1;

	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
	if (profiles)
		status = compare(settings, profiles, &err);
	else
		error_nomem(&err, "comparing runs");
	if (status < 0)
		fprintf(stderr, "readperf: %s\n", err.text);
	for (size_t i = 0; profiles && i < settings->diff.nr_runs; i++)
		profile_free(&profiles[i]);
	free(profiles);
	return status < 0 ? EXIT_UNUSABLE : status;
}
