#include "main/manyjob.h"

#include "main/descriptors.h"
#include "main/interrupt.h"
#include "main/job.h"
#include "main/say.h"
#include "main/status.h"
#include "main/worker.h"
#include "main/written.h"
#include "util/clock.h"
#include "util/progress.h"
#include "util/text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* A recording whose rows are in the tables. */
struct run_taken {
	uint64_t run;
	const char *path;
};

struct many {
	const struct settings *settings;
	const struct inputs *inputs;
	struct report *report;
	struct worker *workers;	 /* recording i is read by workers[i % nr_workers] */
	size_t nr_workers;	 /* opened */
	size_t at_once, threads; /* processes, and threads of each */
	size_t nr_started, nr_merged, nr_running;
	struct run_taken *taken;
	size_t nr_taken, nr_unusable;
	bool incomplete;
	struct progress progress;
	struct interrupt interrupt;
	struct error output; /* why standard output cannot be written */
	struct error err;
};

/*
 * What is open whatever the number of workers: a process has what a run on one recording needs, and
 * the tables to which the rows of all go, no more than a worker's files.
 */
static size_t shared_descriptors(const struct settings *settings)
{
	return DESCRIPTORS_OF_RUN + worker_files(settings);
}

size_t manyjob_descriptors(const struct settings *settings)
{
	return shared_descriptors(settings) + worker_files(settings);
}

/* How many workers may have their files open, which all processes have. */
static size_t most_workers(const struct settings *settings)
{
	const size_t shared = shared_descriptors(settings), each = worker_files(settings);
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 1;
	return limit.rlim_cur > shared + each ? (limit.rlim_cur - shared) / each : 1;
}

/*
 * Workers are more than processes: one that is done waits until those before it are, and another
 * recording can be read meanwhile.
 */
static size_t count_workers(const struct many *many)
{
	enum { FOR_EACH_PROCESS = 4 };
	const size_t most = most_workers(many->settings);
	size_t nr = many->at_once * FOR_EACH_PROCESS;

	if (nr > many->inputs->nr)
		nr = many->inputs->nr;
	if (nr > most)
		nr = most;
	return nr;
}

static int open_workers(struct many *many)
{
	const size_t nr = count_workers(many);

	many->workers = calloc(nr, sizeof(*many->workers));
	many->taken = calloc(many->inputs->nr, sizeof(*many->taken));
	if (!many->workers || !many->taken)
		return error_nomem(&many->err, "reading several recordings");
	while (many->nr_workers < nr) {
		struct worker *worker = &many->workers[many->nr_workers++];

		*worker = (struct worker){.out = -1, .messages = -1};
		for (int i = 0; i < REPORT_NR_TABLES; i++)
			worker->parts[i] = -1;
		if (worker_open(worker, many->settings, &many->err) < 0)
			return -1;
	}
	return 0;
}

static struct worker *worker_of(const struct many *many, size_t number)
{
	return &many->workers[number % many->nr_workers];
}

static int start_some(struct many *many)
{
	while (many->nr_running < many->at_once && many->nr_started < many->inputs->nr &&
	       many->nr_started - many->nr_merged < many->nr_workers) {
		const size_t number = many->nr_started;

		if (worker_start(worker_of(many, number), many->settings,
				 many->inputs->paths[number], many->threads, &many->err) < 0)
			return -1;
		many->nr_started++;
		many->nr_running++;
	}
	return 0;
}

/* The path of the recording with the same bytes whose rows are taken already; NULL if there is
 * none. */
static const char *find_twin(const struct many *many, const struct job_told *told)
{
	for (size_t i = 0; told->known && i < many->nr_taken; i++)
		if (many->taken[i].run == told->run)
			return many->taken[i].path;
	return NULL;
}

/*
 * Keeps why standard output cannot be written. The tables are made all the same. What waits to be
 * written is dropped, as a process that starts would have it, and the error, on its own output.
 */
static void check_output(struct many *many)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return;
	error_io(&many->output, "standard output", "cannot be written", errno);
	clearerr(stdout);
	__fpurge(stdout);
}

static void print_overview(struct many *many, const struct worker *worker, const char *path)
{
	if (!settings_shows_results(many->settings) || many->output.kind != ERROR_NONE)
		return;
	text_show(stdout, path, SIZE_MAX);
	fputs(":\n", stdout);
	worker_print_overview(worker);
	check_output(many);
}

/* Puts the rows of @worker, which has read @path, into the tables. */
static int take(struct many *many, struct worker *worker, const char *path)
{
	const char *twin = find_twin(many, worker->told);

	if (twin) {
		say(path, "note: has the same bytes as %s and is left out", twin);
		return 0;
	}
	many->taken[many->nr_taken++] = (struct run_taken){worker->told->run, path};
	print_overview(many, worker, path);
	return report_add_parts(many->report, worker->parts, &many->err);
}

/* Takes what the next recording, which has been read, gave. */
static int merge(struct many *many)
{
	const char *path = many->inputs->paths[many->nr_merged++];
	struct worker *worker = worker_of(many, many->nr_merged - 1);

	progress_erase(&many->progress);
	worker_print_messages(worker, path);
	if (!worker_succeeded(worker, &many->incomplete))
		many->nr_unusable++;
	else if (take(many, worker, path) < 0)
		return -1;
	return worker_clear(worker, &many->err);
}

/* Waits until a process has ended, or some time. */
static void await_end(void)
{
	const struct timespec some_time = {.tv_nsec = 200 * NS_PER_MS};
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	(void)sigtimedwait(&child, NULL, &some_time);
}

static void note_ends(struct many *many)
{
	many->nr_running = 0;
	for (size_t i = many->nr_merged; i < many->nr_started; i++)
		many->nr_running += !worker_is_done(worker_of(many, i));
}

static int read_all(struct many *many)
{
	while (many->nr_merged < many->inputs->nr) {
		if (start_some(many) < 0)
			return -1;
		progress_count(&many->progress, "reading recordings", many->nr_merged,
			       many->inputs->nr);
		if (worker_is_done(worker_of(many, many->nr_merged))) {
			if (merge(many) < 0)
				return -1;
		} else {
			await_end();
		}
		note_ends(many);
		if (interrupt_take(&many->interrupt) > 0)
			return error_set(&many->err, ERROR_INTERRUPTED, "interrupted");
	}
	return 0;
}

/* Whether there will be tables that are of use to somebody who does not read standard output. */
static bool makes_files(const struct report_settings *settings)
{
	return (settings->tables | settings->if_any) && !settings->to_stdout;
}

static int fail_without_recordings(struct many *many)
{
	if (many->inputs->nr == 1)
		return error_set(&many->err, ERROR_FORMAT,
				 "the only recording cannot be used: no tables are written");
	return error_set(&many->err, ERROR_FORMAT,
			 "none of the %zu recordings can be used: no tables are written",
			 many->inputs->nr);
}

static int run(struct many *many)
{
	sigset_t before;
	int rc;

	interrupt_hold(&many->interrupt);
	if (makes_files(&many->settings->report))
		interrupt_hold_pipe(&many->interrupt);
	many->report = report_open(&many->settings->report, &many->err);
	if (!many->report)
		return -1;
	if (report_vanishes(many->report))
		interrupt_release(&many->interrupt);
	if (open_workers(many) < 0 || read_all(many) < 0)
		return -1;
	progress_erase(&many->progress);
	if (many->nr_taken == 0)
		return fail_without_recordings(many);
	interrupt_shield(&before);
	rc = report_finish_parts(many->report, &many->err);
	interrupt_unshield(&before);
	return rc;
}

/* The messages on single recordings may be far above. */
static void say_unusable(const struct many *many)
{
	if (many->nr_unusable)
		fprintf(stderr,
			"readperf: %zu of the %zu recordings cannot be used and %s left out\n",
			many->nr_unusable, many->inputs->nr, many->nr_unusable == 1 ? "is" : "are");
}

static void say_written(const struct many *many)
{
	struct settings settings = *many->settings;

	settings.report.tables = report_tables(many->report);
	settings.report.if_any = 0;
	written_say(&settings, &(struct results){0});
}

static int conclude(struct many *many, int rc)
{
	progress_erase(&many->progress);
	if (rc < 0 && many->err.kind != ERROR_INTERRUPTED)
		fprintf(stderr, "readperf: %s\n", many->err.text);
	if (rc < 0)
		return EXIT_UNUSABLE;
	/* The tables are in place: whoever does not read what was shown may end the program. */
	interrupt_release_pipe(&many->interrupt);
	say_unusable(many);
	if (many->output.kind != ERROR_NONE) {
		fprintf(stderr, "readperf: %s\n", many->output.text);
		return EXIT_UNUSABLE;
	}
	say_written(many);
	return many->incomplete ? EXIT_INCOMPLETE : EXIT_OK;
}

/* The signal that a process has ended is waited for, so it must be blocked. */
static void block_children(int how)
{
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(how, &child, NULL);
}

int manyjob_run(const struct settings *settings)
{
	const size_t cores = settings->symbols.threads;
	struct many many = {.settings = settings, .inputs = &settings->inputs};
	int status;

	many.at_once = cores < many.inputs->nr ? cores : many.inputs->nr;
	many.threads = cores / many.at_once;
	signal(SIGCHLD,
	       SIG_DFL); /* if our parent ignored it, no process could be waited for */
	interrupt_start(&many.interrupt);
	block_children(SIG_BLOCK);
	progress_start(&many.progress, settings->quiet ? NULL : stderr);
	status = conclude(&many, run(&many));
	report_close(many.report);
	for (size_t i = 0; i < many.nr_workers; i++)
		worker_close(&many.workers[i]);
	free(many.workers);
	free(many.taken);
	if (many.err.kind == ERROR_INTERRUPTED)
		interrupt_die(&many.interrupt);
	block_children(SIG_UNBLOCK);
	interrupt_stop(&many.interrupt);
	return status;
}
