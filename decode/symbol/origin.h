/* The origin of a dso's symbols. */
#ifndef READPERF_DECODE_SYMBOL_ORIGIN_H
#define READPERF_DECODE_SYMBOL_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

/** Why a file may not be the recorded one: a word and part of a sentence; both "" if no doubt. */
struct doubt {
	const char *word, *why;
};

/** Where the symbols of a dso came from, and which files were rejected; paths are "" if none. */
struct symbol_origin {
	const char *file;	/* the binary, or what stands in for it (debug file, kallsyms) */
	const char *found_by;	/* the rule that found it: "recorded-path", ... */
	const char *debug_file; /* file with the symbols or DWARF that `file` lacks */
	const char *debug_found_by; /* the rule that found debug_file */
	const char *refused;	    /* "PATH: WHY; PATH: WHY" for each file tried but not used */
	/* What the user can do if there is no `file` (of a kernel: if it cannot be used), and if it
	 * lacks symbols or debugging information: parts of sentences; NULL: what reason_advice()
	 * says. */
	const char *file_advice, *symbols_advice;
	struct doubt doubt;    /* why `file` may not be the recorded one */
	bool lacks_debug_info; /* names are available, but no lines or inlined functions */
	int64_t written;       /* when the binary was written, ns since 1970; 0: unknown */
};

#endif
