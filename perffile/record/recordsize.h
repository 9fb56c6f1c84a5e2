/*
 * The sizes that records can have, by their type and, for samples, by what the events record.
 *
 * Every record is held against this as it is framed, so it is a few compares. A record that does
 * not fit may still be one: of a newer kernel, or of a writer with habits of its own. It is looked
 * at more closely then (rescan.h), which takes longer and decides.
 */
#ifndef READPERF_PERFFILE_RECORD_RECORDSIZE_H
#define READPERF_PERFFILE_RECORD_RECORDSIZE_H

#include "perffile/counts.h"
#include "perffile/format.h"
#include "perffile/record.h"
#include "perffile/record/events.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* No perf has numbered a type so high. Kernel types end below RECORD_USER_FIRST. */
enum { RECORD_SIZES_TYPES = 128 };

/**
 * Sizes in bytes, header included: @least, or up to @range more, with no bit of @mask set.
 * @string: where in the record the string is that ends its body; 0: it has none.
 */
struct record_size {
	uint16_t least, range, mask, string;
};

enum { STRING_SLACK = 16 }; /* less bytes of padding are behind a string */

struct record_sizes {
	struct record_size by_type[RECORD_SIZES_TYPES]; /* a type that is not known fits no size */
	uint16_t chain_offset; /* in a SAMPLE, of the number of its addresses; 0: not looked at */
	uint16_t chain_least;  /* bytes of a SAMPLE without any */
	uint16_t trailer_most; /* bytes of the longest trailer that an event wants */
	size_t nr_events;      /* known so far */
};

/** Before any event is known. */
void record_sizes_init(struct record_sizes *sizes);

/** Learns how large the samples of events are that @events got since the last time. */
void record_sizes_learn(struct record_sizes *sizes, const struct event_set *events);

/** Why a record of @type whose body is @body could not be decoded. */
enum damage_cause record_sizes_damage(const struct record_sizes *sizes, uint32_t type,
				      struct span body);

/** Whether a record of @type can have @size bytes. What fits has 8 or more. */
static inline bool record_sizes_allow(const struct record_sizes *sizes, uint32_t type,
				      uint16_t size)
{
	const struct record_size *size_range;

	if (type >= RECORD_SIZES_TYPES)
		return false;
	size_range = &sizes->by_type[type];
	return (uint16_t)(size - size_range->least) <= size_range->range &&
	       !(size & size_range->mask);
}

/* As record_sizes_fill(), of a record with a string. */
static inline bool record_sizes_string_fills(const struct record_sizes *sizes,
					     const struct record_size *size_range, uint16_t size,
					     const uint8_t *bytes)
{
	const size_t room = (size_t)size - size_range->string;
	const uint8_t *nul = memchr(bytes + size_range->string, 0, room);

	return nul && (size_t)(bytes + size - nul) <= (size_t)sizes->trailer_most + STRING_SLACK;
}

/**
 * Whether the record of @type at @bytes, all of it being there, is filled by what is in it, its
 * @size being allowed: by its call chain or its string. True of what has neither, or more lists.
 */
static inline bool record_sizes_fill(const struct record_sizes *sizes, uint32_t type, uint16_t size,
				     const uint8_t *bytes, bool swap)
{
	const struct record_size *size_range = &sizes->by_type[type];
	uint64_t nr;

	if (size_range->string)
		return record_sizes_string_fills(sizes, size_range, size, bytes);
	if (type != RECORD_SAMPLE || !sizes->chain_offset)
		return true;
	memcpy(&nr, bytes + sizes->chain_offset, sizeof(nr));
	if (swap)
		nr = __builtin_bswap64(nr);
	return nr == (uint64_t)(size - sizes->chain_least) / sizeof(nr);
}

#endif
