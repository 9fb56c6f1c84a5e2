/* Messages on standard error about the recording: what is missing. */
#ifndef READPERF_MAIN_LOSSES_H
#define READPERF_MAIN_LOSSES_H

#include "decode/results.h"
#include "perffile/perffile.h"

#include <stdbool.h>

/**
 * Prints each loss of the recording called @input, with its count, and each event of @results whose
 * sum is too large for the tables. @stopped: the user stopped the recording. Returns whether
 * something is missing from the tables.
 */
bool losses_print(const char *input, const struct perffile_counts *counts,
		  const struct results *results, bool stopped);

#endif
