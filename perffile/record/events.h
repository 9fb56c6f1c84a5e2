/*
 * The events of one recording, and how to find the event of a record.
 *
 * A SAMPLE has its event's id in its body, other records have it in their trailer. The position of
 * the id depends on the event's own sample_type, so events should agree on it, or have
 * PERF_SAMPLE_IDENTIFIER, which is always first in a body and last in a trailer. If they disagree
 * each position is tried: the event is the one whose id is found at its own position.
 */
#ifndef READPERF_PERFFILE_RECORD_EVENTS_H
#define READPERF_PERFFILE_RECORD_EVENTS_H

#include "perffile/event.h"
#include "perffile/format.h"
#include "perffile/input/header.h"
#include "perffile/record.h"
#include "perffile/record/eventname.h"
#include "util/error.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_id;

enum { EVENTS_ID_PLACES = 8 };

struct event_set {
	const struct event *first; /* events[0], or NULL if there are none */
	struct event **events;	   /* allocated one by one: records point to them */
	size_t nr_events, room;
	struct event_id *ids; /* all ids and their events */
	size_t ids_room;
	struct index by_id;
	/* Byte offsets of the id: in a SAMPLE's body, and before the end of other records. */
	uint16_t sample_id_offset, trailer_id; /* UINT16_MAX and 0: no id */
	bool same_sample_id, same_trailer_id;  /* all events agree on these */
	/* Otherwise all the different positions; a sample_type allows no more than these. */
	uint16_t sample_ids[EVENTS_ID_PLACES], trailer_ids[EVENTS_ID_PLACES];
	size_t nr_sample_ids, nr_trailer_ids;
	bool same_layout;     /* all events agree on the positions of the time */
	uint16_t sample_time; /* bytes from a SAMPLE's start to its time; 0: none, or they differ */
	uint16_t sample_pid;  /* the same to its pid */
	bool timed;	      /* records other than samples have times, so records can be sorted */
	bool closed;	      /* the header has told all events: others have no plain samples */
	bool offcpu;	      /* some event is an off-CPU event: offcpu.h */
	bool all_plain;	      /* samples of all events are, and none waits for its call chain */
	bool any_chains;      /* some plain samples have call chains */
	uint32_t *descriptions; /* interned names by event number, 0: none; may precede the event */
	size_t nr_descriptions, descriptions_room;
	struct event_numbers numbers; /* names of numbers in attrs */
	unsigned nr_renamings;
	uint64_t nr_looks;     /* events compared by events_name_config() */
	uint64_t nr_ids;       /* ids read from the attrs section, duplicates included */
	unsigned lost_ids;     /* events whose ids are not in the file */
	struct intern strings; /* the names */
};

enum { EVENT_FINDER_KNOWN = 64 }; /* a power of two */

/**
 * Finds the events of records in @set, borrowed. Each thread has a finder of its own. All zero but
 * @set is one that has found nothing yet.
 */
struct event_finder {
	const struct event_set *set;
	/* The events found last, by the lowest bits of their ids: the kernel numbers ids one after
	 * the other, and an event has one for each CPU. */
	struct {
		uint64_t id;
		const struct event *event; /* NULL: none */
	} known[EVENT_FINDER_KNOWN];
};

/** Whether samples of all events are plain and without call chains, and their events can be told
 * from a word at one place. */
static inline bool events_can_pack(const struct event_set *set)
{
	return set->all_plain && !set->any_chains &&
	       (set->nr_events == 1 ||
		(set->same_sample_id && set->sample_id_offset != UINT16_MAX));
}

/** Reads the attrs section and its ids. Returns 0, or -1 with @err filled. */
int events_read(struct event_set *set, const struct header *header, struct source *source,
		struct error *err);

/**
 * Adds the event of a HEADER_ATTR record with @body: the attr, then ids to its end. Returns 1, 0 if
 * the record is damaged or there are too many events, -1 if memory is out.
 */
int events_add(struct event_set *set, struct span body);

/** Names the event with @id, if there is one; @name is copied. Returns 0, or -1 if memory is out.
 */
int events_rename(struct event_set *set, uint64_t id, const char *name, size_t len);

/**
 * Names event @number, which may come later, unless the recording has named it already. @name is
 * copied. Returns 0, or -1 if memory is out.
 */
int events_describe(struct event_set *set, size_t number, const char *name, size_t len);

/**
 * Adds the u64s in @ids to the ids of event @number, if there is one, except 0 and ids that an
 * event has already. Returns 0, or -1 if memory is out.
 */
int events_identify(struct event_set *set, size_t number, struct span ids);

/**
 * Gives @name, of a list of names by attr.config that perf before 3.9 wrote, to event @number if
 * its config is @config, else to all events with that one; it is copied. Events that have a name
 * keep it, and so do those of types that perf knows by itself: their name in the list is that of
 * what was asked for ("cycles"), though the clock of the kernel took its place. Does nothing once
 * the calls have compared 2^28 events. Returns 0, or -1 if memory is out.
 */
int events_name_config(struct event_set *set, size_t number, uint64_t config, const char *name,
		       size_t len);

/**
 * Makes the names that come from attrs again, after names were added to @set->numbers. Only the
 * first 64 calls do so: a pipe may add names without end. Returns 0, or -1 if memory is out.
 */
int events_name_again(struct event_set *set);

/**
 * Calls event @number @name, which is copied, and keeps its own name as recorded; NULL gives it its
 * own name back. Returns 0, or -1 if memory is out.
 */
int events_call(struct event_set *set, size_t number, const char *name);

/** Returns the event that has @id, or NULL. */
const struct event *events_by_id(const struct event_set *set, uint64_t id);

/** Returns the event of a SAMPLE with this body, or NULL if its id is unknown or cut off. */
const struct event *events_of_sample(struct event_finder *finder, const struct span *body);

/** Returns the event of another record with this body, or NULL if its id is unknown. */
const struct event *events_of_record(struct event_finder *finder, const struct span *body);

/** As events_time(), of any record. */
uint64_t events_find_time(struct event_finder *finder, uint32_t type, const struct span *body);

/**
 * Returns the time in ns by which a kernel record of @type with @body is sorted, or 0 if it has
 * none and is returned at its position in the file.
 */
static inline uint64_t events_time(struct event_finder *finder, uint32_t type,
				   const struct span *body)
{
	const size_t at = finder->set->sample_time;

	if (type == RECORD_SAMPLE && at)
		return span_peek_u64(body, at - RECORD_HEADER_BYTES);
	return events_find_time(finder, type, body);
}

void events_free(struct event_set *set);

#endif
