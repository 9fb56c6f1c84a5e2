/*
 * What there is to say of the ratio of two events: whether their values come together, in a group,
 * and what makes it doubtful: that counters took turns, or skid differently.
 */
#ifndef READPERF_DECODE_ANSWER_METRICNOTE_H
#define READPERF_DECODE_ANSWER_METRICNOTE_H

#include "perffile/perffile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bits. */
enum metric_note {
	METRIC_NOTE_FEW = 1, /* samples */
	METRIC_NOTE_SKID = 2,
	METRIC_NOTE_MULTIPLEXED = 4,
	METRIC_NOTE_MAYBE_MULTIPLEXED = 8, /* not at once with the one before */
};

/** What samples told of an event. */
struct metric_event {
	uint32_t leader;  /* number of the event whose samples carry its values, + 1; or 0 */
	bool looked;	  /* a sample of its own has been looked at */
	bool multiplexed; /* its counter did not run all the time */
};

/** Of all events. All zero, but for what is borrowed, is empty. */
struct metric_events {
	const struct perffile *file;
	const struct filter *filter; /* as in struct aggregate_view, as the next one */
	bool (*takes_event)(const struct filter *filter, const struct event *event);
	struct metric_event *list; /* by number */
	size_t nr, room;
};

/** Learns from any record. Returns false if memory is out. */
bool metric_events_record(struct metric_events *events, const struct record *rec);

/** Whether @event counts: a filter may leave it out. */
bool metric_events_take(const struct metric_events *events, const struct event *event);

/** Whether samples carry the values of both events. */
bool metric_events_group(const struct metric_events *events, const struct event *a,
			 const struct event *b);

/** What there is to say of the ratio: bits of enum metric_note; @group: metric_events_group(). */
unsigned metric_events_notes(const struct metric_events *events, const struct event *a,
			     const struct event *b, bool group);

/** The words for @notes, "" for none; of both METRIC_NOTE_MULTIPLEXED ones the sure one. Static. */
const char *metric_events_text(unsigned notes);

void metric_events_free(struct metric_events *events);

#endif
