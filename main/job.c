#include "main/job.h"

#include "decode/replay.h"
#include "main/interrupt.h"
#include "main/losses.h"
#include "main/status.h"
#include "perffile/perffile.h"
#include "report/report.h"
#include "util/error.h"
#include "util/progress.h"
#include "util/text.h"

#include <signal.h>
#include <stdio.h>

/* Everything that a run of the main job holds. */
struct run {
	const struct settings *settings;
	struct perffile *file;
	struct replay *replay;
	struct report *report;
	const struct results *results; /* NULL until the run is done */
	struct progress progress;
	struct error err;
};

/* Whether the user ended the run. */
static bool interrupted(struct run *run)
{
	if (!interrupt_pending(perffile_bytes_total(run->file) == 0))
		return false;
	error_set(&run->err, ERROR_INTERRUPTED, "interrupted");
	return true;
}

static int read_records(struct run *run)
{
	enum { CHECK_EVERY = 1 << 16 };
	const struct record *rec;
	uint64_t nr = 0;
	int rc;

	while ((rc = perffile_next(run->file, &rec, &run->err)) > 0) {
		rc = replay_apply(run->replay, rec, &run->err);
		if (rc > 0)
			rc = report_record(run->report, rec, &run->err);
		if (rc < 0)
			return -1;
		if (++nr % CHECK_EVERY != 0)
			continue;
		progress_bytes(&run->progress, "reading", perffile_bytes_read(run->file),
			       perffile_bytes_total(run->file));
		if (interrupted(run))
			return -1;
	}
	return rc;
}

static void tick_binaries(void *arg, size_t done, size_t total)
{
	struct run *run = arg;

	progress_count(&run->progress, "symbolizing binaries", done, total);
}

static int run_job(struct run *run)
{
	const struct settings *settings = run->settings;
	const struct replay_settings replay = {.filter = &settings->filter,
					       .symbols = settings->symbols,
					       .header = settings->report.tables & REPORT_HEADER};
	const struct results *results;

	run->file = perffile_open(settings->input, &run->err);
	if (!run->file)
		return -1;
	run->report = report_open(&settings->report, &run->err);
	if (!run->report)
		return -1;
	run->replay = replay_create(&replay, run->file, &run->err);
	if (!run->replay || read_records(run) < 0)
		return -1;
	results = replay_finish(run->replay, tick_binaries, run, &run->err);
	run->results = results;
	progress_erase(&run->progress);
	if (!results || interrupted(run) || report_finish(run->report, results, &run->err) < 0)
		return -1;
	if (settings->quiet)
		return 0;
	return report_console(stdout, results, (size_t)settings->top, text_terminal_columns(stdout),
			      &run->err);
}

int job_run(const struct settings *settings)
{
	struct run run = {.settings = settings};
	int status = EXIT_OK;

	interrupt_block();
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
	progress_start(&run.progress, settings->quiet ? NULL : stderr);
	if (run_job(&run) < 0) {
		status = EXIT_UNUSABLE;
		progress_erase(&run.progress);
		if (run.err.kind != ERROR_INTERRUPTED)
			fprintf(stderr, "readperf: %s\n", run.err.text);
	} else {
		status = losses_print(settings->input, perffile_counts(run.file)) ? EXIT_INCOMPLETE
										  : EXIT_OK;
		if (!settings->quiet)
			notes_print(settings->input, perffile_counts(run.file), run.results,
				    settings->verbose);
	}
	report_close(run.report);
	replay_destroy(run.replay);
	perffile_close(run.file);
	if (run.err.kind == ERROR_INTERRUPTED)
		interrupt_die();
	return status;
}
