#include "perffile/events.h"

#include "perffile/attr.h"
#include "perffile/eventname.h"
#include "perffile/sample.h"
#include "util/array.h"
#include "util/hash.h"

#include <inttypes.h>
#include <stdlib.h>

struct id_slot {
	uint64_t id;
	uint32_t number; /* of the event, + 1; 0 = free */
};

static struct id_slot *find_slot(const struct event_set *set, uint64_t id)
{
	size_t at = hash_u64(id) & (set->nr_slots - 1);

	while (set->slots[at].number && set->slots[at].id != id)
		at = (at + 1) & (set->nr_slots - 1);
	return &set->slots[at];
}

/* A power of two with room for twice @nr_ids. */
static int make_slots(struct event_set *set, size_t nr_ids)
{
	set->nr_slots = 16;
	while (set->nr_slots < nr_ids * 2)
		set->nr_slots *= 2;
	set->slots = calloc(set->nr_slots, sizeof(*set->slots));
	return set->slots ? 0 : -1;
}

static int index_ids(struct event_set *set, struct error *err)
{
	size_t nr_ids = 0;

	for (size_t i = 0; i < set->nr_events; i++)
		nr_ids += set->events[i].nr_ids;
	if (make_slots(set, nr_ids) < 0)
		return error_nomem(err, "indexing event ids");
	for (size_t i = 0; i < set->nr_events; i++) {
		for (size_t k = 0; k < set->events[i].nr_ids; k++) {
			struct id_slot *slot = find_slot(set, set->events[i].ids[k]);

			if (!slot->number) /* of two claims to one id the first stands */
				*slot = (struct id_slot){set->events[i].ids[k], (uint32_t)i + 1};
		}
	}
	return 0;
}

static int read_ids(struct event *event, const struct section *section, const struct source *source,
		    bool swap, struct error *err)
{
	uint64_t *ids;
	struct span s;
	void *bytes;

	if (section->size == 0)
		return 0;
	if (section->size / sizeof(uint64_t) > EVENT_IDS_MAX || section->offset >= source->size ||
	    section->size > source->size - section->offset)
		return error_set(err, ERROR_FORMAT,
				 "%s: the ids of event %u, %" PRIu64 " bytes at byte %" PRIu64
				 ", do not lie inside the file",
				 source->name, event->number, section->size, section->offset);
	bytes = section_load(section, source, swap, &s, err);
	if (!bytes)
		return -1;
	/* Decoded in place: an id is read before the word that held it is written. */
	ids = bytes;
	for (event->nr_ids = 0; span_holds(&s, 1, sizeof(*ids)); event->nr_ids++)
		ids[event->nr_ids] = span_u64(&s);
	event->ids = ids;
	return 0;
}

/* An entry of the attrs section: the attr, and in its last 16 bytes where the ids are. */
static int read_entry(struct event_set *set, struct span entry, const struct source *source,
		      struct error *err)
{
	struct event *event = &set->events[set->nr_events];
	struct span attr = span_take(&entry, span_left(&entry) - SECTION_BYTES);
	struct section ids = {.offset = span_u64(&entry)};

	ids.size = span_u64(&entry);
	*event = (struct event){.number = (unsigned)set->nr_events};
	if (!attr_decode(&event->attr, attr))
		return error_set(err, ERROR_FORMAT,
				 "%s: attr %zu says that it has %u bytes, expected 64 or more",
				 source->name, set->nr_events, event->attr.size);
	sample_layout_make(&event->layout, &event->attr);
	set->nr_events++; /* from here on events_free() frees its ids */
	return read_ids(event, &ids, source, entry.swap, err);
}

static int read_entries(struct event_set *set, const struct header *header, struct span *s,
			const struct source *source, struct error *err)
{
	size_t nr_entries = (size_t)(span_left(s) / header->attr_size);

	if (nr_entries > EVENTS_MAX)
		return error_set(err, ERROR_FORMAT, "%s: %zu events, expected at most %d",
				 source->name, nr_entries, EVENTS_MAX);
	if (nr_entries == 0)
		return error_set(err, ERROR_FORMAT,
				 "%s: ends inside the attrs section at byte %" PRIu64, source->name,
				 header->attrs.offset);
	set->events = calloc(nr_entries, sizeof(*set->events));
	if (!set->events)
		return error_nomem(err, "reading the events");
	for (size_t i = 0; i < nr_entries; i++) {
		if (read_entry(set, span_take(s, header->attr_size), source, err) < 0)
			return -1;
	}
	return 0;
}

/* Bytes from the id to the end of a record that is no sample; 0 if such records carry no id. */
static uint16_t trailer_id(const struct event *event)
{
	return event->layout.trailer_bytes ? sample_trailer_id(event->attr.sample_type) : 0;
}

/* Finds out where all events agree; what they do not agree on cannot be read. */
static void settle_positions(struct event_set *set)
{
	const struct attr *first = &set->events[0].attr;

	set->same_layout = true;
	set->timed = true;
	set->sample_id_offset = sample_id_offset(first->sample_type);
	set->trailer_id = trailer_id(&set->events[0]);
	for (size_t i = 0; i < set->nr_events; i++) {
		const struct sample_layout *layout = &set->events[i].layout;
		uint64_t sample_type = set->events[i].attr.sample_type;

		if (layout->time_offset != set->events[0].layout.time_offset ||
		    layout->trailer_time != set->events[0].layout.trailer_time)
			set->same_layout = false;
		if (!layout->trailer_time)
			set->timed = false;
		if (sample_id_offset(sample_type) != set->sample_id_offset)
			set->sample_id_offset = UINT16_MAX;
		if (trailer_id(&set->events[i]) != set->trailer_id)
			set->trailer_id = 0;
	}
}

int events_read(struct event_set *set, const struct header *header, const struct source *source,
		struct error *err)
{
	struct span s;
	void *bytes = section_load(&header->attrs, source, header->swap, &s, err);
	int rc;

	if (!bytes)
		return -1;
	rc = read_entries(set, header, &s, source, err);
	free(bytes);
	if (rc < 0)
		return -1;
	settle_positions(set);
	return index_ids(set, err);
}

int events_set_name(struct event_set *set, size_t number, const char *name, size_t len)
{
	uint32_t interned = intern(&set->strings, name, len);

	if (interned == INTERN_NOMEM)
		return -1;
	if (interned)
		set->events[number].name = intern_get(&set->strings, interned);
	return 0;
}

int events_name_rest(struct event_set *set, struct error *err)
{
	for (size_t i = 0; i < set->nr_events; i++) {
		char name[EVENT_NAME_MAX];

		if (set->events[i].name)
			continue;
		event_name_make(&set->events[i].attr, name);
		if (events_set_name(set, i, name, sizeof(name)) < 0)
			return error_nomem(err, "naming the events");
	}
	return 0;
}

const struct event *events_find(struct event_set *set, uint64_t id)
{
	const struct id_slot *slot;

	if (id == set->last_id && set->last)
		return set->last;
	if (id == 0)
		return &set->events[0];
	slot = find_slot(set, id);
	if (!slot->number)
		return NULL;
	set->last_id = id;
	set->last = &set->events[slot->number - 1];
	return set->last;
}

const struct event *events_of_sample(struct event_set *set, const struct span *body)
{
	struct span s = *body;

	if (set->nr_events == 1 || set->sample_id_offset == UINT16_MAX)
		return &set->events[0];
	span_skip(&s, set->sample_id_offset);
	if (!span_holds(&s, 1, sizeof(uint64_t)))
		return NULL;
	return events_find(set, span_u64(&s));
}

const struct event *events_of_record(struct event_set *set, const struct span *body)
{
	struct span s = *body;

	if (set->nr_events == 1 || set->trailer_id == 0)
		return &set->events[0];
	if (span_left(&s) < set->trailer_id)
		return &set->events[0];
	s.pos = s.end - set->trailer_id;
	return events_find(set, span_u64(&s));
}

uint64_t events_time(struct event_set *set, uint32_t type, const struct span *body)
{
	const struct event *event = &set->events[0];
	struct span s = *body;

	if (type == RECORD_SAMPLE) {
		if (!set->same_layout)
			event = events_of_sample(set, body);
		if (!event || event->layout.time_offset == UINT16_MAX)
			return 0;
		span_skip(&s, event->layout.time_offset);
	} else {
		if (!set->same_layout)
			event = events_of_record(set, body);
		if (!event || !event->layout.trailer_time ||
		    span_left(&s) < event->layout.trailer_bytes)
			return 0;
		s.pos = s.end - event->layout.trailer_time;
	}
	return span_left(&s) >= sizeof(uint64_t) ? span_u64(&s) : 0;
}

void events_free(struct event_set *set)
{
	for (size_t i = 0; i < set->nr_events; i++)
		free((void *)(uintptr_t)set->events[i].ids);
	free(set->events);
	free(set->slots);
	intern_free(&set->strings);
	*set = (struct event_set){0};
}
