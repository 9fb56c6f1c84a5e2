/* The job of readperf diff: compares the runs of two sides and writes what changed. */
#ifndef READPERF_MAIN_DIFFJOB_H
#define READPERF_MAIN_DIFFJOB_H

#include "main/settings.h"

/** Runs the job of @settings and prints errors; returns the exit status. */
int diffjob_run(const struct settings *settings);

#endif
