/* The main job: makes tables and an overview from one recording. */
#ifndef READPERF_MAIN_JOB_H
#define READPERF_MAIN_JOB_H

#include "main/settings.h"

/** Runs the job of @settings and prints errors; returns the exit status. */
int job_run(const struct settings *settings);

#endif
