#include "decode/answer/metricevents.h"

#include "perffile/format.h"
#include "util/array.h"

#include <stdlib.h>

/* More events of hardware than most machines count at once. */
enum { COUNTERS_AT_ONCE = 4 };

static struct metric_event *event_of(struct metric_events *events, size_t number)
{
	if (!array_grow(events->list, events->room, number + 1))
		return NULL;
	for (; events->nr <= number; events->nr++)
		events->list[events->nr] = (struct metric_event){0};
	return &events->list[number];
}

/* Notes which events the first sample of a group has values of. */
static bool look_at_group(struct metric_events *events, const struct record *rec)
{
	struct sample_read read = rec->sample.read;
	struct read_value value;

	while (sample_read_next(&read, &value)) {
		const struct event *event = perffile_event_by_id(events->file, value.id);
		struct metric_event *member = event ? event_of(events, event->number) : NULL;

		if (event && !member)
			return false;
		if (member)
			member->leader = rec->event->number + 1;
	}
	return true;
}

bool metric_events_record(struct metric_events *events, const struct record *rec)
{
	const uint64_t group = READ_GROUP | READ_ID;
	struct metric_event *event;

	if (rec->type != RECORD_SAMPLE || !rec->event || !rec->sample.read.given)
		return true;
	event = event_of(events, rec->event->number);
	if (!event)
		return false;
	event->multiplexed |= rec->sample.read.running < rec->sample.read.enabled;
	if (event->looked || (rec->event->attr.read_format & group) != group)
		return true;
	event->looked = true;
	return look_at_group(events, rec);
}

static struct metric_event known_of(const struct metric_events *events, const struct event *event)
{
	if (event->number < events->nr)
		return events->list[event->number];
	return (struct metric_event){0};
}

bool metric_events_take(const struct metric_events *events, const struct event *event)
{
	return events->takes_event(events->filter, event);
}

bool metric_events_group(const struct metric_events *events, const struct event *a,
			 const struct event *b)
{
	const uint32_t leader = known_of(events, a).leader;

	return leader && leader == known_of(events, b).leader;
}

/* Whether there are more hardware events than are surely counted at once. */
static bool is_crowded(const struct metric_events *events)
{
	size_t nr = 0;

	for (size_t i = 0; i < perffile_nr_events(events->file); i++) {
		const uint32_t type = perffile_event(events->file, i)->attr.type;

		nr += type != ATTR_TYPE_SOFTWARE && type != ATTR_TYPE_TRACEPOINT &&
		      type != ATTR_TYPE_BREAKPOINT;
	}
	return nr > COUNTERS_AT_ONCE;
}

static bool is_multiplexed(const struct metric_events *events, const struct event *event)
{
	const struct metric_event known = known_of(events, event);

	return known.multiplexed ||
	       (known.leader &&
		known_of(events, perffile_event(events->file, known.leader - 1)).multiplexed);
}

/* A group is counted as one, so its ratios stay right if it takes turns with others. */
unsigned metric_events_notes(const struct metric_events *events, const struct event *a,
			     const struct event *b, bool group)
{
	const uint64_t precise = UINT64_C(3) << ATTR_PRECISE_SHIFT;
	unsigned notes = 0;

	if (group)
		return 0;
	if ((a->attr.flags & precise) != (b->attr.flags & precise))
		notes |= METRIC_NOTE_SKID;
	if (is_multiplexed(events, a) || is_multiplexed(events, b))
		notes |= METRIC_NOTE_MULTIPLEXED;
	else if (is_crowded(events))
		notes |= METRIC_NOTE_MAYBE_MULTIPLEXED;
	return notes;
}

const char *metric_events_text(unsigned notes)
{
	static const char *const texts[] = {
		"",
		"few-samples",
		"skid",
		"few-samples skid",
		"multiplexed",
		"few-samples multiplexed",
		"skid multiplexed",
		"few-samples skid multiplexed",
		"maybe-multiplexed",
		"few-samples maybe-multiplexed",
		"skid maybe-multiplexed",
		"few-samples skid maybe-multiplexed",
	};

	if (notes & METRIC_NOTE_MULTIPLEXED)
		notes &= ~(unsigned)METRIC_NOTE_MAYBE_MULTIPLEXED;
	return texts[notes];
}

void metric_events_free(struct metric_events *events)
{
	free(events->list);
	*events = (struct metric_events){0};
}
