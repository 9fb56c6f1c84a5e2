/* The main job: makes tables and an overview from one recording. */
#ifndef READPERF_MAIN_JOB_H
#define READPERF_MAIN_JOB_H

#include "main/settings.h"

#include <stdbool.h>
#include <stdint.h>

/** What a job tells beside its tables. */
struct job_told {
	bool known;   /* @run is set */
	uint64_t run; /* the recording's hash */
};

/** Runs the job of @settings and prints errors; returns the exit status. @told: NULL: not needed.
 */
int job_run(const struct settings *settings, struct job_told *told);

#endif
