/*
 * A worker: a process that reads one recording of several. Its rows and what it shows go to
 * temporary files, and its messages to memory, so that they can be put in the order of the
 * recordings. Whatever a recording does to its process costs only that recording.
 */
#ifndef READPERF_MAIN_WORKER_H
#define READPERF_MAIN_WORKER_H

#include "main/job.h"
#include "main/settings.h"
#include "report/report.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** All zero except the descriptors, which are -1, is idle. */
struct worker {
	int parts[REPORT_NR_TABLES]; /* files of rows; -1: that table is not written */
	int out, messages;	     /* standard output and standard error */
	pid_t pid;		     /* 0: none runs */
	int status;		     /* as waitpid() gave it */
	struct job_told *told;	     /* by the process; shared with it */
};

/** The number of files that a worker has open, for the tables of @settings. */
size_t worker_files(const struct settings *settings);

/** Makes the files for the tables of @settings. Returns 0, or -1 with @err filled. */
int worker_open(struct worker *worker, const struct settings *settings, struct error *err);

/** Starts to read the recording @path with @threads threads. Returns 0, or -1 with @err filled. */
int worker_start(struct worker *worker, const struct settings *settings, const char *path,
		 size_t threads, struct error *err);

/** Takes note of a process that has ended. Returns whether the worker is without one now. */
bool worker_is_done(struct worker *worker);

/** Whether the recording was read; sets *@incomplete if it was not, or not all of it. */
bool worker_succeeded(const struct worker *worker, bool *incomplete);

/** Prints what the process has printed on standard output. */
void worker_print_overview(const struct worker *worker);

/** Prints what it has printed on standard error, and what has stopped it. */
void worker_print_messages(const struct worker *worker, const char *path);

/** Forgets the rows and all that was printed, for the next recording. */
int worker_clear(struct worker *worker, struct error *err);

void worker_close(struct worker *worker);

#endif
