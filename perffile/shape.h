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

/**
 * Sizes in bytes, header included: @least, or up to @range more, with no bit of @mask set.
 * @string: where in the record the string is that ends its body; 0: it has none.
 */
struct shape {
	uint16_t least, range, mask, string;
};

enum { STRING_SLACK = 16 }; /* less bytes of padding are behind a string */

struct shapes {
	struct shape by_type[SHAPE_TYPES]; /* a type that is not known fits no size */
	uint16_t chain_offset; /* in a SAMPLE, of the number of its addresses; 0: not looked at */
	uint16_t chain_least;  /* bytes of a SAMPLE without any */
	uint16_t trailer_most; /* bytes of the longest trailer that an event wants */
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

/* As shapes_fill(), of a record with a string. */
static inline bool shapes_string_fills(const struct shapes *shapes, const struct shape *shape,
				       uint16_t size, const uint8_t *bytes)
{
	const size_t room = (size_t)size - shape->string;
	const uint8_t *nul = memchr(bytes + shape->string, 0, room);

	return nul && (size_t)(bytes + size - nul) <= (size_t)shapes->trailer_most + STRING_SLACK;
}

/**
 * Whether the record of @type at @bytes, all of it being there, is filled by what is in it, its
 * @size being allowed: by its call chain or its string. True of what has neither, or more lists.
 */
static inline bool shapes_fill(const struct shapes *shapes, uint32_t type, uint16_t size,
			       const uint8_t *bytes, bool swap)
{
	const struct shape *shape = &shapes->by_type[type];
	uint64_t nr;

	if (shape->string)
		return shapes_string_fills(shapes, shape, size, bytes);
	if (type != RECORD_SAMPLE || !shapes->chain_offset)
		return true;
	memcpy(&nr, bytes + shapes->chain_offset, sizeof(nr));
	if (swap)
		nr = __builtin_bswap64(nr);
	return nr == (uint64_t)(size - shapes->chain_least) / sizeof(nr);
}

#endif
