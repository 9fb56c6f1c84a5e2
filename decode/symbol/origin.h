/* Where the symbols of a dso came from. */
#ifndef READPERF_DECODE_SYMBOL_ORIGIN_H
#define READPERF_DECODE_SYMBOL_ORIGIN_H

#include <stdbool.h>

/** Why a file may not be the recorded one: a word, and a part of a sentence; "" both: it may. */
struct doubt {
	const char *word, *why;
};

/** Where the symbols of a dso came from, and why not from elsewhere; "" where there is nothing. */
struct symbol_origin {
	const char *file;	    /* the one that ran, or that says where its code was */
	const char *found_by;	    /* the rule that led to it: "recorded-path", ... */
	const char *debug_file;	    /* has what that file lacks */
	const char *debug_found_by; /* as found_by */
	const char *refused;	    /* "PATH: WHY; PATH: WHY": what else was tried */
	struct doubt doubt;	    /* about that file */
	bool lacks_debug_info;	    /* there are names, but neither lines nor inlined functions */
};

#endif
