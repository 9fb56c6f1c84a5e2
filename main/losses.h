/* Messages on standard error about the recording: what is missing, and other notes. */
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

/** Which notes on names and lines were already printed for recordings of the same program. */
struct notes_said {
	bool unnamed, unlined, doubted, cut;
	bool waitless; /* that nothing tells of waits */
};

/** Adds the answers that the messages need to @needs. */
void losses_add_needs(struct needs *needs);

/**
 * Prints notes that are useful even if nothing is missing, except those in @said, which is updated;
 * more of them if @verbose.
 */
void losses_print_notes(const char *input, const struct perffile *file,
			const struct results *results, bool verbose, struct notes_said *said);

#endif
