/*
 * Samples and periods by event, for a process or a thread.
 *
 * Most recordings sample one event: its tally is stored inline. Those of other events are in a hash
 * table, so memory depends on the number of events counted, not on their numbers.
 */
#ifndef READPERF_DECODE_COUNT_TALLIES_H
#define READPERF_DECODE_COUNT_TALLIES_H

#include "decode/count/tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/** The tally of the event with number @event; 0: the slot is free. */
struct tally_slot {
	uint32_t event;
	struct tally tally;
};

/** All zero is empty. */
struct tallies {
	struct tally first; /* tally of event number 0 */
	/* tallies of the other events, by linear probing from the event number */
	struct tally_slot *slots;
	uint32_t nr_slots; /* a power of two, or 0 */
	uint32_t nr;	   /* slots in use; at least as many are free */
};

/** True if a sample was counted. */
static inline bool tallies_any(const struct tallies *tallies)
{
	return tallies->first.samples || tallies->nr;
}

/** Returns the slot of @event, which must not be 0, or the free slot where it belongs. */
static inline struct tally_slot *tallies_slot(const struct tallies *tallies, uint32_t event)
{
	uint32_t at = event & (tallies->nr_slots - 1);

	while (tallies->slots[at].event && tallies->slots[at].event != event)
		at = (at + 1) & (tallies->nr_slots - 1);
	return &tallies->slots[at];
}

/** Makes room for another event. Returns false, with nothing changed, if memory is out. */
static inline bool tallies_grow(struct tallies *tallies)
{
	struct tallies grown = *tallies;

	if (tallies->nr * 2 < tallies->nr_slots)
		return true;
	/* Starts small: there may be many threads. */
	grown.nr_slots = tallies->nr_slots ? tallies->nr_slots * 2 : 2;
	grown.slots = calloc(grown.nr_slots, sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	for (uint32_t i = 0; i < tallies->nr_slots; i++) {
		if (tallies->slots[i].event)
			*tallies_slot(&grown, tallies->slots[i].event) = tallies->slots[i];
	}
	free(tallies->slots);
	*tallies = grown;
	return true;
}

/**
 * Returns the tally of the event with number @event, added if it is new; NULL if memory is out.
 * Valid until the next call.
 */
static inline struct tally *tallies_at(struct tallies *tallies, uint32_t event)
{
	struct tally_slot *slot;

	if (event == 0)
		return &tallies->first;
	if (tallies->nr_slots) {
		slot = tallies_slot(tallies, event);
		if (slot->event)
			return &slot->tally;
	}
	if (!tallies_grow(tallies))
		return NULL;
	slot = tallies_slot(tallies, event);
	slot->event = event;
	tallies->nr++;
	return &slot->tally;
}

/** The number of tallies for tallies_get(); some may be empty. */
static inline size_t tallies_count(const struct tallies *tallies)
{
	return (size_t)tallies->nr_slots + 1;
}

/** Returns the tally at index @number, in no particular order; sets *@event to its event number. */
static inline struct tally tallies_get(const struct tallies *tallies, size_t number,
				       uint32_t *event)
{
	*event = number ? tallies->slots[number - 1].event : 0;
	return number ? tallies->slots[number - 1].tally : tallies->first;
}

/** Adds the counts of @from to @to. Returns false if memory is out. */
static inline bool tallies_add(struct tallies *to, const struct tallies *from)
{
	for (size_t i = 0; i < tallies_count(from); i++) {
		uint32_t event;
		struct tally tally = tallies_get(from, i, &event), *sum;

		if (!tally.samples)
			continue;
		sum = tallies_at(to, event);
		if (!sum)
			return false;
		tally_add(sum, tally.samples, tally.period);
	}
	return true;
}

static inline void tallies_free(struct tallies *tallies)
{
	free(tallies->slots);
	*tallies = (struct tallies){0};
}

#endif
