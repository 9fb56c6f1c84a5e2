/* The last message of a run: which files were written, and where. */
#ifndef READPERF_MAIN_WRITTEN_H
#define READPERF_MAIN_WRITTEN_H

#include "decode/results.h"
#include "main/settings.h"

/**
 * Prints on standard error which files were written where; call it when they are in place. Prints
 * nothing with --quiet or if there are no files. @results: of the run; NULL for a comparison.
 */
void written_say(const struct settings *settings, const struct results *results);

#endif
