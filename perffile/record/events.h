/*
 * The events of one recording and how a record finds its own.
 *
 * A SAMPLE names its event by an id in its body, any other record by one in its trailer. Where the
 * id stands follows from the event's own sample_type, so events should agree on it, or have
 * PERF_SAMPLE_IDENTIFIER, which stands first or last whatever else there is. Where they disagree
 * each place is tried: the event is the one that is found at the place where it says it would be.
 */
#ifndef READPERF_PERFFILE_RECORD_EVENTS_H
#define READPERF_PERFFILE_RECORD_EVENTS_H

#include "perffile/event.h"
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
	struct event **events;	   /* each of its own: records point at them while more are added */
	size_t nr_events, room;
	struct event_id *ids; /* who has which id */
	size_t ids_room;
	struct index by_id;
	/* Byte offsets of the id: in a SAMPLE's body, and back from the end of other records. */
	uint16_t sample_id_offset, trailer_id; /* UINT16_MAX and 0: records carry no id */
	bool same_sample_id, same_trailer_id;  /* all events agree on these */
	/* Otherwise the different ones that there are; a sample_type allows for no more. */
	uint16_t sample_ids[EVENTS_ID_PLACES], trailer_ids[EVENTS_ID_PLACES];
	size_t nr_sample_ids, nr_trailer_ids;
	bool same_layout; /* all events agree where samples and trailers hold the time */
	bool timed;	  /* records other than samples carry times, so records can be sorted */
	bool offcpu;	  /* one has been an event of waits: offcpu.h */
	const struct event *last; /* answered the last lookup */
	uint64_t last_id;
	uint32_t *descriptions; /* names by the event's number, 0 for none: may come before the
				   event */
	size_t nr_descriptions, descriptions_room;
	struct event_numbers numbers; /* for names that are made from attrs */
	unsigned nr_renamings;
	uint64_t nr_looks; /* at events, for one to be named by its config */
	uint64_t nr_ids;   /* that the attrs section tells of, claimed twice or not */
	unsigned lost_ids; /* events of which the file does not have the ids that it announces */
	struct intern strings; /* the names */
};

/** Reads the attrs section and its ids. Returns 0, or -1 with @err filled. */
int events_read(struct event_set *set, const struct header *header, struct source *source,
		struct error *err);

/**
 * Adds the event that a HEADER_ATTR record with @body describes: the attr, then ids to its end.
 * Returns 1, 0 if the record is damaged, -1 if memory is out.
 */
int events_add(struct event_set *set, struct span body);

/** Names the event with @id, if there is one; @name is copied. Returns 0, or -1 if memory is out.
 */
int events_rename(struct event_set *set, uint64_t id, const char *name, size_t len);

/**
 * Names event @number, which may be still to come, unless something better has named it. @name is
 * copied. Returns 0, or -1 if memory is out.
 */
int events_describe(struct event_set *set, size_t number, const char *name, size_t len);

/**
 * The u64s that fill @ids are ids of event @number, if there is one, too: as far as no event has
 * them. Returns 0, or -1 if memory is out.
 */
int events_identify(struct event_set *set, size_t number, struct span ids);

/**
 * Names the events of kind @config that nothing else has named; of very many names for very many
 * events the last are ignored. -1 if memory is out.
 */
int events_name_config(struct event_set *set, uint64_t config, const char *name, size_t len);

/**
 * Makes the names that come from attrs anew, when @set->numbers has learned some. Done so many
 * times only: a recording may go on telling names for ever. Returns 0, or -1 if memory is out.
 */
int events_name_again(struct event_set *set);

/** The event with @id, or NULL. Id 0 stands for the first: synthesized records carry it. */
const struct event *events_find(struct event_set *set, uint64_t id);

/** The event that has @id, or NULL. */
const struct event *events_by_id(const struct event_set *set, uint64_t id);

/** The event of a SAMPLE with this body, or NULL if its id is unknown or cut off. */
const struct event *events_of_sample(struct event_set *set, const struct span *body);

/** The event of another record with this body, or NULL if its id is unknown. */
const struct event *events_of_record(struct event_set *set, const struct span *body);

/**
 * The time in ns by which a kernel record of @type with @body is sorted; 0 if it has none and must
 * be delivered where it stands.
 */
uint64_t events_time(struct event_set *set, uint32_t type, const struct span *body);

void events_free(struct event_set *set);

#endif
