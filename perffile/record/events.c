#include "perffile/record/events.h"

#include "perffile/record/attr.h"
#include "perffile/record/offcpu.h"
#include "perffile/record/sample.h"
#include "util/array.h"
#include "util/hash.h"

#include <inttypes.h>
#include <stdlib.h>

struct event_id {
	uint64_t id;
	struct event *event;
};

static struct event *find_id(const struct event_set *set, uint64_t id)
{
	uint64_t hash = hash_u64(id);
	uint32_t number;

	for (size_t at = index_first(&set->by_id, hash);
	     index_next(&set->by_id, hash, &at, &number);) {
		if (set->ids[number].id == id)
			return set->ids[number].event;
	}
	return NULL;
}

/* Adds @id of @event; an id that two events have stays with the first. */
static bool add_id(struct event_set *set, struct event *event, uint64_t id)
{
	if (find_id(set, id))
		return true;
	if (!array_grow(set->ids, set->ids_room, set->by_id.nr + 1))
		return false;
	set->ids[set->by_id.nr] = (struct event_id){id, event};
	return index_add(&set->by_id, hash_u64(id));
}

/* Adds @place to the *@nr different ones in @places, if it is new. */
static void add_place(uint16_t places[EVENTS_ID_PLACES], size_t *nr, uint16_t place)
{
	for (size_t i = 0; i < *nr; i++) {
		if (places[i] == place)
			return;
	}
	if (*nr < EVENTS_ID_PLACES)
		places[(*nr)++] = place;
}

/* Compares the positions of id and time of a new event with those of the others. */
static void settle_positions(struct event_set *set, const struct event *event)
{
	const struct event *first = set->events[0];
	uint16_t sample_id = sample_id_offset(event->attr.sample_type);
	uint16_t trailer_id = sample_trailer_id(&event->attr);
	const bool plain = event->layout.plain && !(event->attr.flags & ATTR_DEFER_CALLCHAIN);

	if (event == first) {
		set->first = first;
		set->all_plain = plain;
		set->same_layout = set->same_sample_id = set->same_trailer_id = true;
		set->sample_id_offset = sample_id;
		set->trailer_id = trailer_id;
		set->timed = event->layout.trailer_time != 0;
		if (event->layout.time_offset != UINT16_MAX)
			set->sample_time =
				(uint16_t)(RECORD_HEADER_BYTES + event->layout.time_offset);
		if (event->layout.tid_offset != UINT16_MAX)
			set->sample_pid =
				(uint16_t)(RECORD_HEADER_BYTES + event->layout.tid_offset);
	}
	set->all_plain &= plain;
	set->any_chains |= event->layout.plain_chain;
	add_place(set->sample_ids, &set->nr_sample_ids, sample_id);
	add_place(set->trailer_ids, &set->nr_trailer_ids, trailer_id);
	if (sample_id != set->sample_id_offset)
		set->same_sample_id = false;
	if (trailer_id != set->trailer_id)
		set->same_trailer_id = false;
	if (event->layout.time_offset != first->layout.time_offset ||
	    event->layout.trailer_time != first->layout.trailer_time) {
		set->same_layout = false;
		set->sample_time = 0;
	}
	if (event->layout.tid_offset != first->layout.tid_offset)
		set->sample_pid = 0;
	if (event->layout.trailer_time)
		set->timed = true;
}

static bool has_chains(const struct attr *attr)
{
	const uint64_t stack = SAMPLE_REGS_USER | SAMPLE_STACK_USER;

	return attr->sample_type & SAMPLE_CALLCHAIN || (attr->sample_type & stack) == stack;
}

/* Names @event and sets what depends on the name. */
static void take_name(struct event_set *set, struct event *event, const char *name)
{
	event->name = name;
	event->recorded = NULL;
	event->named = true;
	event->offcpu = offcpu_is(&event->attr, name);
	event->chains =
		has_chains(&event->attr) || (event->offcpu && event->attr.sample_type & SAMPLE_RAW);
	event->is_time |= event->offcpu;
	set->offcpu |= event->offcpu;
}

/* Sets what depends on the attr alone, not on the name. */
static void take_attr(struct event *event)
{
	const struct attr *attr = &event->attr;
	const bool software = attr->type == ATTR_TYPE_SOFTWARE;

	event->dummy = software && attr->config == SOFTWARE_DUMMY;
	event->is_time = software && (attr->config == SOFTWARE_CPU_CLOCK ||
				      attr->config == SOFTWARE_TASK_CLOCK);
	event->chains = has_chains(attr);
}

static int name_by_attr(struct event_set *set, struct event *event)
{
	char name[EVENT_NAME_MAX];
	const char *kept;

	event_name_make(&event->attr, &set->numbers, name);
	kept = intern_keep(&set->strings, name);
	if (!kept)
		return -1;
	event->name = kept;
	event->recorded = NULL;
	return 0;
}

/* Names a new event: by a description that came before it, or else from its attr. */
static int name_event(struct event_set *set, struct event *event)
{
	if (name_by_attr(set, event) < 0)
		return -1;
	if (event->number < set->nr_descriptions && set->descriptions[event->number])
		take_name(set, event, intern_get(&set->strings, set->descriptions[event->number]));
	return 0;
}

/* Adds an event with the attr @attr. Returns 1, 0 if it is invalid, -1 if memory is out. */
static int add_event(struct event_set *set, struct span attr, struct event **ret)
{
	struct event *event = calloc(1, sizeof(*event));

	if (!event || !array_grow(set->events, set->room, set->nr_events + 1)) {
		free(event);
		return -1;
	}
	event->number = (unsigned)set->nr_events;
	if (!attr_decode(&event->attr, attr)) {
		free(event);
		return 0;
	}
	take_attr(event);
	sample_layout_make(&event->layout, &event->attr);
	event->layout.plain &= !set->closed;
	set->events[set->nr_events++] = event;
	settle_positions(set, event);
	*ret = event;
	return name_event(set, event) < 0 ? -1 : 1;
}

/* Makes the u64s in @s the ids of @event. Returns 0, or -1 if memory is out. */
static int add_ids(struct event_set *set, struct event *event, struct span *s)
{
	uint64_t *ids = malloc(span_left(s) + sizeof(*ids));

	if (!ids)
		return -1;
	event->ids = ids;
	while (span_holds(s, 1, sizeof(*ids))) {
		ids[event->nr_ids] = span_u64(s);
		if (!add_id(set, event, ids[event->nr_ids++]))
			return -1;
	}
	return 0;
}

static int read_ids(struct event_set *set, struct event *event, const struct section *section,
		    struct source *source, bool swap, struct error *err)
{
	struct span s;
	void *bytes;
	int rc;

	if (section->size == 0)
		return 0;
	if (section->size % sizeof(uint64_t) != 0 ||
	    section->size / sizeof(uint64_t) > EVENT_IDS_MAX || section->offset >= source->size ||
	    section->size > source->size - section->offset) {
		set->lost_ids++;
		return 0;
	}
	bytes = section_load(section, source, swap, &s, err);
	if (!bytes)
		return -1;
	/*
	 * Overlapping sections could take more memory than the file has bytes, and a sparse file
	 * has more bytes than it takes on disk.
	 */
	set->nr_ids += span_left(&s) / sizeof(uint64_t);
	if (set->nr_ids > EVENT_IDS_MAX || set->nr_ids > source->size / sizeof(uint64_t)) {
		free(bytes);
		return error_at(err, ERROR_FORMAT, section->offset,
				"%s: too many ids: with those of event %u, at byte %" PRIu64
				", there are more than fit in the file, or more than %d",
				source->name, event->number, section->offset, EVENT_IDS_MAX);
	}
	rc = add_ids(set, event, &s);
	free(bytes);
	return rc < 0 ? error_nomem(err, "reading the events") : 0;
}

/* Reads an entry of the attrs section: the attr, in its last 16 bytes the section of its ids. */
static int read_entry(struct event_set *set, struct span entry, struct source *source,
		      struct error *err)
{
	struct span attr = span_take(&entry, span_left(&entry) - SECTION_BYTES);
	struct section ids = {.offset = span_u64(&entry)};
	struct event *event;
	int rc = add_event(set, attr, &event);

	ids.size = span_u64(&entry);
	if (rc < 0)
		return error_nomem(err, "reading the events");
	if (rc == 0)
		return error_set(err, ERROR_FORMAT, "%s: attr %zu has a size of less than 64 bytes",
				 source->name, set->nr_events);
	return read_ids(set, event, &ids, source, entry.swap, err);
}

static int read_entries(struct event_set *set, const struct header *header, struct span *s,
			struct source *source, struct error *err)
{
	size_t nr_entries = (size_t)(span_left(s) / header->attr_size);

	if (nr_entries == 0)
		return error_at(err, ERROR_FORMAT, header->attrs.offset,
				"%s: ends inside the attrs section at byte %" PRIu64, source->name,
				header->attrs.offset);
	for (size_t i = 0; i < nr_entries; i++) {
		if (read_entry(set, span_take(s, header->attr_size), source, err) < 0)
			return -1;
	}
	return 0;
}

int events_read(struct event_set *set, const struct header *header, struct source *source,
		struct error *err)
{
	const struct section *attrs = &header->attrs;
	const uint64_t left = attrs->offset < source->size ? source->size - attrs->offset : 0;
	const uint64_t nr_entries = (attrs->size < left ? attrs->size : left) / header->attr_size;
	struct span s;
	void *bytes;
	int rc;

	if (nr_entries > EVENTS_MAX)
		return error_set(err, ERROR_FORMAT, "%s: %" PRIu64 " events, expected at most %d",
				 source->name, nr_entries, EVENTS_MAX);
	bytes = section_load(attrs, source, header->swap, &s, err);
	if (!bytes)
		return -1;
	rc = read_entries(set, header, &s, source, err);
	free(bytes);
	set->closed = true;
	return rc;
}

int events_add(struct event_set *set, struct span body)
{
	struct span attr = body;
	struct event *event;
	uint32_t size;
	int rc;

	span_skip(&attr, 4);
	size = span_u32(&attr);
	attr = span_take(&body, size ? size : ATTR_BYTES_V0);
	if (attr.failed || set->nr_events >= EVENTS_MAX)
		return 0;
	rc = add_event(set, attr, &event);
	if (rc > 0 && add_ids(set, event, &body) < 0)
		return -1;
	return rc;
}

static int set_name(struct event_set *set, struct event *event, const char *name, size_t len)
{
	uint32_t number = intern(&set->strings, name, len);

	if (number == INTERN_NOMEM)
		return -1;
	if (number == 0)
		return 0;
	take_name(set, event, intern_get(&set->strings, number));
	return 0;
}

int events_rename(struct event_set *set, uint64_t id, const char *name, size_t len)
{
	struct event *event = find_id(set, id);

	return event ? set_name(set, event, name, len) : 0;
}

int events_describe(struct event_set *set, size_t number, const char *name, size_t len)
{
	uint32_t interned = intern(&set->strings, name, len);

	if (interned == INTERN_NOMEM)
		return -1;
	if (number < set->nr_events)
		return set->events[number]->named ? 0
						  : set_name(set, set->events[number], name, len);
	if (number >= EVENTS_MAX)
		return 0;
	if (!array_grow(set->descriptions, set->descriptions_room, number + 1))
		return -1;
	while (set->nr_descriptions <= number)
		set->descriptions[set->nr_descriptions++] = 0;
	set->descriptions[number] = interned;
	return 0;
}

int events_identify(struct event_set *set, size_t number, struct span ids)
{
	if (number >= set->nr_events)
		return 0;
	while (span_holds(&ids, 1, sizeof(uint64_t))) {
		uint64_t id = span_u64(&ids);

		if (id != 0 && !add_id(set, set->events[number], id))
			return -1;
	}
	return 0;
}

/* As struct attr's type and config name it, whatever a list of names says. */
static bool is_known_by_attr(const struct event *event)
{
	const uint32_t type = event->attr.type;

	return type == ATTR_TYPE_HARDWARE || type == ATTR_TYPE_SOFTWARE ||
	       type == ATTR_TYPE_HW_CACHE;
}

int events_name_config(struct event_set *set, size_t number, uint64_t config, const char *name,
		       size_t len)
{
	enum { LOOKS_MAX = 1 << 28 };
	const bool is_one = number < set->nr_events && set->events[number]->attr.config == config;
	const size_t end = is_one ? number + 1 : set->nr_events;

	for (size_t i = is_one ? number : 0; i < end && set->nr_looks < LOOKS_MAX; i++) {
		struct event *event = set->events[i];

		set->nr_looks++;
		if (!event->named && event->attr.config == config && !is_known_by_attr(event) &&
		    set_name(set, event, name, len) < 0)
			return -1;
	}
	return 0;
}

int events_name_again(struct event_set *set)
{
	enum { RENAMINGS_MAX = 64 };

	if (set->nr_renamings++ >= RENAMINGS_MAX)
		return 0;
	for (size_t i = 0; i < set->nr_events; i++) {
		if (!set->events[i]->named && name_by_attr(set, set->events[i]) < 0)
			return -1;
	}
	return 0;
}

int events_call(struct event_set *set, size_t number, const char *name)
{
	struct event *event = set->events[number];
	const char *recorded = event_recorded_name(event), *kept = recorded;

	if (name) {
		kept = intern_keep(&set->strings, name);
		if (!kept)
			return -1;
	}
	event->name = kept;
	event->recorded = kept == recorded ? NULL : recorded;
	return 0;
}

/* Returns the event with @id, or NULL. Id 0, used in synthesized records, is the first event. */
static const struct event *find(struct event_finder *finder, uint64_t id)
{
	const size_t slot = id & (EVENT_FINDER_KNOWN - 1);
	const struct event *event;

	if (id == finder->known[slot].id && finder->known[slot].event)
		return finder->known[slot].event;
	if (id == 0)
		return finder->set->events[0];
	event = find_id(finder->set, id);
	if (event) {
		finder->known[slot].id = id;
		finder->known[slot].event = event;
	}
	return event;
}

const struct event *events_by_id(const struct event_set *set, uint64_t id)
{
	return find_id(set, id);
}

/* Returns the event whose id is at @offset of a SAMPLE's body, or NULL. */
static const struct event *sample_event_at(struct event_finder *finder, struct span s,
					   uint16_t offset)
{
	if (offset == UINT16_MAX)
		return NULL;
	span_skip(&s, offset);
	return span_holds(&s, 1, sizeof(uint64_t)) ? find(finder, span_u64(&s)) : NULL;
}

static const struct event *record_event_at(struct event_finder *finder, struct span s,
					   uint16_t back)
{
	if (back == 0 || span_left(&s) < back)
		return NULL;
	s.pos = s.end - back;
	return find(finder, span_u64(&s));
}

static const struct event *first_of(const struct event *a, const struct event *b)
{
	return a && a->number < b->number ? a : b;
}

/*
 * If events differ in the position of their id: the first whose id is at its own position, or NULL.
 */
static const struct event *event_of_any_sample(struct event_finder *finder, const struct span *body)
{
	const struct event *found = NULL;

	for (size_t i = 0; i < finder->set->nr_sample_ids; i++) {
		const uint16_t place = finder->set->sample_ids[i];
		const struct event *event = sample_event_at(finder, *body, place);

		if (event && sample_id_offset(event->attr.sample_type) == place)
			found = first_of(found, event);
	}
	return found;
}

/* Like event_of_any_sample(), but the first event if none is found. */
static const struct event *event_of_any_record(struct event_finder *finder, const struct span *body)
{
	const struct event *found = NULL;

	for (size_t i = 0; i < finder->set->nr_trailer_ids; i++) {
		const uint16_t place = finder->set->trailer_ids[i];
		const struct event *event = record_event_at(finder, *body, place);

		if (event && sample_trailer_id(&event->attr) == place)
			found = first_of(found, event);
	}
	return found ? found : finder->set->events[0];
}

const struct event *events_of_sample(struct event_finder *finder, const struct span *body)
{
	if (finder->set->nr_events == 0)
		return NULL;
	if (finder->set->nr_events == 1)
		return finder->set->events[0];
	if (finder->set->same_sample_id)
		return finder->set->sample_id_offset == UINT16_MAX
			       ? finder->set->events[0]
			       : sample_event_at(finder, *body, finder->set->sample_id_offset);
	return event_of_any_sample(finder, body);
}

const struct event *events_of_record(struct event_finder *finder, const struct span *body)
{
	if (finder->set->nr_events == 0)
		return NULL;
	if (finder->set->nr_events == 1)
		return finder->set->events[0];
	if (finder->set->same_trailer_id) {
		if (finder->set->trailer_id == 0 || span_left(body) < finder->set->trailer_id)
			return finder->set->events[0];
		return record_event_at(finder, *body, finder->set->trailer_id);
	}
	return event_of_any_record(finder, body);
}

uint64_t events_find_time(struct event_finder *finder, uint32_t type, const struct span *body)
{
	const struct event *event = finder->set->first;

	if (type == RECORD_SAMPLE) {
		if (!finder->set->same_layout)
			event = events_of_sample(finder, body);
		if (!event || event->layout.time_offset == UINT16_MAX)
			return 0;
		return span_peek_u64(body, event->layout.time_offset);
	}
	if (!finder->set->same_layout)
		event = events_of_record(finder, body);
	if (!event || !event->layout.trailer_time || span_left(body) < event->layout.trailer_bytes)
		return 0;
	return span_peek_u64(body, span_left(body) - event->layout.trailer_time);
}

void events_free(struct event_set *set)
{
	for (size_t i = 0; i < set->nr_events; i++) {
		free((void *)(uintptr_t)set->events[i]->ids);
		free(set->events[i]);
	}
	free(set->events);
	free(set->ids);
	free(set->descriptions);
	index_free(&set->by_id);
	eventname_free_numbers(&set->numbers);
	intern_free(&set->strings);
	*set = (struct event_set){0};
}
