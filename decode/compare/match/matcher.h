/*
 * Inside matching: what its steps work on. matchevents.c finds the events, matchfunctions.c their
 * functions, and match.c adds up the rows of these.
 *
 * Most runs have the same names, so names are worked on once for each key and side: an entry. The
 * rows, which are many more, are only counted for their entries.
 */
#ifndef READPERF_DECODE_COMPARE_MATCH_MATCHER_H
#define READPERF_DECODE_COMPARE_MATCH_MATCHER_H

#include "decode/compare/match/matched.h"
#include "decode/compare/names/namelist.h"
#include "util/error.h"
#include "util/index.h"

/* What all rows of a function have in common, apart from their source files. */
struct match_group {
	uint32_t event, function, binary; /* number of the event, of a string, class of a string */
};

/* A key that rows of a side have, and the function that it leads to. */
struct match_entry {
	const struct row_key *names;
	unsigned side;
	bool counts; /* some rows are of a matched event; the rest is set only then */
	struct match_group key;
	uint32_t group;
	uint32_t file;	   /* class of a string, if files tell functions of the group apart */
	uint32_t function; /* number of the matched function */
};

struct matcher {
	struct match *match;
	const struct match_input *input;
	struct error *err;
	uint32_t *event_names;	     /* strings, by run and event */
	struct namelist list;	     /* of events, then of binaries, then of the files of a group */
	struct match_entry *entries; /* in the order of their first rows */
	size_t nr_entries, entries_room;
	size_t *first_place; /* by run: of the places of its keys, two for each key: old, new */
	uint32_t *entry_of;  /* by place: number of the entry + 1; 0: none */
	bool *named;	     /* by renaming: NEW is a binary of the new side */
	struct match_group *groups;
	size_t groups_room;
	struct index index; /* of the groups, in the order of their first entries */
};

/** Fills err with: memory is out. Returns -1. */
int matcher_nomem(struct matcher *m);

static inline bool matcher_is_old(const struct matcher *m, size_t run)
{
	return run < m->input->nr_old;
}

/** The bit of the side that @run belongs to. */
static inline unsigned matcher_side_of(const struct matcher *m, size_t run)
{
	return matcher_is_old(m, run) ? SIDE_OLD : SIDE_NEW;
}

/** The place of event @i of @run in lists by run and event. */
static inline size_t matcher_place_of(const struct matcher *m, size_t run, size_t i)
{
	return m->match->first_event[run] + i;
}

/** Where the entry of @row of @run is kept. */
static inline uint32_t *matcher_entry_of(const struct matcher *m, size_t run,
					 const struct profile_row *row)
{
	return &m->entry_of[m->first_place[run] + 2 * (size_t)row->key + !matcher_is_old(m, run)];
}

/** The matched event that @row of @run counts for, or MATCH_NONE. */
static inline uint32_t matcher_event_of(const struct matcher *m, size_t run,
					const struct profile_row *row)
{
	return match_event(m->match, run, row->event);
}

/** Adds @name, which @side has, to the list, with its common form as @name_of writes it. Returns
 * its number, or INTERN_NOMEM. */
uint32_t matcher_gather(struct matcher *m, const char *name,
			void (*name_of)(char *to, const char *name), unsigned side);

#endif
