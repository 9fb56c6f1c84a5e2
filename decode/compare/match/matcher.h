/*
 * Internals of matching: the state that its steps share. matchevents.c finds the events,
 * matchfunctions.c their functions, and match.c adds up the functions' rows.
 *
 * Most runs have the same names, so names are processed once for each key and side: an entry. The
 * rows, of which there are many more, are only added to their entries.
 */
#ifndef READPERF_DECODE_COMPARE_MATCH_MATCHER_H
#define READPERF_DECODE_COMPARE_MATCH_MATCHER_H

#include "decode/compare/match/matched.h"
#include "decode/compare/names/namelist.h"
#include "util/error.h"
#include "util/index.h"

/* What all rows of a function have in common, except their source files. */
struct match_group {
	uint32_t event, function, binary; /* event number, string number, class of a string */
};

/* A key that rows of a side have, and its function. */
struct match_entry {
	const struct row_key *names;
	unsigned side;
	/* at least one row is of a matched event; the members below are set only then */
	bool counts;
	struct match_group key;
	uint32_t group;
	uint32_t name; /* string number of the function's name without keys */
	uint32_t file; /* class of a string, if source files distinguish functions of the group */
	uint32_t function; /* number of the matched function */
};

struct matcher {
	struct match *match;
	const struct match_input *input;
	struct error *err;
	uint32_t *event_names; /* string numbers, by run and event */
	/* used for events, then for binaries, then for the files of each group */
	struct namelist list;
	struct match_entry *entries; /* in the order of their first rows */
	size_t nr_entries, entries_room;
	/* by run: index of its keys in entry_of; each key has two places: old, new */
	size_t *first_place;
	uint32_t *entry_of; /* by place: entry number + 1; 0: none */
	bool *named;	    /* by renaming: whether its NEW is a binary of the new side */
	struct match_group *groups;
	size_t groups_room;
	struct index index; /* of the groups, which are in the order of their first entries */
};

/** Fills err with an out of memory error. Returns -1. */
int matcher_nomem(struct matcher *m);

static inline bool matcher_is_old(const struct matcher *m, size_t run)
{
	return run < m->input->nr_old;
}

/** The bit of the side of @run. */
static inline unsigned matcher_side_of(const struct matcher *m, size_t run)
{
	return matcher_is_old(m, run) ? SIDE_OLD : SIDE_NEW;
}

/** The index of event @i of @run in lists by run and event. */
static inline size_t matcher_place_of(const struct matcher *m, size_t run, size_t i)
{
	return m->match->first_event[run] + i;
}

/** The place of the entry of @row of @run in entry_of. */
static inline uint32_t *matcher_entry_of(const struct matcher *m, size_t run,
					 const struct profile_row *row)
{
	return &m->entry_of[m->first_place[run] + 2 * (size_t)row->key + !matcher_is_old(m, run)];
}

/** The number of the matched event that @row of @run counts for, or MATCH_NONE. */
static inline uint32_t matcher_event_of(const struct matcher *m, size_t run,
					const struct profile_row *row)
{
	return match_event(m->match, run, row->event);
}

/**
 * Adds @name, which @side has, to the list; @name_of writes its common form. Returns the name's
 * string number, or INTERN_NOMEM.
 */
uint32_t matcher_gather(struct matcher *m, const char *name,
			void (*name_of)(char *to, const char *name), unsigned side);

#endif
