/* The job on several recordings: one set of tables, whose rows tell the runs apart. */
#ifndef READPERF_MAIN_MANYJOB_H
#define READPERF_MAIN_MANYJOB_H

#include "main/settings.h"

#include <stddef.h>

/** How many files must be able to be open for that. */
size_t manyjob_descriptors(const struct settings *settings);

/**
 * Reads the recordings of @settings, several at a time, and puts their rows together in their
 * order. Prints errors; returns the exit status. A recording that cannot be used is left out, which
 * is told.
 */
int manyjob_run(const struct settings *settings);

#endif
