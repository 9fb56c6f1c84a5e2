/*
 * Counts samples by address. It runs for each sample, so it uses only integers.
 *
 * Memory grows with the number of distinct (event, dso, place), never with the number of samples.
 */
#ifndef READPERF_DECODE_COUNT_ADDRESS_H
#define READPERF_DECODE_COUNT_ADDRESS_H

#include "decode/count/tally.h"
#include "util/hash.h"
#include "util/helpers.h"
#include "util/index.h"
#include "util/prefetch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADDRESS_NONE UINT32_MAX

/** Samples of @event at @place of the dso with number @dso. */
struct address {
	uint64_t place;
	uint32_t dso;
	uint32_t event;
	struct tally self;
};

/** A sample that is not counted yet. */
struct pending_sample {
	uint64_t place, period;
	uint64_t owner; /* address_owner() */
	uint32_t hash;	/* the part that the index uses */
	uint32_t tag;
};

enum { PENDING_MAX = 64 };

/** All zero is an empty table. */
struct address_table {
	struct address *addresses; /* by number, in order of first appearance */
	size_t nr, room;
	struct index index; /* has the first ones, and all before an address is looked up */
	/* Samples that have come: the index is being prefetched for them. And those of the turn
	 * before: their numbers are known, and their addresses are being prefetched. */
	struct pending_sample pending[2][PENDING_MAX];
	unsigned coming; /* which of the two */
	size_t nr_coming, nr_found;
	uint32_t numbers[PENDING_MAX]; /* of those found: their addresses, or ADDRESS_NONE */
	/* If set, called for each sample of address_add() when it is counted, with the number of
	 * its address. Returns false to fail. */
	bool (*counted)(void *arg, uint32_t number, uint32_t tag, uint64_t period);
	void *counted_arg;
	uint32_t tag; /* for the samples to come: what counted() is told of them */
};

/**
 * Returns the number of this address, which is added with count 0 if it is new; ADDRESS_NONE if
 * memory is out.
 */
uint32_t address_get(struct address_table *table, uint32_t event, uint32_t dso, uint64_t place);

enum { ADDRESS_ALL_MAX = 16 };

/** What an address is found by. */
struct address_key {
	uint64_t place;
	uint32_t dso, event;
};

/**
 * Sets @numbers to those of the @nr addresses @keys, ADDRESS_ALL_MAX at most: as address_get() one
 * by one, but what all of them read is prefetched. Returns false if memory is out.
 */
bool address_get_all(struct address_table *table, const struct address_key *keys, size_t nr,
		     uint32_t *numbers);

/**
 * Takes what was counted at the @nr addresses @others, at least one, of another table, no two of
 * which are equal, and sets @numbers to those that they have here. New ones are not put into the
 * index before it is needed, which it is not any more when all samples are counted. @helpers: who
 * waits there looks for them, too; or NULL. Returns false if memory is out.
 */
bool address_take_others(struct address_table *table, struct address *others, size_t nr,
			 uint32_t *numbers, struct helpers *helpers);

/** Counts the pending samples; call it before reading the table. Returns as address_add(). */
bool address_flush(struct address_table *table);

/** Counts the samples of the turn before, and finds those that have come. As address_add(). */
bool address_turn(struct address_table *table);

/** Whose addresses are counted for themselves, in one word. */
static inline uint64_t address_owner(uint32_t event, uint32_t dso)
{
	return (uint64_t)dso << 32 | event;
}

static inline uint64_t address_hash(uint64_t owner, uint64_t place)
{
	return hash_add(hash_u64(place), owner);
}

/** Prefetches what address_get() looks at first. */
static inline void address_expect(const struct address_table *table, uint32_t event, uint32_t dso,
				  uint64_t place)
{
	index_prefetch(&table->index, address_hash(address_owner(event, dso), place));
}

/**
 * Counts a sample of @period at this address. Samples are found and then counted in batches, which
 * hides the latency of memory twice; address_flush() counts the last ones. Returns false if memory
 * is out, or if counted() failed.
 */
static inline bool address_add(struct address_table *table, uint32_t event, uint32_t dso,
			       uint64_t place, uint64_t period)
{
	const uint64_t owner = address_owner(event, dso), hash = address_hash(owner, place);

	table->pending[table->coming][table->nr_coming++] = (struct pending_sample){
		.place = place,
		.period = period,
		.owner = owner,
		.hash = (uint32_t)hash,
		.tag = table->tag,
	};
	index_prefetch(&table->index, hash);
	return table->nr_coming < PENDING_MAX || address_turn(table);
}

/** A loop through sorted addresses calls address_prefetch() this many turns before it uses one. */
enum { ADDRESS_AHEAD = 16 };

/** Prefetches the address @number. */
static inline void address_prefetch(const struct address *addresses, uint64_t number)
{
	prefetch_read(&addresses[number]);
}

static inline size_t address_count(const struct address_table *table)
{
	return table->nr;
}

void address_table_free(struct address_table *table);

#endif
