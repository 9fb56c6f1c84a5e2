/* What matching starts from, and what it gives. */
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

/** All borrowed. */
struct match_input {
	const struct profile *runs; /* those of the old side first */
	size_t nr_runs, nr_old;
	const struct renames *renames; /* for functions of the old side */
	bool children;		       /* take children in place of self */
};

/** An event that both sides have. */
struct matched_event {
	const char *name;	  /* as the new side writes it; the first if there are several */
	struct run_total *totals; /* of each run */
};

/** The name of an event that some run has. */
struct event_name {
	const char *name;
	unsigned sides; /* that have it: bits of enum name_sides */
	uint32_t event; /* number of the matched event it counts for; MATCH_NONE: of none */
};

struct matched_function {
	uint32_t event; /* number of the matched event */
	const char *function, *filename, *binary;
	uint32_t line;	  /* in the source file; 0: not known */
	uint32_t code;	  /* equal for functions of one binary */
	bool kernel;	  /* its code is the kernel's */
	bool named;	  /* it has a name; if not, @function says why */
	uint64_t size[2]; /* bytes of its largest part on the old, the new side; 0: unknown */
	struct run_share *shares; /* of each run */
	struct tally best;	  /* the row that filename, line and binary come from */
	bool best_is_new;
};

#define MATCH_NONE UINT32_MAX

/** Names live in @strings and in the profiles, which must outlive it. All zero is empty. */
struct match {
	struct matched_event *events;
	size_t nr_events;
	struct event_name *names; /* by matched event, then by name; those of none last */
	size_t nr_names;
	struct matched_function *functions; /* by event */
	size_t nr_functions;
	struct run_total *totals; /* what the events' totals point into */
	uint32_t *event_numbers;  /* of matched events, by run and event; MATCH_NONE: of none */
	size_t *first_event;	  /* where those of a run begin */
	struct run_share *shares; /* what the functions' shares point into */
	bool *fitted;		  /* by renaming: whether it fits a function or a binary */
	struct intern strings;
};

/** The matched event that event @i of @run counts for, or MATCH_NONE. */
static inline uint32_t match_event(const struct match *match, size_t run, size_t i)
{
	return match->event_numbers[match->first_event[run] + i];
}

#endif
