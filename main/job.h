/* The main job: one recording becomes tables and an overview. */
#ifndef READPERF_MAIN_JOB_H
#define READPERF_MAIN_JOB_H

#include "main/settings.h"

/** Does what @settings say and prints what went wrong; returns the exit status. */
int job_run(const struct settings *settings);

#endif
