/*
 * The events of one recording and how a record finds its own.
 *
 * A SAMPLE names its event by an id in its body, any other record by one in its trailer; where the
 * id stands follows from the sample_type, so it must be the same for all events (perf refuses other
 * files) unless each has PERF_SAMPLE_IDENTIFIER, which stands first or last whatever else there is.
 */
#ifndef READPERF_PERFFILE_EVENTS_H
#define READPERF_PERFFILE_EVENTS_H

#include "perffile/event.h"
#include "perffile/header.h"
#include "perffile/record.h"
#include "util/error.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_set {
	struct event *events;
	size_t nr_events, room;
	struct id_slot *slots; /* hash table id -> event */
	size_t nr_slots, nr_ids;
	/* Byte offsets of the id: in a SAMPLE's body, and back from the end of other records. */
	uint16_t sample_id_offset, trailer_id; /* UINT16_MAX and 0: records carry no id */
	bool same_layout; /* all events agree where samples and trailers hold the time */
	bool timed;	  /* records other than samples carry times, so records can be sorted */
	const struct event *last; /* answered the last lookup */
	uint64_t last_id;
	struct intern strings; /* the names */
};

/** Reads the attrs section and its ids. Returns 0, or -1 with @err filled. */
int events_read(struct event_set *set, const struct header *header, const struct source *source,
		struct error *err);

/** Names event @number; @name is copied. Returns 0, or -1 if memory is out. */
int events_set_name(struct event_set *set, size_t number, const char *name, size_t len);

/** Gives a name made from its attr to each event that has none. Returns 0, or -1 with @err. */
int events_name_rest(struct event_set *set, struct error *err);

/** The event with @id, or NULL. Id 0 stands for the first: synthesized records carry it. */
const struct event *events_find(struct event_set *set, uint64_t id);

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
