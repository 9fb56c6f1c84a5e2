/*
 * The sizes that records can have, by their type and, for samples, by what the events record.
 *
 * Every record is held against this as it is framed, so it is a few compares. A record that does
 * not fit may still be one: of a newer kernel, or of a writer with habits of its own. It is looked
 * at more closely then (salvage.h), which takes longer and decides.
 */
#ifndef READPERF_PERFFILE_SHAPE_H
#define READPERF_PERFFILE_SHAPE_H

#include "perffile/damage.h"
#include "perffile/events.h"
#include "perffile/format.h"
#include "perffile/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* No perf has numbered a type so high. Kernel types end below RECORD_USER_FIRST. */
enum { SHAPE_TYPES = 128 };

/** Sizes in bytes, header included: @least, or up to @range more, with no bit of @mask set. */
struct shape {
	uint16_t least, range, mask;
};

struct shapes {
	struct shape by_type[SHAPE_TYPES]; /* a type that is not known fits no size */
	uint16_t chain_offset; /* in a SAMPLE, of the number of its addresses; 0: not looked at */
	uint16_t chain_least;  /* bytes of a SAMPLE without any */
	size_t nr_events;      /* known so far */
};

/** Before any event is known. */
void shapes_init(struct shapes *shapes);

/** Learns how large the samples of events are that @events got since the last time. */
void shapes_learn(struct shapes *shapes, const struct event_set *events);

/** Why a record of @type whose body is @body could not be decoded. */
enum damage_cause shapes_damage(const struct shapes *shapes, uint32_t type, struct span body);

/** Whether a record of @type can have @size bytes. What fits has 8 or more. */
static inline bool shapes_allow(const struct shapes *shapes, uint32_t type, uint16_t size)
{
	const struct shape *shape;

	if (type >= SHAPE_TYPES)
		return false;
	shape = &shapes->by_type[type];
	return (uint16_t)(size - shape->least) <= shape->range && !(size & shape->mask);
}

/**
 * Whether the call chain of the record of @size bytes at @bytes fills it, all of it being there and
 * its size being allowed. True of what is no sample, or has more of variable length than a chain.
 */
static inline bool shapes_chain_fills(const struct shapes *shapes, uint32_t type, uint16_t size,
				      const uint8_t *bytes, bool swap)
{
	uint64_t nr;

	if (type != RECORD_SAMPLE || !shapes->chain_offset)
		return true;
	memcpy(&nr, bytes + shapes->chain_offset, sizeof(nr));
	if (swap)
		nr = __builtin_bswap64(nr);
	return nr == (uint64_t)(size - shapes->chain_least) / sizeof(nr);
}

#endif
