/* The main job: makes tables and an overview from one recording. */
#ifndef READPERF_MAIN_JOB_H
#define READPERF_MAIN_JOB_H

#include "main/settings.h"
#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

/** What a job tells beside its tables: may be in memory that another process reads, too. */
struct job_told {
	bool known;   /* @run is set */
	uint64_t run; /* the recording's hash */
	/* What stopped it, which is then not printed: there may be no room for messages, either. */
	struct error err;
};

/**
 * Runs the job of @settings; returns the exit status. Prints what stops it, unless it tells that in
 * @told, which is NULL if nobody needs it.
 */
int job_run(const struct settings *settings, struct job_told *told);

#endif
