/* The job of readperf diff: runs of two sides become tables of what changed. */
#ifndef READPERF_MAIN_DIFFJOB_H
#define READPERF_MAIN_DIFFJOB_H

#include "main/settings.h"

/** Does what @settings say and prints what went wrong; returns the exit status. */
int diffjob_run(const struct settings *settings);

#endif
