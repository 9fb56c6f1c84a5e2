/*
 * The sizes that records can have, by type and, for samples, by the fields that the events record.
 *
 * Every record is checked when it is framed, so the check is a few comparisons. A record that fails
 * it may still be valid, from a newer kernel or an unusual writer. It is then examined more closely
 * (rescan.h), which takes longer and decides.
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

/* All types of perf are below this; the kernel's are below RECORD_USER_FIRST. */
enum { RECORD_SIZES_TYPES = 128 };

/**
 * Sizes in bytes, header included: from @least to @least + @range, with no bit of @mask set.
 * @string: offset in the record of the string that ends its body; 0: none.
 */
struct record_size {
	uint16_t least, range, mask, string;
};

enum { STRING_SLACK = 16 }; /* fewer bytes of padding follow a string */

struct record_sizes {
	struct record_size by_type[RECORD_SIZES_TYPES]; /* unknown types allow no size */
	uint16_t chain_offset; /* of the call chain's length in a SAMPLE; 0: not checked */
	uint16_t chain_least;  /* bytes of a SAMPLE with an empty call chain */
	uint16_t trailer_most; /* bytes of the longest trailer of any event */
	size_t nr_events;      /* learned so far */
};

/** Sets the sizes for a recording without events. */
void record_sizes_init(struct record_sizes *sizes);

/** Learns the sample sizes of the events that were added to @events since the last call. */
void record_sizes_learn(struct record_sizes *sizes, const struct event_set *events);

/** Returns why a record of @type with @body could not be decoded. */
enum damage_cause record_sizes_damage(const struct record_sizes *sizes, uint32_t type,
				      struct span body);

/** Whether a record of @type can have @size bytes; sizes less than 8 are never allowed. */
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

/** Returns the size of all samples, if that is all that is checked of them; else 0. */
static inline uint16_t record_sizes_sample(const struct record_sizes *sizes)
{
	const struct record_size *sample = &sizes->by_type[RECORD_SAMPLE];

	return sample->range || sample->least & sample->mask || sizes->chain_offset ? 0
										    : sample->least;
}

/* Like record_sizes_fill(), for a record with a string. */
static inline bool record_sizes_string_fills(const struct record_sizes *sizes,
					     const struct record_size *size_range, uint16_t size,
					     const uint8_t *bytes)
{
	const size_t room = (size_t)size - size_range->string;
	const uint8_t *nul = memchr(bytes + size_range->string, 0, room);

	return nul && (size_t)(bytes + size - nul) <= (size_t)sizes->trailer_most + STRING_SLACK;
}

/**
 * Whether the call chain or the string of the record of @type at @bytes ends where the record ends.
 * All its @size bytes must be there, and @size be allowed. True if it has neither, or more lists.
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
