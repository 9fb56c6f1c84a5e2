/*
 * Inside of matching: what its steps work on. match.c makes functions of what matchevents.c and
 * matchrows.c find.
 */
#ifndef READPERF_DECODE_COMPARE_MATCHER_H
#define READPERF_DECODE_COMPARE_MATCHER_H

#include "decode/compare/match.h"
#include "decode/compare/namelist.h"
#include "util/index.h"

/* What the rows of a function have in common, their source files aside. */
struct group_key {
	uint32_t event, function, binary; /* number of the event, of a string, class of a string */
};

/* A row of a run on its way to its function. */
struct entry {
	const struct profile_row *row;
	struct group_key key;
	uint32_t group, run;
	uint32_t file, file_base; /* strings */
	uint32_t file_class;
};

struct matcher {
	struct match *match;
	const struct match_input *input;
	struct error *err;
	uint32_t *event_names; /* strings, by run and event */
	uint32_t *class_of;    /* by number of the string */
	struct entry *entries;
	size_t nr_entries, entries_room;
	bool *named; /* by renaming: NEW is a binary of the new side */
	struct group_key *groups;
	size_t groups_room;
	struct index index;
};

/** Fills err: memory is out. Returns -1. */
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

/** Where what is known of event @i of @run is kept. */
static inline size_t matcher_place_of(const struct matcher *m, size_t run, size_t i)
{
	return m->match->first_event[run] + i;
}

/** Adds @name of @run to @list, with what @name_of makes of it. False: no memory. */
bool matcher_gather(struct matcher *m, struct namelist *list, const char *name,
		    void (*name_of)(char *to, const char *name), size_t run);

/** Pairs the names of @list, which sets the classes, and frees it. 0, or -1 with err filled. */
int matcher_pair_names(struct matcher *m, struct namelist *list);

/** How many of the entries from @first on are of one group; of one file class, too, if @by_file. */
size_t matcher_count_like(const struct matcher *m, size_t first, bool by_file);

/** First step: the events of the match, and what each run counted of them. 0, or -1 with err
 * filled. */
int matcher_events(struct matcher *m);

/** Second step: the rows of all runs as entries, those of one function side by side. 0, or -1 with
 * err filled. */
int matcher_rows(struct matcher *m);

#endif
