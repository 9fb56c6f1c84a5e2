/*
 * What each address counted in each block of time, from which the noise of a function is estimated.
 *
 * A recording's duration is not known ahead: blocks start short, and when there are too many each
 * two neighbours become one, and the next ones are twice as long. So there are 64 to 127 of them at
 * the end, if there is time for as many, whatever the duration. Nothing is done for a sample but to
 * look whether its block has ended; then what addresses have counted since the last end is noted.
 * Memory grows with distinct addresses times blocks, at most.
 */
#ifndef READPERF_DECODE_BLOCKS_H
#define READPERF_DECODE_BLOCKS_H

#include "decode/address.h"
#include "decode/callpath.h"
#include "decode/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BLOCKS_MAX = 128,
	BLOCKS_FIRST_LENGTH = 1 << 20, /* ns: about a millisecond */
};

/** What an address counted in a block. A float is exact enough: it is summed up, and squared. */
struct block_count {
	uint32_t number; /* of the address */
	float period;
};

/** Only what is not 0, by ascending number. */
struct block {
	struct block_count *counts;
	size_t nr;
};

/** All zero but for @most has not begun. */
struct blocks {
	struct block list[BLOCKS_MAX];
	size_t nr;
	size_t nr_counts,
		most;	      /* in all blocks; @most: when blocks are joined early, 0: a default */
	uint64_t length, end; /* of the current block; ns */
	uint64_t nr_untimed;  /* samples without a time */
	bool begun;
	uint64_t *seen; /* by number of the address: its period when the last block ended */
	size_t nr_seen, seen_room;
};

/** Ends the blocks that are over at @time. Returns false if memory is out. */
bool blocks_end(struct blocks *blocks, struct address_table *addresses, uint64_t time);

/**
 * To be called before a sample is counted in @addresses. Time that goes back does not end a block;
 * if samples have none (@timed is false), all take equally long. Returns false if memory is out.
 */
static inline bool blocks_sample(struct blocks *blocks, struct address_table *addresses, bool timed,
				 uint64_t time)
{
	if (!timed)
		time = blocks->nr_untimed++ * BLOCKS_FIRST_LENGTH;
	return (blocks->begun && time < blocks->end) || blocks_end(blocks, addresses, time);
}

/** Ends the current block, so that all that @addresses has is in blocks. False: no memory. */
bool blocks_finish(struct blocks *blocks, struct address_table *addresses);

/**
 * Sets the noise of the @nr_rows @rows, which are made from the addresses: @links[@link_of[number]]
 * is what an address is counted for.
 *
 * The variance of a row's part p of its event's period is estimated from the differences between
 * neighbouring blocks of y - p * Y, y and Y being the block's period of the row and of the event
 * (von Neumann 1941): what changes slowly over the recording, as the phases of a program, is no
 * noise. Blocks in which the event counted nothing are left out; less than 8 others tell nothing.
 *
 * Returns false if memory is out.
 */
bool blocks_noise(const struct blocks *blocks, const struct row_link *links,
		  const uint32_t *link_of, struct function_stat *rows, size_t nr_rows,
		  size_t nr_events);

void blocks_free(struct blocks *blocks);

#endif
