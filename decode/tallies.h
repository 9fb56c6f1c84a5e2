/*
 * Samples and periods by event, of a process or a thread.
 *
 * Most recordings have one event that is sampled: its tally needs no memory of its own.
 */
#ifndef READPERF_DECODE_TALLIES_H
#define READPERF_DECODE_TALLIES_H

#include "decode/address.h"
#include "decode/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** All zero has counted nothing. */
struct tallies {
	struct tally first; /* of the event with number 0 */
	struct tally *more; /* of the events from number 1 on */
	size_t nr_more;
};

/** Makes room for all events up to @event. Returns false if memory is out. */
static inline bool tallies_grow(struct tallies *tallies, size_t event)
{
	struct tally *grown;

	if (event <= tallies->nr_more)
		return true;
	/* No room to spare: there may be many threads. */
	grown = realloc(tallies->more, event * sizeof(*grown));
	if (!grown)
		return false;
	memset(grown + tallies->nr_more, 0, (event - tallies->nr_more) * sizeof(*grown));
	tallies->more = grown;
	tallies->nr_more = event;
	return true;
}

/** The tally of the event with number @event, NULL if memory is out. */
static inline struct tally *tallies_at(struct tallies *tallies, size_t event)
{
	if (event == 0)
		return &tallies->first;
	return tallies_grow(tallies, event) ? &tallies->more[event - 1] : NULL;
}

/** The number of events that may have been counted, and what was counted of one of them. */
static inline size_t tallies_count(const struct tallies *tallies)
{
	return tallies->nr_more + 1;
}

static inline struct tally tallies_get(const struct tallies *tallies, size_t event)
{
	return event ? tallies->more[event - 1] : tallies->first;
}

/** Adds what @from has counted to @to. Returns false if memory is out. */
static inline bool tallies_add(struct tallies *to, const struct tallies *from)
{
	if (!tallies_grow(to, from->nr_more))
		return false;
	for (size_t i = 0; i < tallies_count(from); i++) {
		struct tally tally = tallies_get(from, i);

		tally_add(tallies_at(to, i), tally.samples, tally.period);
	}
	return true;
}

static inline void tallies_free(struct tallies *tallies)
{
	free(tallies->more);
	*tallies = (struct tallies){0};
}

#endif
