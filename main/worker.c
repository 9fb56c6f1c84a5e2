#include "main/worker.h"

#include "main/say.h"
#include "main/status.h"
#include "util/tempfile.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The tables that rows may be made for, as bits. */
static unsigned tables_of(const struct settings *settings)
{
	return settings->report.tables | settings->report.if_any;
}

size_t worker_files(const struct settings *settings)
{
	enum { OUT_AND_MESSAGES = 2 };

	return (size_t)__builtin_popcount(tables_of(settings)) + OUT_AND_MESSAGES;
}

/*
 * A file for messages: in memory, as the reason why a recording is left out may be that the
 * temporary files have no room. Whatever stops the job needs no room at all, see job_told.
 */
static int create_messages(struct error *err)
{
	const int fd = memfd_create("messages", MFD_CLOEXEC);

	return fd >= 0 ? fd : tempfile_create(err);
}

int worker_open(struct worker *worker, const struct settings *settings, struct error *err)
{
	worker->told = mmap(NULL, sizeof(*worker->told), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (worker->told == MAP_FAILED) {
		worker->told = NULL;
		return error_nomem(err, "starting a process");
	}
	worker->out = tempfile_create(err);
	worker->messages = worker->out < 0 ? -1 : create_messages(err);
	if (worker->messages < 0)
		return -1;
	for (int i = 0; i < REPORT_NR_TABLES; i++) {
		if (!(tables_of(settings) & 1u << i))
			continue;
		worker->parts[i] = tempfile_create(err);
		if (worker->parts[i] < 0)
			return -1;
	}
	return 0;
}

/* Frees the room of all rows: other recordings need it, and these will not be taken. */
static void drop_rows(const struct worker *worker)
{
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (worker->parts[i] >= 0)
			(void)!ftruncate(worker->parts[i], 0);
	(void)!ftruncate(worker->out, 0);
}

/* Ends the job of the new process, which has come to @status; returns the status to exit with. */
static int finish(const struct worker *worker, const char *path, int status)
{
	struct error *err = &worker->told->err;

	if (fflush(stdout) != 0 && err->kind == ERROR_NONE) {
		error_io(err, path, "what is shown of it cannot be kept", errno);
		status = EXIT_UNUSABLE;
	}
	if (ferror(stderr) && err->kind == ERROR_NONE)
		error_set(err, ERROR_IO, "%s: messages on it are lost: no room is left for them",
			  path);
	if (status != EXIT_OK && status != EXIT_INCOMPLETE)
		drop_rows(worker);
	return status;
}

/*
 * The job of the new process. Notes would come once for each recording: only --verbose has them,
 * except those on traces, which tell what is missing.
 */
static int run(const struct worker *worker, const struct settings *all, const char *path,
	       size_t threads)
{
	struct settings settings = *all;
	char called[TEMPFILE_CALLED_MAX];

	tempfile_called(called);
	settings.input = path;
	settings.without_notes = !settings.verbose;
	settings.symbols.threads = (unsigned)threads;
	settings.screen.totals = !settings.screen.has_top;
	settings.screen.called = called;
	settings.report.parts = worker->parts;
	/* it shall not go on alone */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(worker->out, STDOUT_FILENO) < 0 || dup2(worker->messages, STDERR_FILENO) < 0) {
		error_io(&worker->told->err, path, "cannot be read by a process of its own", errno);
		return EXIT_UNUSABLE;
	}
	return finish(worker, path, job_run(&settings, worker->told));
}

int worker_start(struct worker *worker, const struct settings *settings, const char *path,
		 size_t threads, struct error *err)
{
	memset(worker->told, 0, sizeof(*worker->told));
	fflush(stdout);
	worker->pid = fork();
	if (worker->pid == 0)
		_exit(run(worker, settings, path, threads));
	if (worker->pid > 0)
		return 0;
	worker->pid = 0;
	return error_io(err, path, "cannot be read by a process of its own", errno);
}

bool worker_is_done(struct worker *worker)
{
	if (worker->pid && waitpid(worker->pid, &worker->status, WNOHANG) == worker->pid)
		worker->pid = 0;
	return !worker->pid;
}

bool worker_succeeded(const struct worker *worker, bool *incomplete)
{
	const int status = WIFEXITED(worker->status) ? WEXITSTATUS(worker->status) : EXIT_UNUSABLE;

	*incomplete |= status != EXIT_OK;
	return status == EXIT_OK || status == EXIT_INCOMPLETE;
}

/* Copies what is in the file @fd. */
static void copy(int fd, FILE *to)
{
	char bytes[4096];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		fwrite(bytes, 1, (size_t)n, to);
		at += n;
	}
	fflush(to);
}

void worker_print_overview(const struct worker *worker)
{
	copy(worker->out, stdout);
}

/* Whether the error @text begins with the recording @path, or with a file in it. */
static bool names(const char *text, const char *path)
{
	struct error safe; /* the path as errors show it */
	size_t len;

	error_set(&safe, ERROR_NONE, "%s", path);
	len = strlen(safe.text);
	if (strncmp(text, safe.text, len) != 0)
		return strncmp(text, "...", 3) == 0; /* of a long path, errors show the end */
	return text[len] == ':' || text[len] == '/' || (len > 0 && text[len - 1] == '/');
}

/* What stopped the job may be said of a temporary file: of which recording, must be known, too. */
static void print_error(const char *text, const char *path)
{
	if (names(text, path))
		fprintf(stderr, "readperf: %s\n", text);
	else
		say(path, "%s", text);
}

void worker_print_messages(const struct worker *worker, const char *path)
{
	const int status = worker->status;
	bool incomplete = false;

	copy(worker->messages, stderr);
	if (worker->told->err.kind == ERROR_INTERRUPTED)
		say(path, "cannot be read: the process that read it was told to end");
	else if (worker->told->err.kind != ERROR_NONE)
		print_error(worker->told->err.text, path);
	else if (WIFSIGNALED(status))
		say(path, "cannot be read: the process that read it was ended by signal %d (%s)",
		    WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (!worker_succeeded(worker, &incomplete))
		say(path, "cannot be read: the process that read it ended with status %d",
		    WEXITSTATUS(status));
}

static int empty(int fd, struct error *err)
{
	if (fd < 0 || (ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0))
		return 0;
	return error_io(err, "a temporary file", "cannot be emptied", errno);
}

int worker_clear(struct worker *worker, struct error *err)
{
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (empty(worker->parts[i], err) < 0)
			return -1;
	return empty(worker->out, err) < 0 || empty(worker->messages, err) < 0 ? -1 : 0;
}

void worker_close(struct worker *worker)
{
	for (int i = 0; i < REPORT_NR_TABLES; i++)
		if (worker->parts[i] >= 0)
			close(worker->parts[i]);
	if (worker->out >= 0)
		close(worker->out);
	if (worker->messages >= 0)
		close(worker->messages);
	if (worker->told)
		munmap(worker->told, sizeof(*worker->told));
}
