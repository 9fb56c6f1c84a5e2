/* Notes on standard error about a recording, its results and the options. */
#ifndef READPERF_MAIN_NOTES_H
#define READPERF_MAIN_NOTES_H

#include "decode/results.h"
#include "decode/symbol/symbol.h"
#include "perffile/perffile.h"

#include <stdbool.h>

/** Which notes need not be printed: they were, for recordings of the same program. */
struct notes_said {
	bool empty, unnamed, unlined, doubted, amiss, cut, callerless;
	bool absent; /* what the recording does not record at all; nobody asked for it */
};

/** What the user is shown. */
struct notes_shown {
	bool verbose;
	bool callers;  /* callers, also if no answer is about them */
	bool counters; /* the table of counts, which else is written only if it has rows */
};

/** Adds the answers that the messages need to @needs. */
void notes_add_needs(struct needs *needs);

/**
 * Prints notes that are useful even if nothing is missing, except those in @said, which is updated;
 * which ones depends on what is @shown.
 */
void notes_print(const char *input, const struct perffile *file, const struct results *results,
		 const struct notes_shown *shown, struct notes_said *said);

/** Says so if @vmlinux, which the user named, is not the recorded kernel or cannot be read as one.
 */
void notes_print_vmlinux(const char *input, const struct results *results, const char *vmlinux);

/** Says which directories of symbols, which the user named, are not there. */
void notes_print_directories(const struct symbol_settings *symbols);

#endif
