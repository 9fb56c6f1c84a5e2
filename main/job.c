#include "main/job.h"

#include "decode/replay.h"
#include "main/interrupt.h"
#include "main/losses.h"
#include "main/notes.h"
#include "main/reading.h"
#include "main/say.h"
#include "main/screen.h"
#include "main/status.h"
#include "main/tracenotes.h"
#include "main/written.h"
#include "perffile/perffile.h"
#include "report/export/runexport.h"
#include "report/report.h"
#include "util/clock.h"
#include "util/error.h"
#include "util/progress.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The state of a run of the main job. */
struct job_run {
	const struct settings *settings;
	struct job_told *told; /* NULL: nobody is told */
	struct perffile *file;
	struct replay *replay;
	struct report *report;	       /* NULL after the tables have failed */
	const struct results *results; /* NULL until the run is complete */
	struct progress progress;
	struct interrupt interrupt;
	struct screen screen;
	struct reading reading;
	struct filter filter;	/* of the settings, whose --time is placed in the recording */
	bool stream;		/* the input is a stream, which the user may stop */
	bool stopped;		/* the user has stopped it */
	bool tables_lost;	/* the tables cannot be written */
	unsigned nr_heeded;	/* signals that have had their effect; see finish_replay() */
	uint64_t next_update;	/* time of the next update, ns of clock_now() */
	uint64_t nr_updated;	/* number of records in the tables on disk */
	struct error attention; /* error while waiting for data */
	struct error err;
};

/* ---- while it runs --------------------------------------------------------------------------- */

/* Prints @err, with which the run goes on. */
static void pass_over(struct job_run *run, struct error *err)
{
	progress_erase(&run->progress);
	fprintf(stderr, "readperf: %s\n", err->text);
	*err = (struct error){0};
}

/*
 * If tables cannot be written, for the reason in @err, prints that and goes on without them, so
 * that the overview is still made. Returns -1 if there would be no overview, if the rows are parts
 * of tables, which are of use only as a whole, or for other errors.
 */
static int lose_tables(struct job_run *run, struct error *err)
{
	const struct settings *settings = run->settings;

	report_close(run->report);
	run->report = run->reading.report = NULL;
	if (err->kind != ERROR_IO || !settings_shows_results(settings) || settings->report.parts)
		return -1;
	pass_over(run, err);
	run->tables_lost = true;
	return 0;
}

/* A stream cannot be read again: tables that fail for the reason in @err are tried again. */
static bool tries_again(const struct job_run *run, const struct error *err)
{
	const struct report_settings *report = &run->settings->report;

	return run->stream && err->kind == ERROR_IO && !report->to_stdout && !report->parts;
}

/* Goes on without tables until they are tried again. What hinders them is said once. */
static void put_off_tables(struct job_run *run, struct error *err)
{
	report_abandon(run->report);
	if (!run->tables_lost)
		pass_over(run, err);
	*err = (struct error){0};
	run->tables_lost = true;
}

/* Takes note that the tables are in place, and says so if that could not be expected. */
static void find_tables(struct job_run *run)
{
	if (run->tables_lost)
		fprintf(stderr, "readperf: the %stables can be written again\n",
			report_lost_rows(run->report) ? "other " : "");
	run->tables_lost = false;
}

/*
 * Puts tables in place with @put, report_update() or report_finish(). Signals are held back until
 * this is done or the files that are not in place have been removed.
 */
static int put_tables(struct job_run *run,
		      int (*put)(struct report *, const struct results *, struct error *),
		      const struct results *results, struct error *err)
{
	sigset_t before;
	int rc = 0;

	if (!run->report)
		return 0;
	interrupt_shield(&before);
	if (put(run->report, results, err) == 0)
		find_tables(run);
	else if (tries_again(run, err))
		put_off_tables(run, err);
	else
		rc = lose_tables(run, err);
	interrupt_unshield(&before);
	return rc;
}

/* Puts the final tables in place; tries twice, as giving up the first time frees disk space. */
static int finish_tables(struct job_run *run, struct error *err)
{
	if (put_tables(run, report_finish, run->results, err) < 0)
		return -1;
	return run->tables_lost ? put_tables(run, report_finish, run->results, err) : 0;
}

/* Updates tables and overview with the records so far. */
static int update(struct job_run *run, struct error *err)
{
	const struct results *results = replay_snapshot(run->replay, err);

	progress_erase(&run->progress);
	if (!results || put_tables(run, report_update, results, err) < 0)
		return -1;
	run->nr_updated = run->reading.mark.nr_records;
	if (!settings_shows_results(run->settings))
		return 0;
	return screen_update(&run->screen, results, &run->reading.mark, err);
}

static bool has_news(const struct job_run *run)
{
	return run->settings->interval && run->reading.mark.nr_records > run->nr_updated;
}

/*
 * The pause before the next update is at least as long as this one took: half of the time is for
 * reading.
 */
static int update_if_due(struct job_run *run, struct error *err)
{
	uint64_t start = clock_now(), took, pause = run->settings->interval;

	if (!has_news(run) || start < run->next_update)
		return 0;
	if (update(run, err) < 0)
		return -1;
	took = clock_now() - start;
	run->next_update = start + took + (pause > took ? pause : took);
	return 0;
}

/* Ends the run if the user wants that: a stream is stopped and completed, any other run fails. */
static int heed_signals(struct job_run *run, struct error *err)
{
	unsigned nr = interrupt_take(&run->interrupt);
	bool over = perffile_is_stream(run->file)
			    ? clock_now() >= interrupt_deadline(&run->interrupt)
			    : nr > 1; /* the stream was copied, so it has ended */

	if (nr > 0 && (!run->stream || run->interrupt.quits))
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	run->stopped = nr > 0 && over;
	return 0;
}

/* Periodic work, whether or not records come. */
static int attend(struct job_run *run, struct error *err)
{
	reading_show_bytes(&run->reading, &run->progress);
	return heed_signals(run, err) < 0 ? -1 : update_if_due(run, err);
}

/* Called periodically while records are read, also before the first one is returned. */
static int tick_reading(void *arg, struct error *err)
{
	struct job_run *run = arg;

	if (run->stopped)
		return 0;
	if (attend(run, err) < 0)
		return -1;
	if (run->stopped)
		perffile_stop(run->file);
	return 0;
}

/* Milliseconds until attend() has work to do; -1: not before data or a signal comes. */
static int patience(const struct job_run *run)
{
	enum { REDRAW_MS = 500 };
	uint64_t until = interrupt_deadline(&run->interrupt), now = clock_now(), ms;

	if (has_news(run) && run->next_update < until)
		until = run->next_update;
	if (until == UINT64_MAX)
		return run->progress.stream ? REDRAW_MS : -1;
	if (until <= now)
		return 0;
	ms = (until - now) / NS_PER_MS + 1;
	return ms > REDRAW_MS ? REDRAW_MS : (int)ms;
}

/* Called before each read if a stream has no data. */
static bool await_data(void *arg, int fd)
{
	struct job_run *run = arg;
	struct pollfd fds[] = {{.fd = fd, .events = POLLIN},
			       {.fd = run->interrupt.fd, .events = POLLIN}};

	if (attend(run, &run->attention) < 0 || run->stopped)
		return false;
	(void)poll(fds, 2, patience(run));
	return true;
}

/* ---- from the beginning to the end ----------------------------------------------------------- */

/* Called when a record cannot be written: the other tables of a stream do not need overview.csv. */
static int lose_report(void *arg, struct error *err)
{
	struct job_run *run = arg;
	const bool before = report_lost_rows(run->report);

	if (tries_again(run, err))
		report_abandon(run->report);
	if (before || !report_lost_rows(run->report))
		return lose_tables(run, err);
	pass_over(run, err);
	return 0;
}

static int read_records(struct job_run *run)
{
	struct reading *reading = &run->reading;
	int rc;

	reading->replay = run->replay;
	reading->report = run->report;
	reading->filter = &run->filter;
	reading->names.vendor = run->settings->vendor_names;
	reading->tick = tick_reading;
	reading->lose_report = lose_report;
	reading->tick_arg = run;
	rc = reading_run(reading, &run->err);
	if (run->attention.kind != ERROR_NONE)
		run->err = run->attention;
	else if (run->stopped && reading->mark.nr_records == 0)
		error_set(&run->err, ERROR_INTERRUPTED, "interrupted");
	else
		return rc;
	return -1;
}

/* A signal only stops the decoding of a trace, which may take long: there are tables of the rest.
 */
static bool heed_in_trace(void *arg)
{
	struct job_run *run = arg;
	const unsigned before = run->nr_heeded;

	interrupt_block(&run->interrupt);
	run->nr_heeded = interrupt_take(&run->interrupt);
	return run->nr_heeded > before;
}

/*
 * If unfinished tables have no name yet, a signal may end the program at once: the lookup of
 * symbols in a large binary cannot be interrupted otherwise. Signals from before the end of a
 * stream have already had their effect.
 */
static const struct results *finish_replay(struct job_run *run)
{
	const struct results *results;

	run->nr_heeded = run->stream ? interrupt_take(&run->interrupt) : 0;
	if (!run->report || report_vanishes(run->report))
		interrupt_unblock(&run->interrupt);
	results = replay_finish(run->replay, &run->err);
	interrupt_block(&run->interrupt);
	progress_erase(&run->progress);
	if (interrupt_take(&run->interrupt) == run->nr_heeded && !run->interrupt.quits)
		return results;
	error_set(&run->err, ERROR_INTERRUPTED, "interrupted");
	return NULL;
}

/* Starts the tables. What tells the run is in every row, so it must be known by now. */
static int open_report(struct job_run *run)
{
	struct report_settings settings = run->settings->report;
	const bool tells = settings.tags.on || report_settings_chosen(&settings) & REPORT_BIT(run);
	int rc = tells ? perffile_hash(run->file, &settings.tags.run, &run->err) : 0;

	if (rc < 0)
		return -1;
	settings.tags.known = rc > 0;
	settings.threads = run->settings->symbols.threads;
	if (run->told)
		*run->told = (struct job_told){.known = rc > 0, .run = settings.tags.run};
	settings.tags.file = strcmp(run->settings->input, "-") == 0 ? "" : run->settings->input;
	interrupt_hold(&run->interrupt);
	interrupt_hold_pipe(&run->interrupt);
	run->report = report_open(&settings, &run->err);
	if (!run->report || report_vanishes(run->report)) {
		interrupt_release(&run->interrupt);
		interrupt_release_pipe(&run->interrupt);
	}
	return run->report ? 0 : lose_tables(run, &run->err);
}

/*
 * Opens the input. Unpacking a compressed file may take long; no table is begun yet, so a signal
 * may end the program. That does not apply to a stream, whose rest is still to be read after a
 * signal.
 */
static struct perffile *open_input(struct job_run *run)
{
	const char *path = run->settings->input;
	struct perffile *file;
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		interrupt_unblock(&run->interrupt);
	file = perffile_open(path, &run->err);
	interrupt_block(&run->interrupt);
	return file;
}

/* Places --time in the recording. That may mean to read it, and no table is begun yet, so a signal
 * may end the program. */
static int place_filter(struct job_run *run)
{
	int rc;

	if (!perffile_is_stream(run->file))
		interrupt_unblock(&run->interrupt);
	rc = filter_find_times(&run->filter, run->file, reading_show_times, &run->progress,
			       &run->err);
	interrupt_block(&run->interrupt);
	progress_erase(&run->progress);
	return rc;
}

/* What is asked of the replay. */
static struct replay_settings ask(struct job_run *run)
{
	const struct settings *settings = run->settings;
	struct replay_settings replay = {.filter = &run->filter,
					 .per = &settings->per,
					 .symbols = settings->symbols,
					 .stacks = settings->stacks,
					 .roots = &settings->roots,
					 .window = settings->window,
					 .slice = settings->slice,
					 .slice_by = settings->slice_by,
					 .callers_of = settings->callers_of.symbols,
					 .callees_of = settings->callees_of.symbols,
					 .metrics = settings->metrics.list,
					 .progress = {reading_show_work, &run->progress},
					 .stop = heed_in_trace,
					 .stop_arg = run};

	replay.symbols.source_dirs = &settings->source_dirs;
	/* Updates keep the names of those before: new ones could not be told apart from them. */
	replay.symbols.names_only = !settings->interval && !report_needs_sources(&settings->report);
	report_add_needs(&settings->report, &replay.needs);
	if (settings_shows_results(settings))
		screen_add_needs(&settings->screen, &replay.needs);
	notes_add_needs(&replay.needs);
	return replay;
}

static int run_job(struct job_run *run)
{
	const struct settings *settings = run->settings;
	const struct replay_settings replay = ask(run);

	run->file = open_input(run);
	if (!run->file || place_filter(run) < 0)
		return -1;
	if (replay_needs_traces(&replay.needs) && perffile_keep_traces(run->file, &run->err) < 0)
		return -1;
	run->stream = perffile_is_stream(run->file);
	perffile_set_wait(run->file, await_data, run);
	perffile_set_tick(run->file, tick_reading, run);
	run->reading.file = run->file;
	reading_use_threads(&run->reading, settings->symbols.threads, settings->cores);
	if (open_report(run) < 0)
		return -1;
	run->replay = replay_create(&replay, run->file, &run->err);
	if (!run->replay || read_records(run) < 0)
		return -1;
	run->results = finish_replay(run);
	if (!run->results || finish_tables(run, &run->err) < 0)
		return -1;
	interrupt_unblock(&run->interrupt); /* the output may block if nobody reads it */
	if (!settings_shows_results(settings))
		return 0;
	return screen_finish(&run->screen, run->results, &run->reading.mark, &run->err);
}

static void print_page_note(const struct job_run *run)
{
	const uint64_t bytes = run->report ? report_page_bytes(run->report) : 0;

	if (bytes)
		say(run->settings->input,
		    "note: the page has %" PRIu64 " bytes, more than --html-size: only call paths "
		    "can be folded",
		    bytes);
}

/* Readers of pprof's profile add its numbers up. */
static void print_signed_note(const struct job_run *run)
{
	const struct results *results = run->results;

	if (!runexport_is_signed(run->settings->report.run_exports.chosen))
		return;
	for (size_t i = 0; i < results->nr_sampled; i++) {
		const struct event_stat *stat = &results->events[results->sampled[i]];

		if (stat->total.period > INT64_MAX)
			say(run->settings->input,
			    "note: the periods of %s add up to more than 2^63-1, the largest "
			    "number of pprof: sums of its profile are wrong",
			    stat->event->name);
	}
}

static void print_notes(struct job_run *run)
{
	const struct settings *settings = run->settings;
	const unsigned chosen = report_settings_chosen(&settings->report);
	/* who asks for all tables did not ask for what is not recorded */
	struct notes_said said = {.absent = chosen == REPORT_ALL};
	const struct notes_shown shown = {
		.verbose = settings->verbose,
		.counters = chosen & REPORT_BIT(counters),
	};

	notes_print(settings->input, run->file, run->results, &shown, &said);
	if (settings->symbols.vmlinux)
		notes_print_vmlinux(settings->input, run->results, settings->symbols.vmlinux);
	eventnames_print_note(&run->reading.names, settings->input, run->file);
	print_page_note(run);
	print_signed_note(run);
}

/* Says what stopped the job; the user needs no words about an interruption. */
static void report_failure(const struct job_run *run)
{
	if (run->told)
		run->told->err = run->err;
	else if (run->err.kind != ERROR_INTERRUPTED)
		fprintf(stderr, "readperf: %s\n", run->err.text);
}

/* Prints the outcome; returns the exit status. */
static int conclude(struct job_run *run, int rc)
{
	const struct settings *settings = run->settings;
	const struct perffile_counts *counts;
	bool missing;

	progress_erase(&run->progress);
	if (rc < 0) {
		report_failure(run);
		return EXIT_UNUSABLE;
	}
	counts = perffile_counts(run->file);
	missing = losses_print(settings->input, counts, run->results, run->stopped);
	if (!settings->quiet && settings->without_notes)
		tracenotes_print(settings->input, run->file, run->results);
	else if (!settings->quiet)
		print_notes(run);
	if (run->tables_lost && run->report && settings->interval)
		say(NULL, "the final tables are missing: those that are there are older");
	if (run->tables_lost)
		return EXIT_UNUSABLE;
	if (run->report && report_lost_rows(run->report)) {
		say(NULL, "overview.csv is missing: rows of it could not be written");
		return EXIT_UNUSABLE;
	}
	if (!settings->report.parts)
		written_say(settings, run->results);
	return missing ? EXIT_INCOMPLETE : EXIT_OK;
}

int job_run(const struct settings *settings, struct job_told *told)
{
	struct job_run run = {.settings = settings,
			      .filter = settings->filter,
			      .told = told,
			      .screen = {.settings = settings->screen},
			      .next_update = clock_now() + settings->interval};
	int status;

	interrupt_start(&run.interrupt);
	progress_start(&run.progress, settings->quiet ? NULL : stderr);
	status = conclude(&run, run_job(&run));
	report_close(run.report);
	replay_destroy(run.replay);
	eventnames_free(&run.reading.names);
	perffile_close(run.file);
	if (run.err.kind == ERROR_INTERRUPTED)
		interrupt_die(&run.interrupt);
	interrupt_stop(&run.interrupt);
	return status;
}
