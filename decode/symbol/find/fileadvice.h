/* What the user can do about files that were not found: only what can help with this binary. */
#ifndef READPERF_DECODE_SYMBOL_FIND_FILEADVICE_H
#define READPERF_DECODE_SYMBOL_FIND_FILEADVICE_H

#include "decode/symbol/find/candidate.h"
#include "decode/symbol/reason.h"

#include <stdbool.h>

/** A search for the files of a binary that has ended. */
struct file_search {
	const struct candidates *tried;
	bool has_build_id; /* servers and caches can be asked for the binary */
	bool asks_servers; /* as the user wanted */
	bool is_barred;	   /* a process that runs has it, and only root may open it */
	bool is_deleted;   /* it was no longer at its path when it was recorded */
};

/**
 * What to do about @reason, why the binary was not found. Returns a part of a sentence, static;
 * NULL if there is no better advice than reason_advice().
 */
const char *fileadvice_on_binary(const struct file_search *search, enum reason reason);

/** As fileadvice_on_binary(), to get the symbols and the debugging information it lacks. */
const char *fileadvice_on_symbols(const struct file_search *search);

/**
 * Says why the system could not open or read a file with @fate that may be all right. Returns a
 * part of a sentence, static; NULL for any other fate.
 */
const char *fileadvice_on_failure(enum fate fate);

#endif
