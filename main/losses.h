/* Lines on standard error about the recording: what is missing, and what is worth knowing. */
#ifndef READPERF_MAIN_LOSSES_H
#define READPERF_MAIN_LOSSES_H

#include "decode/results.h"
#include "perffile/perffile.h"

#include <stdbool.h>

/**
 * Names and counts each loss of the recording called @input, and each event of @results whose sum
 * is too large for the tables; @stopped: the user ended it. Returns whether part of it is missing
 * from the tables.
 */
bool losses_print(const char *input, const struct perffile_counts *counts,
		  const struct results *results, bool stopped);

/** Notes on names and lines that recordings of one program have in common: which were said. */
struct notes_said {
	bool unnamed, unlined, doubted, cut;
};

/** Adds the answers to @needs that notes are made of. */
void losses_add_needs(struct needs *needs);

/** What a user should know though nothing is missing, but for what @said has, which is kept up;
 * more of it if @verbose. */
void losses_print_notes(const char *input, const struct perffile *file,
			const struct results *results, bool verbose, struct notes_said *said);

#endif
