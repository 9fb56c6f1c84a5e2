/*
 * Binaries: what was counted in them, where their names came from, and what they lack.
 */
#ifndef READPERF_DECODE_RESULTS_BINARYROWS_H
#define READPERF_DECODE_RESULTS_BINARYROWS_H

#include "decode/count/tally.h"
#include "perffile/event.h"

#include <stdbool.h>
#include <stdint.h>

/** A binary under an event, and where its names came from. Strings are "" if there is nothing. */
struct binary_stat {
	const struct event *event;
	const char *binary, *build_id; /* as in struct function_stat */
	struct tally total;
	uint64_t unnamed;	 /* number of samples without a name */
	const char *reason;	 /* the reason of most of them */
	uint64_t reason_samples; /* number of samples with that reason */
	const char *file;	 /* file that the names were read from */
	const char *found_by;	 /* word for how it was found: "recorded-path", ... */
	const char *debug_file;	 /* file with the debugging information for it */
	const char *debug_found_by;
	const char *refused; /* "PATH: WHY; PATH: WHY" */
	/* What the user can do to get lines and inlined functions, part of a sentence; NULL: they
	 * are there, or nothing can be done. */
	const char *debug_advice;
	const char *advice; /* what the user can do about @reason, part of a sentence; or "" */
	/* Why @file may not be the recorded one: a word, and part of a sentence. */
	const char *doubt, *doubt_why;
	const char *unwound_by; /* how most of its frames were unwound (unwinder_word()), or "" */
	uint32_t dso;		/* number of the first dso of the binary */
	/* frames were unwound with a file that turned out not to be the recorded one */
	bool unwound_amiss;
};

/** An event with too many samples that lack something: how many, and the main binary. */
struct unnamed_stat {
	const struct binary_stat *binary; /* the one with the most of them */
	uint64_t samples, total; /* samples of binary->event: those that lack it, and all */
	const char *advice;	 /* what the user can do, part of a sentence; or "" */
};

#endif
