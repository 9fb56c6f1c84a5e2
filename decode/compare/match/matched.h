/* Input and result of matching. */
#ifndef READPERF_DECODE_COMPARE_MATCH_MATCHED_H
#define READPERF_DECODE_COMPARE_MATCH_MATCHED_H

#include "decode/compare/judge/values.h"
#include "decode/compare/names/namelist.h"
#include "decode/compare/names/rename.h"
#include "decode/compare/profile/profile.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Input; all borrowed. */
struct match_input {
	const struct profile *runs; /* runs of the old side first */
	size_t nr_runs, nr_old;
	const struct renames *renames; /* renamings of functions and binaries of the old side */
	bool children;		       /* compare children in place of self */
	bool by_key; /* keep which key became which function: all runs share their keys */
};

/** An event that both sides have. */
struct matched_event {
	const char *name;	  /* the new side's name for it; the first if there are several */
	struct run_total *totals; /* one for each run */
};

/** The name of an event that at least one run has. */
struct event_name {
	const char *name;
	unsigned sides; /* sides that have it: bits of enum name_sides */
	uint32_t event; /* number of the matched event it counts for, or MATCH_NONE */
};

struct matched_function {
	uint32_t event; /* number of the matched event */
	const char *function, *filename, *binary;
	/* @function without the values of the keys of --per; renamings apply to this */
	const char *name;
	uint32_t line; /* line in the source file; 0: unknown */
	uint32_t code; /* number of its binary; equal for functions of one binary */
	bool kernel;   /* it is kernel code */
	bool named;    /* it has a name; if false, @function is the reason for having none */
	/* size in bytes of its largest part on the old and the new side; 0: unknown */
	uint64_t size[2];
	struct run_share *shares; /* one for each run */
	struct tally best;	  /* counts of the row that filename, line and binary are from */
	bool best_is_new;
};

#define MATCH_NONE UINT32_MAX

/**
 * The result. @strings and the profiles, which must outlive it, own the names. All zero is empty.
 */
struct match {
	struct matched_event *events;
	size_t nr_events;
	/* by matched event, then by name; those without a matched event last */
	struct event_name *names;
	size_t nr_names;
	struct matched_function *functions; /* by event */
	size_t nr_functions;
	struct run_total *totals; /* the events' totals point into this */
	uint32_t *event_numbers;  /* numbers of matched events, by run and event; or MATCH_NONE */
	size_t *first_event;	  /* by run: index of its first event in event_numbers */
	struct run_share *shares; /* the functions' shares point into this */
	bool *fitted;		  /* by renaming: whether it fits a function or a binary */
	/* by twice the number of a key, plus 1 for the new side: number of the function, or
	 * MATCH_NONE; NULL unless match_input.by_key */
	uint32_t *function_of;
	struct intern strings;
};

/** The number of the matched event that event @i of @run counts for, or MATCH_NONE. */
static inline uint32_t match_event(const struct match *match, size_t run, size_t i)
{
	return match->event_numbers[match->first_event[run] + i];
}

/** The values of the keys of --per in @function: " {tid=7}", or "". */
static inline const char *match_keys(const struct matched_function *function)
{
	return function->function + strlen(function->name);
}

/** All numbers of binaries, `code` of functions, are below this. */
static inline size_t match_nr_codes(const struct match *match)
{
	return match->strings.nr_strings + 2;
}

#endif
